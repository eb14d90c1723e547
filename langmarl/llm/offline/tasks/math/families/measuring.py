"""Units, speeds and other rates."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from langmarl.llm.offline.tasks.math.families.pattern import find, value
from langmarl.llm.offline.tasks.math.plan import Plan, Quantity, Step
from langmarl.llm.offline.tasks.math.statement import asked_unit, measures
from langmarl.llm.offline.tasks.math.units import kind, unit_named

_SPEED = (
    r"# ?(km/h|kmh|kph|kilometres per hour|kilometres an hour|kilometers per hour|mph|miles per hour|miles an hour)"
)


def _meeting(text: str) -> Plan | None:
    found = find(r"# ?~ apart.*?towards? each other.*?# ?(?:km/h|mph)?.*? and # ?(?:km/h|mph)", text)
    if found is None or value(found, 3) + value(found, 4) == 0:
        return None
    givens = (
        Quantity("distance", value(found, 1), found.group(2)),
        Quantity("first speed", value(found, 3)),
        Quantity("second speed", value(found, 4)),
    )
    closing = Step("the speeds together", "{first speed} + {second speed}")
    return Plan(givens, (closing, Step("the time", "{distance} / {the speeds together}")))


def _distance(text: str) -> Plan | None:
    speed = find(_SPEED, text)
    if speed is None or find(r"\bhow (?:far|many (?:kilo|mile|km))", text) is None:
        return None
    times = [item for item in measures(text[speed.end() :]) if kind(item[1]) == "time"]
    if not times:
        return None
    givens = (Quantity("speed", value(speed, 1), speed.group(2)), *_times(times, "h"))
    return Plan(givens, (Step("the distance", f"{{speed}} * {_total(givens[1:])}"),))


def _speed(text: str) -> Plan | None:
    if find(r"(?:average )?speed", text) is None:
        return None
    found = measures(text)
    lengths = [item for item in found if kind(item[1]) == "length"]
    times = [item for item in found if kind(item[1]) == "time"]
    per_hour = find(r"in (?:km/h|kilometres per hour|kilometers per hour|mph|miles per hour)", text) is not None
    if len(lengths) != 1 or not times:
        return None
    givens = (Quantity("distance", *lengths[0]), *_times(times, "h" if per_hour else ""))
    return Plan(givens, (Step("the speed", f"{{distance}} / {_total(givens[1:])}"),))


def _pace(text: str) -> Plan | None:
    found = find(r"# ?~ in # ?~.*?how (?:far|many).*?in # ?~", text)
    if found is None or not value(found, 3):
        return None
    small = unit_named(found.group(4))
    givens = (
        Quantity("amount", value(found, 1), unit_named(found.group(2))),
        Quantity("its time", value(found, 3), small),
        Quantity("the new time", value(found, 5), unit_named(found.group(6)), small),
    )
    one = Step("the amount in one unit of time", "{amount} / {its time}")
    return Plan(givens, (one, Step("the new amount", f"{{{one.name}}} * {{the new time}}")))


def _rate(text: str) -> Plan | None:
    found = find(
        r"# ?(\w+) (?:a|an|per|every|each) (minute|hour|second|day|week)\b.*?(?:\bin|\bfor|\bduring) (?:a |the )?(.*)$",
        text,
    )
    if found is None:
        return None
    times = [item for item in measures(found.group(4)) if kind(item[1]) == "time"]
    if not times:
        return None
    per = unit_named(found.group(3))
    what = unit_named(found.group(2))
    wanted = asked_unit(text)
    into = wanted if kind(wanted) == kind(what) else ""
    givens = (Quantity("rate", value(found, 1), what, into), *_times(times, per))
    return Plan(givens, (Step("the amount", f"{{rate}} * {_total(givens[1:])}"),))


def _amount_for_many(text: str) -> Plan | None:
    found = find(r"(?:needs?|takes?|weighs?|contains?|holds?) # ?~.*?how many ~ .*?# \w+", text)
    if found is None:
        return None
    givens = (
        Quantity("one", value(found, 1), unit_named(found.group(2)), unit_named(found.group(3))),
        Quantity("how many", value(found, 4)),
    )
    return Plan(givens, (Step("the amount", "{one} * {how many}"),))


def _pieces(text: str) -> Plan | None:
    found = find(r"# ?~ long.*?cut into .*?# ?~.*?how many pieces", text)
    if found is None or not value(found, 3):
        return None
    small = unit_named(found.group(4))
    givens = (
        Quantity("whole", value(found, 1), unit_named(found.group(2)), small),
        Quantity("piece", value(found, 3), small),
    )
    return Plan(givens, (Step("the pieces", "{whole} / {piece}"),))


def _workers(text: str) -> Plan | None:
    found = find(r"# (workers|painters|machines|pumps|taps|people) .*?# ?~.*?\b# \2", text)
    if found is None or not value(found, 5):
        return None
    givens = (
        Quantity("those", value(found, 1)),
        Quantity("their time", value(found, 3)),
        Quantity("these", value(found, 5)),
    )
    work = Step("the work", "{those} * {their time}")
    return Plan(givens, (work, Step("the time", "{the work} / {these}")))


def _conversion(text: str) -> Plan | None:
    wanted = asked_unit(text)
    found = measures(text)
    if not wanted or not found or any(kind(unit) != kind(wanted) for _, unit in found):
        return None
    givens = _times(found, wanted)
    return Plan(givens, (Step(f"the number of {wanted}", _total(givens, brackets=False)),))


def _times(found: list[tuple[Fraction, str]], into: str) -> tuple[Quantity, ...]:
    return tuple(Quantity(f"{unit} given", amount, unit, into) for amount, unit in found)


def _total(givens: tuple[Quantity, ...], *, brackets: bool = True) -> str:
    joined = " + ".join(f"{{{item.name}}}" for item in givens)
    return f"({joined})" if brackets and len(givens) > 1 else joined


MEASURING: tuple[Callable[[str], Plan | None], ...] = (
    _meeting,
    _distance,
    _workers,
    _pace,
    _speed,
    _rate,
    _amount_for_many,
    _pieces,
    _conversion,
)
"""Readers of this family."""
