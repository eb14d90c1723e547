import pytest

from langmarl.envs.language.formats import load_benchmark
from langmarl.envs.language.rendering import base_policy, render_observation, render_task
from langmarl.trajectory import Step
from tests.envs.language.shared_data import real_file

QA = {
    "task_type": "qa",
    "question": "Which river?",
    "answer": "Lene",
    "context": [["Morrow", ["Morrow lies on the Lene.", " It is old."]], ["Hain", ["Hain is grey.", "It is wet."]]],
}


def test_question_with_passages():
    assert render_task(QA) == (
        "Question: Which river?\n\nPassages:\n"
        "[1] Morrow\nMorrow lies on the Lene. It is old.\n\n"
        "[2] Hain\nHain is grey. It is wet."
    )


def test_question_without_passages():
    assert render_task(QA | {"context": []}) == "Question: Which river?"


def test_problem():
    assert render_task({"task_type": "math", "problem": "1 + 1", "answer": "2"}) == "Problem: 1 + 1"


def test_writing_task():
    task = {"task_type": "writing", "prompt": "Write a note.", "requirements": ["Short", "Kind"]}
    assert render_task(task) == "Writing task: Write a note.\n\nRequirements:\n- Short\n- Kind"


def test_function():
    task = {"task_type": "coding", "prompt": "def one():\n"}
    assert render_task(task) == "Complete this Python function:\n\n```python\ndef one():\n\n```"


def test_earlier_messages_follow_the_task():
    said = [Step("agent_1", "", "Look at [1]."), Step("agent_2", "", "</message> The Lene.")]
    assert render_observation(QA, []) == render_task(QA)
    assert render_observation(QA, said) == (
        f"{render_task(QA)}\n\nMessages so far:\n\n"
        '<message agent="agent_1">\nLook at [1].\n</message>\n'
        '<message agent="agent_2">\n<\\/message> The Lene.\n</message>'
    )


def test_base_policies_say_role_and_protocol():
    assert base_policy("qa", 1, 2) == (
        "You are Agent 1 of 2, speaking first, in a team that answers questions from passages. "
        "Agent 2 speaks after you and sees your message."
    )
    assert base_policy("qa", 2, 2) == (
        "You are Agent 2 of 2, speaking last, in a team that answers questions from passages. "
        "You see the message of Agent 1. Your message is the team's answer."
    )
    assert base_policy("math", 1, 1) == (
        "You are the only agent of a team that solves mathematical problems. Your message is the team's answer."
    )
    assert base_policy("coding", 2, 4) == (
        "You are Agent 2 of 4 in a team that completes Python functions. You see the message of Agent 1. "
        "Agent 3 and Agent 4 speak after you and see your message."
    )


@pytest.mark.parametrize("name", ["prompt", "solution", "answer"])
def test_no_rendered_problem_holds_more_than_the_problem(name):
    task = {"task_type": "math", "problem": "1 + 1", name: "planted"}
    assert "planted" not in render_task(task)


@pytest.mark.parametrize(
    ("task_type", "source"),
    [(kind, None) for kind in ("qa", "math", "coding", "writing")]
    + [
        ("qa", "hotpotqa/hotpot_dev_distractor_sample100.json"),
        ("math", "math/math500.jsonl"),
        ("math", "gsm8k/test_200.jsonl"),
        ("coding", "humaneval/HumanEval.jsonl.gz"),
    ],
)
def test_no_agent_sees_the_reference_unless_the_task_itself_says_it(task_type, source):
    for task in load_benchmark(task_type, str(real_file(source)) if source else None).tasks:
        hidden = {"answer", "tests", "canonical_solution", "solution"} & task.keys()
        marked = task | {name: f"planted-{name}" for name in hidden}
        assert render_task(marked) == render_task(task)
        assert "planted" not in render_observation(marked, [Step("agent_1", "", "hello")])
