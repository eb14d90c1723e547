"""Coding by the offline model: what instructions change, who gets the blame, and the shipped tasks."""

from __future__ import annotations

import ast
import contextlib
import gzip
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from langmarl.llm.offline.instructions import read_habits
from langmarl.llm.offline.seat import read_seat
from langmarl.llm.offline.tasks.coding import CodingSkill
from langmarl.llm.offline.tasks.coding.lessons import LESSONS
from langmarl.llm.offline.tasks.coding.library import LIBRARY
from langmarl.llm.offline.tasks.coding.request import read_request
from langmarl.llm.offline.tasks.skill import EpisodeCase, Finding, Message

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "langmarl/envs/language/data/coding.jsonl"
SHARED = Path(os.environ.get("LANGMARL_SHARED_DATA") or ROOT.parent / "shared/data")
HUMANEVAL = SHARED / "humaneval/HumanEval.jsonl.gz"
ROWS = {row["entry_point"]: row for row in map(json.loads, DATA.read_text(encoding="utf-8").splitlines())}
SKILL = CodingSkill()

FENCED = "Put the code in a Python block. "
FORM = FENCED + "Keep the given signature. Return the result instead of printing it. "


def task(name: str) -> str:
    return f"Complete this Python function:\n\n```python\n{ROWS[name]['prompt']}\n```"


def policy(instructions: str, position: int = 1, of: int = 1) -> str:
    base = f"You are Agent {position} of {of}, in a team that completes Python functions."
    return f"{base}\n\n# Learned instructions\n{instructions}" if instructions else base


def say(request: str, instructions: str, position: int = 1, of: int = 1, earlier: list[Message] | None = None) -> str:
    text = policy(instructions, position, of)
    seat = read_seat(text)
    return SKILL.act(request, list(earlier or []), seat, read_habits(text, SKILL.habits, seat))


def code_of(message: str) -> str:
    found = re.search(r"```python\n(.*?)```", message, re.DOTALL)
    return found.group(1) if found else message


def passes(name: str, code: str) -> bool:
    """Whether ``code`` (the offline model's own, or a shipped solution) passes the shipped tests of ``name``."""
    namespace: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            exec(code, namespace)
            exec(ROWS[name]["tests"], namespace)
            namespace["check"](namespace[name])
        except Exception:
            return False
    return True


def solves(name: str, instructions: str, earlier: list[Message] | None = None) -> bool:
    place = 2 if earlier else 1
    return passes(name, code_of(say(task(name), instructions, place, place, earlier)))


def judge(name: str, policies: list[str], reward: float | None = None) -> dict[str, Finding]:
    messages: list[Message] = []
    texts = {}
    for place, instructions in enumerate(policies, start=1):
        agent = f"agent_{place}"
        messages.append(Message(agent, say(task(name), instructions, place, len(policies), messages)))
        texts[agent] = policy(instructions, place, len(policies))
    if reward is None:
        reward = float(passes(name, code_of(messages[-1].text)))
    return SKILL.diagnose(EpisodeCase(task(name), ROWS[name]["canonical_solution"], reward, {}, texts, messages))


def lesson_of(finding: Finding) -> str | None:
    """The habit whose advice the feedback holds."""
    return next(
        (name for name, lesson in LESSONS.items() if any(text in finding.feedback for text in lesson.advice)), None
    )


@pytest.mark.parametrize(
    "instruction",
    [
        "Reply with a single Python code block and nothing else.",
        "Put the code between triple backticks.",
        "Only send code, no explanations.",
        "Do not explain the code.",
        "Wrap the function in a ```python fence.",
    ],
)
def test_told_to_send_code_alone_it_sends_one_block(instruction: str) -> None:
    message = say(task("running_totals"), instruction)
    assert message.startswith("```python\n")
    assert message.endswith("```")


@pytest.mark.parametrize(
    "instruction", ["", "Be quick.", "Don't use a code block.", "Explain your code in a few sentences."]
)
def test_not_told_to_send_code_alone_it_talks_around_it(instruction: str) -> None:
    message = say(task("running_totals"), instruction)
    with pytest.raises(SyntaxError):
        ast.parse(message)


@pytest.mark.parametrize(
    ("instruction", "name", "others"),
    [
        ("Use exactly the function name given in the task.", "running_totals", FENCED),
        ("Don't rename the function.", "running_totals", FENCED),
        ("Preserve the original function name.", "sum_of_odd_squares", FENCED),
        ("Return the value, do not print it.", "count_below", FENCED),
        ("Never print.", "count_below", FENCED),
        ("Give back the result rather than displaying it.", "count_below", FENCED),
        ("Check that your code reproduces the docstring examples.", "interleave", FENCED),
        ("Test your solution against the sample calls.", "initials", FENCED),
        ("Walk through each example by hand.", "is_palindrome", FORM),
        ("An empty string must not crash the function.", "longest_word", FORM),
        ("Guard against empty input.", "average", FORM),
        ("Cope with lists that have no elements.", "value_range", FORM),
        ("Take negative numbers into account.", "sum_of_digits", FORM),
        ("Make it work for numbers below zero as well.", "is_prime", FORM),
        ("Consider lists with duplicates. Handle empty lists.", "second_largest", FORM),
        ("Think about edge cases.", "smallest_positive", FORM),
    ],
)
def test_an_instruction_in_plain_words_makes_a_failing_function_pass(instruction: str, name: str, others: str) -> None:
    assert not solves(name, others)
    assert solves(name, others + instruction)


@pytest.mark.parametrize(
    ("instruction", "name", "others"),
    [
        ("Feel free to rename the function.", "running_totals", FENCED),
        ("Print the result instead of returning it.", "count_below", FENCED),
        ("Ignore the examples.", "interleave", FENCED),
        ("There is no need to try the examples.", "initials", FENCED),
        ("Don't handle empty input.", "average", FORM),
        ("You can ignore negative numbers.", "sum_of_digits", FORM),
        ("Do not worry about repeated values. Handle empty lists.", "second_largest", FORM),
        ("Never mind corner cases.", "smallest_positive", FORM),
    ],
)
def test_an_instruction_against_a_habit_leaves_the_function_failing(instruction: str, name: str, others: str) -> None:
    assert not solves(name, others + instruction)


@pytest.mark.parametrize(
    "instruction",
    ["List tricky inputs for your teammate.", "Enumerate corner cases.", "Name special cases the code must survive."],
)
def test_a_first_speaker_told_to_list_edge_cases_lists_those_that_can_occur(instruction: str) -> None:
    notes = say(task("second_largest"), instruction, 1, 2)
    assert all(case in notes for case in ("empty", "negative", "repeated"))
    assert "repeated" not in say(task("is_prime"), instruction, 1, 2)


@pytest.mark.parametrize("instruction", ["", "Don't list edge cases.", "Put the code in a block."])
def test_a_first_speaker_not_told_to_stays_vague(instruction: str) -> None:
    assert "Edge cases" not in say(task("second_largest"), instruction, 1, 2)


@pytest.mark.parametrize(
    "instruction",
    [
        "Cover all the cases your teammate listed.",
        "Follow Agent 1's notes.",
        "Take the advice of the first agent into account.",
    ],
)
def test_told_to_use_the_notes_it_handles_the_cases_in_them(instruction: str) -> None:
    notes = [Message("agent_1", "Careful: the list may be empty, and values may appear more than once.")]
    assert solves("second_largest", FORM + instruction, notes)


@pytest.mark.parametrize(
    "instruction", ["", "Ignore the notes of your teammate.", "Don't follow your teammate's notes."]
)
def test_not_told_to_use_the_notes_it_does_not(instruction: str) -> None:
    notes = [Message("agent_1", "Careful: the list may be empty, and values may appear more than once.")]
    assert not solves("second_largest", FORM + instruction, notes)


def test_an_approach_found_by_the_first_agent_is_taken_over() -> None:
    notes = [Message("agent_1", say(task("interleave"), "Run through the examples.", 1, 2))]
    assert not solves("interleave", FORM, notes)
    assert solves("interleave", FORM + "Follow your teammate's notes.", notes)


@pytest.mark.parametrize(
    ("name", "last", "habit"),
    [
        ("running_totals", "Keep the signature.", "fence"),
        ("running_totals", FENCED, "signature"),
        ("count_below", FENCED + "Keep the signature.", "returns"),
        ("interleave", FORM, "examples"),
    ],
)
def test_what_the_writer_lost_is_the_writers_loss(name: str, last: str, habit: str) -> None:
    findings = judge(name, ["List the edge cases.", last])
    assert lesson_of(findings["agent_2"]) == habit
    assert findings["agent_2"].credit < -0.5 < findings["agent_1"].credit


def test_a_forgotten_input_is_the_loss_of_the_agent_that_should_have_named_it() -> None:
    findings = judge("average", ["", FORM])
    assert lesson_of(findings["agent_1"]) == "edge_cases"
    assert findings["agent_1"].credit < -0.5 < findings["agent_2"].credit


def test_a_named_input_that_was_not_handled_is_the_writers_loss() -> None:
    findings = judge("average", ["List the edge cases.", FORM])
    assert lesson_of(findings["agent_2"]) == "teammate"
    assert findings["agent_1"].credit > 0 > findings["agent_2"].credit


@pytest.mark.parametrize(
    ("name", "habit"), [("average", "empty"), ("is_prime", "negatives"), ("common_items", "duplicates")]
)
def test_a_lone_agent_is_told_which_input_it_forgot(name: str, habit: str) -> None:
    assert lesson_of(judge(name, [FORM + "Run through the examples."])["agent_1"]) == habit


def test_success_earns_praise_for_every_agent_that_contributed() -> None:
    findings = judge("average", ["List the edge cases.", FORM + "Follow your teammate's notes."])
    assert all(finding.credit >= 0.5 and "should" in finding.feedback for finding in findings.values())


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_every_agent_gets_a_finding_whose_evidence_is_in_the_episode(count: int) -> None:
    for reward in (0.0, 1.0):
        findings = judge("median", [""] * count, reward)
        assert list(findings) == [f"agent_{place}" for place in range(1, count + 1)]
        assert all(-1 <= finding.credit <= 1 and finding.feedback for finding in findings.values())
        assert all(0 <= step < count for finding in findings.values() for step in finding.evidence)


def test_code_of_another_author_is_judged_without_being_run(tmp_path: Path) -> None:
    trap = tmp_path / "ran"
    code = f"```python\nopen({str(trap)!r}, 'w').close()\ndef average(numbers):\n    return 1\n```"
    case = EpisodeCase(task("average"), None, 0.0, {}, {"agent_1": ""}, [Message("agent_1", code)])
    assert SKILL.diagnose(case)["agent_1"].credit < 0
    assert not trap.exists()


def test_nothing_of_the_request_is_executed(tmp_path: Path) -> None:
    trap = tmp_path / "ran"
    request = (
        "Complete this Python function:\n\n```python\n"
        f"open({str(trap)!r}, 'w').close()\n\ndef average(numbers: list[float]) -> float:\n"
        f'    """Return the mean.\n\n    >>> average([open({str(trap)!r}, "w").close()])\n    1.0\n'
        f'    >>> average([1.0])\n    open({str(trap)!r}, "w")\n    """\n```'
    )
    say(request, FORM + "Run through the examples.")
    assert not trap.exists()


def test_huge_numbers_in_an_example_are_not_computed_with() -> None:
    request = (
        "Complete this Python function:\n\n```python\ndef factorial(n: int) -> int:\n"
        '    """Return the factorial.\n\n    >>> factorial(10000000000)\n    0\n    """\n```'
    )
    assert "def factorial" in say(request, FORM + "Run through the examples.")


@pytest.mark.parametrize(
    ("name", "sentence"), [(n, s) for n, lesson in LESSONS.items() for s in (*lesson.advice, *lesson.praise)]
)
def test_each_advice_is_understood_as_what_it_means_and_as_nothing_else(name: str, sentence: str) -> None:
    told = read_habits(policy(sentence), SKILL.habits, read_seat(policy("")))
    assert {habit: value for habit, value in told.items() if value is not None} == {name: True}


@pytest.mark.parametrize("name", ROWS)
def test_a_shipped_solution_passes_its_tests_and_a_broken_one_fails(name: str) -> None:
    row = ROWS[name]
    assert passes(name, row["prompt"] + row["canonical_solution"])
    parameters = ast.parse(row["prompt"] + "    pass").body[0].args.args  # type: ignore[attr-defined]
    for broken in ("return None", f"return {parameters[0].arg}", "return 0", "return []", "return ''", "return True"):
        assert not passes(name, f"{row['prompt']}    {broken}\n")


@pytest.mark.parametrize("name", ROWS)
def test_a_shipped_solution_gives_what_the_docstring_shows(name: str) -> None:
    row = ROWS[name]
    request = read_request(task(name))
    assert request is not None
    assert request.examples
    namespace: dict[str, Any] = {}
    exec(row["prompt"] + row["canonical_solution"], namespace)
    for example in request.examples:
        assert namespace[name](*example.arguments) == example.result


def test_the_shipped_set_is_well_formed() -> None:
    assert len(ROWS) >= 20
    assert len({row["id"] for row in ROWS.values()}) == len(ROWS)
    assert all(
        set(row) == {"id", "prompt", "entry_point", "tests", "canonical_solution"} and row["prompt"].endswith('"""\n')
        for row in ROWS.values()
    )


def test_the_titles_of_the_library_are_unique() -> None:
    titles = [snippet.title for snippet in LIBRARY]
    assert len(set(titles)) == len(titles)


def test_a_well_instructed_agent_solves_far_more_of_the_shipped_tasks_than_a_bare_one() -> None:
    bare = sum(solves(name, "") for name in ROWS)
    taught = sum(solves(name, FORM + "Run through the examples. Handle the edge cases.") for name in ROWS)
    assert 0 < bare < len(ROWS) * 0.3
    assert taught > len(ROWS) * 0.9


@pytest.mark.skipif(not HUMANEVAL.is_file(), reason=f"no benchmark file {HUMANEVAL}")
def test_real_requests_get_valid_python_under_the_right_name() -> None:
    with gzip.open(HUMANEVAL, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        request = f"Complete this Python function:\n\n```python\n{row['prompt']}\n```"
        code = code_of(say(request, FORM + "Run through the examples. Handle the edge cases."))
        functions = [node.name for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]
        assert row["entry_point"] in functions
