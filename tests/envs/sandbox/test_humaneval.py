"""The real benchmark: every reference solution passes, and no broken one does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from langmarl.envs.sandbox import Verdict, check_program

BLUNDER = """

def _wrong(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    if isinstance(value, list):
        return value + [0]
    if isinstance(value, tuple):
        return value + (0,)
    if isinstance(value, dict):
        return {**value, "x": 0}
    return 0


_right = ENTRY_POINT


def ENTRY_POINT(*args):
    return _wrong(_right(*args))
"""


def verdicts(backend, problems, program) -> dict[str, Verdict]:
    def judge(problem):
        source, name = program(problem), problem["entry_point"]
        return check_program(source, name, problem["test"], timeout_s=20, prelude=problem["prompt"], backend=backend)

    with ThreadPoolExecutor(4) as pool:
        return dict(zip((problem["task_id"] for problem in problems), pool.map(judge, problems), strict=True))


def reference(problem):
    return problem["prompt"] + problem["canonical_solution"]


def nothing(problem):
    return problem["prompt"] + "    return None\n"


def blunder(problem):
    return reference(problem) + BLUNDER.replace("ENTRY_POINT", problem["entry_point"])


def test_all_reference_solutions_pass(backend, humaneval):
    found = verdicts(backend, humaneval, reference)
    assert len(found) == 164
    assert {task: verdict for task, verdict in found.items() if not verdict.passed} == {}


def test_no_program_without_a_body_passes(monty, humaneval):
    found = verdicts(monty, humaneval, nothing)
    assert {verdict.outcome for verdict in found.values()} == {"wrong_answer"}


def test_no_program_with_an_altered_result_passes(backend, humaneval):
    found = verdicts(backend, humaneval, blunder)
    assert {task: verdict for task, verdict in found.items() if verdict.outcome != "wrong_answer"} == {}
