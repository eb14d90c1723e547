import ast

import pytest

from langmarl.envs.language.coding_reward import CodingReward, assemble_program, extract_code
from langmarl.envs.language.formats import load_benchmark
from langmarl.envs.sandbox import available_backend
from langmarl.errors import LangMARLError
from tests.envs.language.shared_data import real_file

PROMPT = '''import math


def half(x):
    return x / 2


def area(r: float) -> float:
    """Area of a circle."""
'''
TASK = {
    "id": "c1",
    "task_type": "coding",
    "prompt": PROMPT,
    "entry_point": "area",
    "tests": "def check(candidate):\n    assert abs(candidate(1) - 3.14159) < 0.001\n    assert half(2) == 1\n",
    "canonical_solution": "    return math.pi * r ** 2\n",
}

needs_sandbox = pytest.mark.skipif(available_backend() is None, reason="no sandbox works on this machine")


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("```python\nx = 1\n```", "x = 1\n"),
        ("First:\n```python\nx = 1\n```\nBetter:\n```py\nx = 2\n```\nRun:\n```bash\npython x.py\n```", "x = 2\n"),
        ("```\nx = 1\n```\nand\n```text\nout\n```", "x = 1\n"),
        ("Cut off:\n```python\nx = 1\nx = ", "x = 1\nx = "),
        ("    return 1\n", "    return 1\n"),
        ("```python\nx = '''\n  ``\n'''\n```", "x = '''\n  ``\n'''\n"),
    ],
)
def test_code_is_the_last_python_block_else_the_message(message, code):
    assert extract_code(message) == code


def run(source, value):
    namespace = {}
    exec(compile(source, "program", "exec"), namespace)
    return namespace["area"](value)


@pytest.mark.parametrize(
    "code",
    [
        "    return math.pi * r ** 2\n",
        "return math.pi * r ** 2",
        "square = r ** 2\nreturn math.pi * square",
        "square = r ** 2\n    return math.pi * square",
        "\n    # a comment first\n    square = r ** 2\n    return math.pi * square",
        "def area(r):\n    return math.pi * r ** 2",
        "from __future__ import annotations\ndef area(r: Missing):\n    return 2 * half(math.pi) * r ** 2",
        "area = lambda r: math.pi * r ** 2",
    ],
)
def test_completion_and_whole_function_both_make_a_program(code):
    assert run(assemble_program(PROMPT, "area", code), 2) == pytest.approx(12.566, abs=0.001)


@pytest.mark.parametrize("code", ["x" + ".y" * 50_000, "-" * 100_000 + "1", "(" * 10_000, "\0", "    " * 300 + "x"])
def test_hostile_text_is_only_ever_a_program_that_fails(code):
    assert assemble_program(PROMPT, "area", code).startswith(PROMPT)


def test_prompt_without_anything_before_the_function_adds_nothing():
    assert assemble_program("def one():\n", "one", "def one():\n    return 1") == "def one():\n    return 1\n"


def test_code_that_defines_another_function_continues_the_prompt():
    source = assemble_program(PROMPT, "area", "    return sub(r)\n\ndef sub(r):\n    return r\n")
    functions = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    assert functions == ["half", "area", "sub"]


def test_whole_function_with_a_syntax_error_is_not_taken_for_a_completion():
    assert assemble_program(PROMPT, "area", "def area(r):\n    return (").count("def area") == 1


@needs_sandbox
@pytest.mark.parametrize(
    ("message", "reward", "outcome"),
    [
        ("Use pi:\n```python\ndef area(r):\n    return math.pi * r ** 2\n```", 1.0, "passed"),
        ("    return math.pi * r ** 2\n", 1.0, "passed"),
        ("```python\ndef area(r):\n    return r\n```", 0.0, "wrong_answer"),
        ("I cannot do this.", 0.0, "invalid_program"),
        ("", 0.0, None),
    ],
)
def test_score_is_the_sandboxes_verdict(message, reward, outcome):
    score = CodingReward(timeout_s=10).score(TASK, message)
    assert score.reward == reward
    assert outcome is None or score.details["outcome"] == outcome
    assert score.details["predicted"] == extract_code(message)


@needs_sandbox
def test_tests_that_nothing_can_pass_lose_the_episode_instead_of_scoring_it():
    with pytest.raises(LangMARLError, match="tests of task c1"):
        CodingReward(timeout_s=10).score(TASK | {"tests": "def check(candidate:\n"}, "    return 1\n")


def test_every_humaneval_solution_makes_a_program_both_as_completion_and_as_a_whole():
    for task in load_benchmark("coding", str(real_file("humaneval/HumanEval.jsonl.gz"))).tasks:
        whole = task["prompt"] + task["canonical_solution"]
        for code in (task["canonical_solution"], whole):
            source = assemble_program(task["prompt"], task["entry_point"], code)
            defined = {node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
            assert task["entry_point"] in defined


@needs_sandbox
def test_some_humaneval_solutions_pass_as_whole_functions():
    tasks = load_benchmark("coding", str(real_file("humaneval/HumanEval.jsonl.gz"))).tasks
    reward = CodingReward(timeout_s=10)
    # Tests of 32, 38 and 50 call functions of the prompt.
    for number in (0, 32, 38, 50, 163):
        task = tasks[number]
        score = reward.score(task, f"```python\n{task['prompt']}{task['canonical_solution']}```")
        assert score.reward == 1.0, (task["id"], score.details)


@needs_sandbox
def test_every_shipped_solution_passes():
    reward = CodingReward(timeout_s=10)
    failed = {
        task["id"]: score.details["reason"]
        for task in load_benchmark("coding", None).tasks
        if (score := reward.score(task, task["canonical_solution"])).reward != 1
    }
    assert failed == {}
