"""Which want of care explains a wrong value? Wrong answers are reproduced, not guessed at."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from langmarl.llm.offline.tasks.math.arithmetic import Unreadable
from langmarl.llm.offline.tasks.math.care import FULL, KINDS, Care
from langmarl.llm.offline.tasks.math.families import read_problem
from langmarl.llm.offline.tasks.math.numerals import rounded
from langmarl.llm.offline.tasks.math.plan import Working, carry_out

_MOST_MISTAKES = 3
_BLAME = ("units", "precedence", "small_cases", "check", "finish", "exact")


@lru_cache(maxsize=1024)
def right_working(task: str, reference: Fraction) -> Working | None:
    """The working that leads to ``reference``; None where the critic cannot solve the problem itself."""
    plan = read_problem(task)
    if plan is None:
        return None
    try:
        working = carry_out(plan, FULL)
    except Unreadable:
        return None
    return working if working.result == reference else None


@lru_cache(maxsize=4096)
def explain_step(task: str, step: str, stated: Fraction) -> tuple[str, ...]:
    """The fewest kinds of care whose absence makes ``step`` come out as ``stated``, the weightiest first."""
    for missing in _by_size():
        if _values_without(task, missing).get(step) == stated:
            return tuple(name for name in _BLAME if name in missing)
    return ()


@lru_cache(maxsize=4096)
def explain_answer(task: str, stated: Fraction) -> tuple[str, ...]:
    """The fewest kinds of care whose absence gives ``stated`` as the answer; empty where no such mistake does."""
    for missing in _by_size():
        values = list(_values_without(task, missing).values())
        ends = values[:-1] if "finish" in missing else values[-1:]
        if stated in ends or ("exact" in missing and stated in [rounded(value) for value in ends]):
            return tuple(name for name in _BLAME if name in missing)
    return ()


def _by_size() -> Iterator[frozenset[str]]:
    for size in range(1, _MOST_MISTAKES + 1):
        for missing in combinations(KINDS, size):
            yield frozenset(missing)


@lru_cache(maxsize=8192)
def _values_without(task: str, missing: frozenset[str]) -> dict[str, Fraction]:
    """What each step gives for someone who lacks ``missing``; empty where the problem cannot be worked out."""
    plan = read_problem(task)
    if plan is None:
        return {}
    try:
        lines = carry_out(plan, Care.named(frozenset(KINDS) - missing)).lines
    except Unreadable:
        return {}
    return {line.name: line.value for line in lines}
