"""Rectangles, squares and triangles."""

from __future__ import annotations

from collections.abc import Callable

from langmarl.llm.offline.tasks.math.families.pattern import find, value
from langmarl.llm.offline.tasks.math.plan import Plan, Quantity, Step
from langmarl.llm.offline.tasks.math.statement import asked_unit
from langmarl.llm.offline.tasks.math.units import unit_named


def _rectangle(text: str) -> Plan | None:
    sides = find(r"rectang.*?# ?~ long.*?# ?~ (?:wide|broad)", text) or find(
        r"rectang.*?length.*?# ?~.*?width.*?# ?~", text
    )
    if sides is None:
        return None
    into = asked_unit(text) or unit_named(sides.group(2))
    givens = (
        Quantity("length", value(sides, 1), unit_named(sides.group(2)), into),
        Quantity("width", value(sides, 3), unit_named(sides.group(4)), into),
    )
    if find(r"\barea\b", text):
        return Plan(givens, (Step("the area", "{length} * {width}"),))
    half = Step("half the way round", "{length} + {width}")
    return Plan(givens, (half, Step("the perimeter", "2 * {half the way round}")))


def _rectangle_from_area(text: str) -> Plan | None:
    found = find(r"rectang.*?area of # .*?# ?~ (?:long|wide).*?perimeter", text)
    if found is None or not value(found, 2):
        return None
    givens = (Quantity("area", value(found, 1)), Quantity("length", value(found, 2)))
    width = Step("the width", "{area} / {length}")
    return Plan(givens, (width, Step("the perimeter", "2 * ({length} + {the width})")))


def _square(text: str) -> Plan | None:
    around = find(r"perimeter of a square is # ?~.*?\barea\b", text)
    if around is not None:
        side = Step("the side", "{perimeter} / 4")
        return Plan((Quantity("perimeter", value(around, 1)),), (side, Step("the area", "{the side} * {the side}")))
    inside = find(r"area of a square is # .*?\bperimeter\b", text)
    if inside is None:
        return None
    side = Step("the side", "sqrt({area})")
    return Plan((Quantity("area", value(inside, 1)),), (side, Step("the perimeter", "4 * {the side}")))


def _triangle(text: str) -> Plan | None:
    found = find(r"triangle.*?base.*?# ?~.*?height.*?# ?~.*?\barea\b", text)
    if found is None:
        return None
    givens = (Quantity("base", value(found, 1)), Quantity("height", value(found, 3)))
    return Plan(givens, (Step("the area", "{base} * {height} / 2"),))


SHAPES: tuple[Callable[[str], Plan | None], ...] = (_rectangle, _rectangle_from_area, _square, _triangle)
"""Readers of this family."""
