"""Mathematics by the offline model: what instructions change, who gets the blame, and the shipped problems."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from langmarl.llm.offline.instructions import read_habits
from langmarl.llm.offline.seat import read_seat
from langmarl.llm.offline.tasks.math import MathSkill
from langmarl.llm.offline.tasks.math.care import FULL, KINDS, Care
from langmarl.llm.offline.tasks.math.families import read_problem
from langmarl.llm.offline.tasks.math.lessons import LESSONS
from langmarl.llm.offline.tasks.math.numerals import boxed, numbers_in, plain_fractions
from langmarl.llm.offline.tasks.math.plan import carry_out
from langmarl.llm.offline.tasks.skill import EpisodeCase, Finding, Message
from tests.llm.offline.math_answers import CALCULATIONS, calculated

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "langmarl/envs/language/data/math.jsonl"
SHARED = Path(os.environ.get("LANGMARL_SHARED_DATA") or ROOT.parent / "shared/data")
ROWS = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
SKILL = MathSkill()

SPEED = "Problem: A cyclist rides at 18 km/h for 40 minutes. How many kilometres does she ride?"
SALE = "Problem: A coat costs $80 and its price is reduced by 15%. What is the sale price in dollars?"
EXPRESSION = "Problem: Evaluate 6 + 4 × 5."
EQUATION = "Problem: Solve 6x + 5 = 9 for x."
CARRY = "Problem: Calculate 37 + 48."
HANDSHAKES = "Problem: Eight people each shake hands once with every other. How many handshakes are there?"


def policy(instructions: str, position: int = 1, of: int = 1) -> str:
    base = f"You are Agent {position} of {of}, in a team that solves mathematical problems."
    return f"{base}\n\n# Learned instructions\n{instructions}" if instructions else base


def say(task: str, instructions: str, position: int = 1, of: int = 1, earlier: list[Message] | None = None) -> str:
    text = policy(instructions, position, of)
    seat = read_seat(text)
    return SKILL.act(task, list(earlier or []), seat, read_habits(text, SKILL.habits, seat))


def answer(message: str) -> Fraction:
    return numbers_in(boxed(message) or "")[-1]


def play(task: str, policies: list[str]) -> list[Message]:
    messages: list[Message] = []
    for place, instructions in enumerate(policies, start=1):
        messages.append(Message(f"agent_{place}", say(task, instructions, place, len(policies), messages)))
    return messages


def judge(task: str, reference: str, policies: list[str], reward: float = 0.0) -> dict[str, Finding]:
    messages = play(task, policies)
    texts = {f"agent_{place}": policy(text, place, len(policies)) for place, text in enumerate(policies, start=1)}
    return SKILL.diagnose(EpisodeCase(task, reference, reward, {}, texts, messages))


def lesson_of(finding: Finding) -> str | None:
    """The habit whose advice the feedback holds."""
    return next(
        (name for name, lesson in LESSONS.items() if any(text in finding.feedback for text in lesson.advice)), None
    )


BOXED = "Put the answer in a box. "


@pytest.mark.parametrize(
    "instruction",
    [
        "Put your final answer in \\boxed{}.",
        "Wrap the answer in a box so nobody can miss it.",
        "Your last line should contain nothing but the answer.",
        "End your message with only the final number.",
        "Highlight the final answer clearly at the end.",
    ],
)
def test_told_to_set_the_answer_apart_it_boxes_it(instruction: str) -> None:
    assert boxed(say(SPEED, instruction)) is not None


@pytest.mark.parametrize(
    "instruction",
    [
        "",
        "Be polite.",
        "Please don't box anything.",
        "It is forbidden to box the result.",
        "Give the answer in a sentence.",
    ],
)
def test_not_told_to_set_the_answer_apart_it_buries_it_among_other_numbers(instruction: str) -> None:
    message = say(SPEED, instruction)
    assert boxed(message) is None
    assert len(set(numbers_in(message))) > 1


@pytest.mark.parametrize(
    ("instruction", "task", "right"),
    [
        (
            "Make sure all measurements are in the same units before you do any maths.",
            "How many centimetres are there in 3.4 metres?",
            "340",
        ),
        (
            "Watch out for mixed units, e.g. minutes and hours, and convert them.",
            "A film lasts 2 hours and 15 minutes. How many minutes is that?",
            "135",
        ),
        ("Remember BODMAS.", EXPRESSION, "26"),
        ("Do multiplications before additions.", EXPRESSION, "26"),
        ("Products and quotients first, then sums.", EXPRESSION, "26"),
        ("Never round; give fractions in lowest terms.", EQUATION, "2/3"),
        ("Avoid decimals.", EQUATION, "2/3"),
        ("Reduce fractions as far as possible.", EQUATION, "2/3"),
        ("Double-check your arithmetic.", CARRY, "85"),
        ("Do each sum twice.", CARRY, "85"),
        ("Never lose a carry.", CARRY, "85"),
        ("Try out the formula on a few small cases.", HANDSHAKES, "28"),
        ("Avoid double counting.", HANDSHAKES, "28"),
        ("Show your working and keep going until you have what the question asks for. Check every sum.", SALE, "68"),
        ("Solve it step by step, recompute everything, and answer the actual question.", SALE, "68"),
    ],
)  # fmt: skip
def test_an_instruction_in_plain_words_makes_a_wrong_answer_right(instruction: str, task: str, right: str) -> None:
    assert answer(say(task, BOXED)) != Fraction(right)
    assert answer(say(task, BOXED + instruction)) == Fraction(right)


@pytest.mark.parametrize(
    ("instruction", "task", "right"),
    [
        (
            "Unit conversion is unnecessary.",
            "How many centimetres are there in 3.4 metres?",
            "340",
        ),
        ("Just work from left to right.", EXPRESSION, "26"),
        ("Round everything to two decimal places.", EQUATION, "2/3"),
        ("Don't waste time checking the arithmetic.", CARRY, "85"),
        ("Don't waste time on small cases.", HANDSHAKES, "28"),
        ("Do it in your head. Check every sum. Answer what the question asks for.", SALE, "68"),
    ],
)
def test_an_instruction_against_a_habit_leaves_the_mistake_in(instruction: str, task: str, right: str) -> None:
    assert answer(say(task, BOXED + instruction)) != Fraction(right)


@pytest.mark.parametrize(
    "instruction",
    [
        "Write down all the quantities given in the problem and your intermediate steps.",
        "Be concrete: list the numbers and compute each step.",
        "Spell out your reasoning in numbered steps.",
        "Don't be vague.",
    ],
)
def test_a_first_speaker_told_to_write_it_out_leaves_numbers(instruction: str) -> None:
    assert "Step 1" in say(SPEED, instruction, 1, 2)


@pytest.mark.parametrize(
    "instruction", ["", "Don't show any working. Convert all units.", "Do not write out the steps."]
)
def test_a_first_speaker_not_told_to_write_it_out_leaves_none(instruction: str) -> None:
    assert numbers_in(say(SPEED, instruction, 1, 2)) == []


def working() -> list[Message]:
    return [Message("agent_1", say(SPEED, "Write out the steps, convert units and keep fractions exact.", 1, 2))]


@pytest.mark.parametrize(
    "instruction",
    [
        "Build on what Agent 1 has already worked out.",
        "Use your teammate's results.",
        "Trust the numbers of your colleague and carry on from there.",
        "Start where your teammate left off.",
    ],
)
def test_told_to_use_the_teammate_it_takes_over_the_result(instruction: str) -> None:
    assert answer(say(SPEED, BOXED + instruction, 2, 2, working())) == 12


@pytest.mark.parametrize(
    "instruction", ["", "Ignore what your teammate wrote and start from scratch.", "Do not rely on your teammate."]
)
def test_not_told_to_use_the_teammate_it_starts_again_and_gets_it_wrong(instruction: str) -> None:
    assert answer(say(SPEED, BOXED + instruction, 2, 2, working())) != 12


def test_a_last_speaker_finishes_what_the_first_began_only_when_told_to() -> None:
    begun = [Message("agent_1", say(SALE, "Write out the quantities and steps.", 1, 2))]
    use = BOXED + "Build on your teammate's working. Check the arithmetic. "
    assert answer(say(SALE, use, 2, 2, begun)) == 12
    assert answer(say(SALE, use + "Carry on to what the question asks for.", 2, 2, begun)) == 68


def test_a_teammates_slip_is_passed_on_unless_told_to_check() -> None:
    slip = [Message("agent_1", say(CARRY, "Write out the steps.", 1, 2))]
    use = BOXED + "Use your teammate's results. "
    assert answer(say(CARRY, use, 2, 2, slip)) == 75
    assert answer(say(CARRY, use + "Verify every calculation your teammate made.", 2, 2, slip)) == 85


def test_what_another_model_wrote_is_read_too() -> None:
    free = [Message("agent_1", "Distance = speed times time, so we get 18 * 2/3 = 12. I am confident: \\boxed{12}")]
    assert answer(say(SPEED, BOXED + "Rely on your teammate's result.", 2, 2, free)) == 12


def test_three_agents_hand_the_working_on() -> None:
    helper = "Write out the steps, convert units, keep fractions exact."
    messages = play(
        SPEED,
        [helper, "Continue from the previous message and show your working.", BOXED + "Use your teammates' results."],
    )
    assert answer(messages[-1].text) == 12


def test_an_answer_right_in_prose_but_not_boxed_is_the_last_agents_loss() -> None:
    findings = judge(
        SPEED, "12", ["Write out the steps, convert units, keep fractions exact.", "Use your teammate's results."]
    )
    assert lesson_of(findings["agent_2"]) == "box"
    assert findings["agent_2"].credit < -0.5
    assert findings["agent_1"].credit > 0


def test_a_vague_first_agent_is_told_to_write_out_its_working() -> None:
    findings = judge(SPEED, "12", ["", BOXED])
    assert lesson_of(findings["agent_1"]) == "workings"
    assert findings["agent_1"].credit < findings["agent_2"].credit


@pytest.mark.parametrize(
    ("task", "reference", "habit"),
    [
        ("Problem: A film lasts 2 hours and 15 minutes. How many minutes is that?", "135", "units"),
        (EXPRESSION, "26", "precedence"),
        (CARRY, "85", "check"),
        (HANDSHAKES, "28", "small_cases"),
    ],
)
def test_a_mistake_in_the_first_agents_working_is_traced_to_its_cause(task: str, reference: str, habit: str) -> None:
    findings = judge(task, reference, ["Write out every step.", BOXED + "Use your teammate's results."])
    assert lesson_of(findings["agent_1"]) == habit
    assert findings["agent_1"].credit < -0.5
    assert findings["agent_2"].credit > findings["agent_1"].credit


@pytest.mark.parametrize(
    ("last", "habit"),
    [(BOXED, "teammate"), (BOXED + "Use your teammate's results.", "finish")],
)
def test_a_last_agent_that_wastes_good_working_is_told_what_to_do_with_it(last: str, habit: str) -> None:
    findings = judge(SALE, "68", ["Write out the steps and check every sum.", last])
    if habit == "teammate":
        findings = judge(SPEED, "12", ["Write out the steps, convert units, keep fractions exact.", last])
    assert lesson_of(findings["agent_2"]) == habit
    assert findings["agent_1"].credit > 0 > findings["agent_2"].credit


def test_a_rounded_answer_is_the_last_agents_loss() -> None:
    findings = judge(
        EQUATION, "\\frac{2}{3}", ["Write out the steps, keep fractions exact.", BOXED + "Use your teammate's results."]
    )
    assert lesson_of(findings["agent_2"]) == "exact"


def test_success_earns_praise_for_every_agent_that_contributed() -> None:
    policies = ["Write out the steps, convert units, keep fractions exact.", BOXED + "Use your teammate's results."]
    findings = judge(SPEED, "12", policies, reward=1.0)
    assert all(finding.credit >= 0.5 and "should" in finding.feedback for finding in findings.values())


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_every_agent_gets_a_finding_whose_evidence_is_in_the_episode(count: int) -> None:
    findings = judge(SPEED, "12", [""] * count)
    assert list(findings) == [f"agent_{place}" for place in range(1, count + 1)]
    assert all(-1 <= finding.credit <= 1 and finding.feedback for finding in findings.values())
    assert all(0 <= step < count for finding in findings.values() for step in finding.evidence)


def test_a_lone_agent_learns_to_write_before_it_learns_to_finish() -> None:
    assert lesson_of(judge(SALE, "68", [BOXED + "Check every sum."])["agent_1"]) == "workings"
    written = judge(SALE, "68", [BOXED + "Check every sum. Show your working."])
    assert lesson_of(written["agent_1"]) == "finish"


def test_the_critics_words_never_hold_a_number() -> None:
    for row in ROWS:
        for policies in (["", ""], ["Write out every step.", BOXED]):
            for finding in judge(f"Problem: {row['problem']}", row["answer"], policies).values():
                assert not re.search(r"\d", finding.feedback)


@pytest.mark.parametrize(
    ("name", "sentence"), [(n, s) for n, lesson in LESSONS.items() for s in (*lesson.advice, *lesson.praise)]
)
def test_each_advice_is_understood_as_what_it_means_and_as_nothing_else(name: str, sentence: str) -> None:
    told = read_habits(policy(sentence), SKILL.habits, read_seat(policy("")))
    assert {habit: value for habit, value in told.items() if value is not None} == {name: True}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_a_shipped_answer_is_right_by_an_independent_calculation(row: dict[str, str]) -> None:
    assert Fraction(plain_fractions(row["answer"])) == calculated(row["id"])


def test_the_shipped_set_is_well_formed() -> None:
    assert len({row["id"] for row in ROWS}) == len(ROWS) >= 40
    assert len({row["problem"] for row in ROWS}) == len(ROWS)
    assert all(set(row) == {"id", "problem", "answer"} for row in ROWS)
    assert CALCULATIONS.keys() == {row["id"] for row in ROWS}


def test_a_careful_solver_gets_every_shipped_problem_right() -> None:
    for row in ROWS:
        plan = read_problem(f"Problem: {row['problem']}")
        assert plan is not None
        assert carry_out(plan, FULL).result == Fraction(plain_fractions(row["answer"])), row["problem"]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "finish"])
def test_each_kind_of_care_decides_some_of_the_shipped_problems(kind: str) -> None:
    careless = Care.named(frozenset(KINDS) - {kind})
    lost = 0
    for row in ROWS:
        plan = read_problem(f"Problem: {row['problem']}")
        assert plan is not None
        lost += carry_out(plan, careless).result != Fraction(plain_fractions(row["answer"]))
    assert lost >= 5


def test_several_shipped_problems_need_more_than_one_step() -> None:
    plans = [read_problem(f"Problem: {row['problem']}") for row in ROWS]
    assert sum(plan is not None and len(plan.steps) > 1 for plan in plans) >= 12


def real_problems() -> Iterator[str]:
    for name, field in (("gsm8k/test_200.jsonl", "question"), ("math/math500.jsonl", "problem")):
        for line in (SHARED / name).read_text(encoding="utf-8").splitlines():
            yield f"Problem: {json.loads(line)[field]}"


@pytest.mark.skipif(not SHARED.is_dir(), reason=f"no benchmark files in {SHARED}")
def test_real_problems_get_an_attempt_and_a_verdict() -> None:
    attempts = 0
    for task in real_problems():
        messages = play(task, ["Write out every step.", BOXED + "Use your teammate's results."])
        attempts += boxed(messages[-1].text) is not None
        case = EpisodeCase(task, "\\sqrt{2}", 0.0, {}, {"agent_1": "", "agent_2": ""}, messages)
        assert all(finding.feedback for finding in SKILL.diagnose(case).values())
    assert attempts >= 500
