"""How an agent of the offline model does a mathematics problem, given what its policy tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from langmarl.llm.offline.choice import pick
from langmarl.llm.offline.seat import Seat
from langmarl.llm.offline.tasks.math.arithmetic import Unreadable
from langmarl.llm.offline.tasks.math.care import KINDS, Care
from langmarl.llm.offline.tasks.math.families import read_problem
from langmarl.llm.offline.tasks.math.numerals import latex, numbers_in, plain, rounded
from langmarl.llm.offline.tasks.math.plan import Plan, Working, carry_out
from langmarl.llm.offline.tasks.math.working import Reported, read_working, recalculated, write_working
from langmarl.llm.offline.tasks.skill import Message

_VAGUE = (
    "This one needs some thought. We should look at what the problem gives us, decide on a method and then apply it.",
    "Let us think about the problem first. I would find a suitable method, and the rest should follow from that.",
    "My suggestion: read the problem with care and choose a sensible way to solve it before calculating anything.",
)
_NODS = (
    "I agree with the approach so far. Let us go on like this.",
    "That sounds sensible to me. I have nothing to change.",
)
_NO_CALCULATION = "I see no calculation in this problem that I could carry out."


def act(task: str, earlier: Sequence[Message], seat: Seat, habits: Mapping[str, bool | None]) -> str:
    """The message of the agent in ``seat``: the team's answer from the last one, a contribution from the others."""
    if not seat.last and not _writes(seat, habits):
        return pick(_NODS if earlier else _VAGUE, task, seat.position)
    plan = read_problem(task)
    care = Care.from_habits(habits)
    reported = _latest_working(earlier) if habits.get("teammate") else None
    working = _work(plan, care, reported, writes=_writes(seat, habits)) if plan is not None else None
    result = working.result if working is not None else (reported.result if reported is not None else None)
    if plan is None or working is None or result is None:
        return _closing(task, plan, result, habits) if seat.last and result is not None else _NO_CALCULATION
    parts = [write_working(plan, working, care)] if _writes(seat, habits) else []
    if seat.last or habits.get("box"):
        parts.append(_closing(task, plan, result, habits))
    return "\n".join(part for part in parts if part)


def _writes(seat: Seat, habits: Mapping[str, bool | None]) -> bool:
    """Whether the agent puts its working on paper; one that does not speak last also does when told how to reckon."""
    told = habits.get("workings")
    if told is not None or seat.last:
        return told is True
    return any(habits.get(name) for name in (*KINDS, "box"))


def _latest_working(earlier: Sequence[Message]) -> Reported | None:
    for message in reversed(earlier):
        reported = read_working(message.text)
        if reported is not None:
            return reported
    return None


def _work(plan: Plan, care: Care, reported: Reported | None, *, writes: bool) -> Working | None:
    """Carry out ``plan``; without anything on paper only its first step fits into the head."""
    taken = _taken_over(plan, care, reported) if reported is not None else {}
    on_paper = writes or bool(taken)
    done = sum(step.name in taken for step in plan.steps)
    steps = len(plan.steps) if care.finish and on_paper else max(1, done)
    try:
        return carry_out(plan, care, taken=taken, steps=steps)
    except Unreadable:
        return None


def _taken_over(plan: Plan, care: Care, reported: Reported) -> dict[str, Fraction]:
    """What a teammate's message contributes; a message that names no step contributes its result as the answer."""
    if not reported.values and reported.result is not None:
        return {step.name: reported.result for step in plan.steps}
    return reported.givens | (recalculated(reported, care) if care.check else reported.values)


def _closing(task: str, plan: Plan | None, result: Fraction, habits: Mapping[str, bool | None]) -> str:
    """The sentence that gives the answer."""
    as_fraction = plan is not None and plan.as_fraction
    value = latex(result, as_fraction=as_fraction) if habits.get("exact") else plain(rounded(result))
    if habits.get("box"):
        return f"The answer is $\\boxed{{{value}}}$."
    shown = f"${value}$" if "\\" in value else value
    mentioned = [plain(number) for number in numbers_in(task)]
    if plan is None or not plan.story or not mentioned:
        return pick(("That comes to {}", "I get {}", "My result: {}"), task).format(shown)
    return pick(_REMARKS, task).format(shown, mentioned[0], mentioned[-1])


_REMARKS = (
    "I make it {0}, going by the {1} and the {2} in the problem.",
    "It should be {0} or so, seeing that the problem speaks of {1} and of {2}.",
    "I would say {0}; the numbers I looked at were {1} and {2}.",
)
