import hashlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from langmarl.config import BaseConfig, LanguageTaskConfig
from langmarl.envs import BaseEnvironment, LanguageEnvironment, make_env
from langmarl.envs.language.rendering import render_task
from langmarl.errors import ModelCallError, UserMistake
from tests.envs.model_server import Said, model_server


def qa_row(number):
    return {
        "id": f"q{number}",
        "question": f"What is the answer to {number}?",
        "answer": f"Answer {number}",
        "context": [["Numbers", [f"To {number} it is Answer {number}."]]],
    }


@pytest.fixture
def qa_file(tmp_path):
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join(json.dumps(qa_row(number)) for number in range(10)), encoding="utf-8")
    return path


def language(path, model=None, **options):
    llm = model.config if model else "offline"
    return make_env("language", LanguageTaskConfig(benchmark_path=str(path) if path else None, llm=llm, **options))


def ids(tasks):
    return [task["id"] for task in tasks]


def test_no_task_comes_twice_before_all_have_come(qa_file):
    env = language(qa_file)
    env.seed(1)
    drawn = ids(env.sample_tasks(20))
    assert len(set(drawn[:8])) == len(set(drawn[8:16])) == 8
    assert len(drawn) == 20


def test_seed_decides_the_draw(qa_file):
    env, other = language(qa_file), language(qa_file)
    draws = []
    for one, seed in ((env, 1), (other, 1), (env, 2), (env, 1)):
        one.seed(seed)
        draws.append(ids(one.sample_tasks(8)))
    assert draws[0] == draws[1] == draws[3]
    assert draws[0] != draws[2]


def test_held_out_tasks_are_never_drawn_and_always_the_same(qa_file):
    env = language(qa_file)
    held_out = ids(env.held_out_tasks(5))
    assert len(held_out) == 2
    assert not set(held_out) & set(ids(env.sample_tasks(100)))
    assert ids(env.held_out_tasks(1)) == held_out[:1]
    assert env.held_out_tasks(0) == []


def test_runs_beside_the_tasks_are_not_read_as_tasks(qa_file):
    (qa_file.parent / "runs").mkdir()
    (qa_file.parent / "runs" / "other.jsonl").write_text('{"key": 1}', encoding="utf-8")
    env = language(qa_file.parent, experiment_dir=str(qa_file.parent / "runs"))
    assert list(env.content_digests()) == ["tasks.jsonl"]


def test_tasks_belong_to_the_caller(qa_file):
    env = language(qa_file)
    env.seed(1)
    (task,) = env.sample_tasks(1)
    task["context"][0][1].append("mine")
    env.seed(1)
    assert env.sample_tasks(1)[0]["context"][0][1] != task["context"][0][1]


def test_agents_speak_in_turn_and_the_last_message_is_scored(qa_file):
    with model_server(lambda system, _: "Answer 3" if system == "Answer." else "Look at [1].") as model:
        env = language(qa_file, model)
        task = qa_row(3) | {"task_type": "qa"}
        trajectory = env.collect_trajectory({"agent_1": "Read.", "agent_2": "Answer."}, task)
    first, last = trajectory.steps
    assert (first.agent_id, first.action, last.agent_id, last.action) == (
        "agent_1",
        "Look at [1].",
        "agent_2",
        "Answer 3",
    )
    assert first.observation == render_task(task)
    said = '<message agent="agent_1">\nLook at [1].\n</message>'
    assert last.observation == f"{render_task(task)}\n\nMessages so far:\n\n{said}"
    assert trajectory.reward == 1.0
    assert trajectory.task == task
    reason = "the final message is the reference answer and nothing else"
    assert trajectory.metadata == {"task_id": "q3", "em": 1.0, "f1": 1.0, "reason": reason, "predicted": "Answer 3"}
    assert model.asked == [("Read.", first.observation), ("Answer.", last.observation)]


def test_message_cut_off_at_the_token_limit_is_reported(qa_file):
    with model_server(lambda system, _: Said("Answer", "length" if system == "Answer." else "stop")) as model:
        env = language(qa_file, model)
        trajectory = env.collect_trajectory({"agent_1": "Read.", "agent_2": "Answer."}, qa_row(3) | {"task_type": "qa"})
    assert trajectory.metadata["truncated"] == ["agent_2"]


def test_failed_call_loses_the_episode_instead_of_scoring_it(qa_file):
    with model_server(lambda *_: Said("overloaded", status=500)) as model:
        env = language(qa_file, model)
        with pytest.raises(ModelCallError):
            env.collect_trajectory(env.base_policies(), qa_row(3) | {"task_type": "qa"})


def test_clones_play_different_tasks_at_the_same_time(qa_file):
    together = threading.Barrier(6)

    def answer(_, user):
        if "Messages so far" not in user:
            together.wait(10)  # all clones are in mid-episode before any goes on
        return "Answer " + user.partition("answer to ")[2].partition("?")[0]

    with model_server(answer) as model:
        env = language(qa_file, model)
        clones, policies = [env.clone() for _ in range(6)], env.base_policies()
        tasks = [qa_row(number) | {"task_type": "qa"} for number in range(6)]
        with ThreadPoolExecutor(6) as pool:
            played = list(pool.map(lambda clone, task: clone.collect_trajectory(policies, task), clones, tasks))
    assert [trajectory.reward for trajectory in played] == [1.0] * 6
    assert [trajectory.metadata["task_id"] for trajectory in played] == ids(tasks)


def test_clones_randomness_is_their_own(qa_file):
    env = language(qa_file)
    env.seed(1)
    clone = env.clone()
    clone.seed(2)
    clone.sample_tasks(8)
    other = language(qa_file)
    other.seed(1)
    assert ids(env.sample_tasks(8)) == ids(other.sample_tasks(8))


def test_judge_scores_every_type_where_no_checker_is_wanted(qa_file):
    def answer(_, user):
        return '{"score": 0.25, "reasons": "no"}' if "<brief>" in user else "Answer 3"

    with model_server(answer) as model:
        env = language(qa_file, model, use_verified_reward=False)
        trajectory = env.collect_trajectory(env.base_policies(), qa_row(3) | {"task_type": "qa"})
    assert trajectory.reward == 0.25
    assert trajectory.metadata == {"task_id": "q3", "judge_score": 0.25, "judge_reasons": "no"}


def test_reference_is_the_answer_the_tests_or_the_requirements():
    expected = {"qa": "answer", "math": "answer", "coding": "tests", "writing": "requirements"}
    for task_type, field in expected.items():
        env = language(None, task_type=task_type)
        (task,) = env.sample_tasks(1)
        reference = env.reference(task)
        parts = task[field] if isinstance(task[field], list) else [task[field].strip()]
        assert all(part in reference for part in parts)
        if task_type == "coding":
            assert task["canonical_solution"].strip() in reference


def test_digests_are_of_the_files_tasks_come_from(qa_file):
    digest = hashlib.sha256(qa_file.read_bytes()).hexdigest()
    assert language(qa_file).content_digests() == {"tasks.jsonl": digest}
    assert list(language(None).content_digests()) == ["shipped/qa.jsonl"]


def test_wrong_task_type_is_refused_when_the_environment_is_built(qa_file):
    with pytest.raises(UserMistake, match="Set task_type to 'qa'"):
        language(qa_file, task_type="math")


def test_language_environment_is_an_ordinary_environment():
    assert isinstance(language(None), BaseEnvironment)
    assert language(None, num_agents=3).agent_ids == ["agent_1", "agent_2", "agent_3"]
    assert list(language(None, num_agents=3).base_policies()) == ["agent_1", "agent_2", "agent_3"]


def test_config_of_another_environment_is_refused():
    with pytest.raises(UserMistake, match="reads a LanguageTaskConfig, not a BaseConfig"):
        LanguageEnvironment(BaseConfig(llm="offline"))
