"""Lists of numbers and whole numbers: mean, median, range, divisors, multiples, remainders."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from langmarl.llm.offline.tasks.math.families.pattern import find, list_of_numbers, value
from langmarl.llm.offline.tasks.math.plan import Plan, Quantity, Step

_LIST = r"((?:-?\d[\d.]*(?:, and |, | and )){1,}-?\d[\d.]*)"


def _joined(values: list[Fraction]) -> str:
    return ", ".join(str(item) if item.denominator == 1 else str(float(item)) for item in values)


def _missing_from_mean(text: str) -> Plan | None:
    found = find(rf"(?:mean|average) of #(?: \w+)? (?:numbers|scores|values).{{0,12}}? is #\..*?{_LIST}", text)
    if found is None:
        return None
    known = list_of_numbers(found.group(3))
    if len(known) != value(found, 1) - 1:
        return None
    givens = (Quantity("count", value(found, 1)), Quantity("mean", value(found, 2)))
    steps = (
        Step("the sum of all", "{count} * {mean}"),
        Step("the missing number", f"{{the sum of all}} - sum({_joined(known)})"),
    )
    return Plan(givens, steps)


def _mean(text: str) -> Plan | None:
    found = find(rf"(?:mean|average) of (?:the numbers )?{_LIST}", text)
    if found is None:
        return None
    values = list_of_numbers(found.group(1))
    return Plan((), (Step("the mean", f"sum({_joined(values)}) / {len(values)}"),), story=False, as_fraction=True)


def _median_or_range(text: str) -> Plan | None:
    found = find(rf"(median|range) of (?:the numbers )?{_LIST}", text)
    if found is None:
        return None
    listed = _joined(list_of_numbers(found.group(2)))
    if found.group(1).lower() == "median":
        return Plan((), (Step("the median", f"median({listed})"),), story=False)
    return Plan((), (Step("the range", f"max({listed}) - min({listed})"),), story=False)


def _divisor_or_multiple(text: str) -> Plan | None:
    common = (
        r"(greatest common (?:divisor|factor)|highest common factor|gcd"
        r"|least common multiple|lowest common multiple|lcm)"
    )
    found = find(common + r"(?: of)? \(?#(?:,| and|, and) #", text)
    if found is None:
        return None
    name = found.group(1).lower()
    function = "lcm" if name.endswith("multiple") or name == "lcm" else "gcd"
    step = Step(f"the {name}", f"{function}({found.group(2)}, {found.group(3)})")
    return Plan((), (step,), story=False)


def _meeting_again(text: str) -> Plan | None:
    found = find(r"every # ~.*?every # ~.*?\b(?:together|same time|at once)\b", text)
    if found is None:
        return None
    givens = (Quantity("first period", value(found, 1)), Quantity("second period", value(found, 3)))
    return Plan(givens, (Step("the time until then", "lcm({first period}, {second period})"),))


def _equal_pieces(text: str) -> Plan | None:
    found = find(r"# ?(?:~ )?and # ?(?:~)? .*?cut into .*?as long as possible", text)
    if found is None:
        return None
    givens = (
        Quantity("first length", value(found, 1), found.group(2) or ""),
        Quantity("second length", value(found, 3)),
    )
    longest = Step("the longest piece", "gcd({first length}, {second length})")
    count = Step("the number of pieces", "({first length} + {second length}) / {the longest piece}")
    asks_for_count = find(r"how many pieces", text) is not None
    return Plan(givens, (longest, count) if asks_for_count else (longest,))


def _remainder(text: str) -> Plan | None:
    found = find(r"remainder when # is divided by #", text) or find(
        r"remainder (?:of|when dividing) # (?:divided )?by #", text
    )
    if found is None or not value(found, 2):
        return None
    return Plan((), (Step("the remainder", f"remainder({found.group(1)}, {found.group(2)})"),), story=False)


def _left_over(text: str) -> Plan | None:
    found = find(
        r"# (\w+) (?:\w+ ){0,4}(?:of|by) #.*?how many \2 (?:are|remain|is|will be) (?:left|over|left over)", text
    )
    if found is None or not value(found, 3):
        return None
    givens = (Quantity(found.group(2), value(found, 1)), Quantity("a full group", value(found, 3)))
    full = Step("the full groups", f"floor({{{found.group(2)}}} / {{a full group}})")
    rest = Step("what is left over", f"{{{found.group(2)}}} - {{the full groups}} * {{a full group}}")
    return Plan(givens, (full, rest))


def _groups_needed(text: str) -> Plan | None:
    found = find(
        r"(?:carry|hold|holds|take|takes|seat|seats) # \w+.*?\b# \w+.*?how many (\w+) (?:are|will be|does|do)\b.*?need",
        text,
    )
    if found is None or not value(found, 1):
        return None
    givens = (Quantity("a full load", value(found, 1)), Quantity("the total", value(found, 2)))
    needed = Step(
        f"the {found.group(3)} needed", "ceil({the total} / {a full load})", hasty="floor({the total} / {a full load})"
    )
    return Plan(givens, (needed,))


NUMBERS: tuple[Callable[[str], Plan | None], ...] = (
    _missing_from_mean,
    _mean,
    _median_or_range,
    _divisor_or_multiple,
    _meeting_again,
    _equal_pieces,
    _remainder,
    _left_over,
    _groups_needed,
)
"""Readers of this family."""
