"""Working as agents write it down for one another, and reading it back."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from langmarl.llm.offline.tasks.math.arithmetic import Unreadable, evaluate
from langmarl.llm.offline.tasks.math.care import Care
from langmarl.llm.offline.tasks.math.numerals import boxed, number, numbers_in, plain, plain_fractions
from langmarl.llm.offline.tasks.math.plan import Plan, Quantity, Working

_STEP = re.compile(r"^\s*Step \d+: (?P<name>.+?) = (?P<rest>.+?)\.?\s*$", re.MULTILINE)
_QUANTITIES = re.compile(r"^\s*Quantities: (.+)$", re.MULTILINE)
_SHOWN = str.maketrans({"*": "\u00d7", "/": "\u00f7"})
_READ = str.maketrans({"\u00d7": "*", "\u00f7": "/", "\u2212": "-"})
ROUNDING = Fraction(1, 100)
"""How far a value may be off through rounding to two decimals alone."""
_FRACTION = re.compile(r"\((\d+)/(\d+)\)")


def write_working(plan: Plan, working: Working, care: Care) -> str:
    """The quantities, as they were used, and the steps done, one a line."""
    lines = []
    if plan.quantities:
        givens = [_given(item, working.givens[item.name], care) for item in plan.quantities]
        lines.append(f"Quantities: {'; '.join(givens)}.")
    for place, line in enumerate(working.lines, start=1):
        lines.append(f"Step {place}: {line.name} = {show(line.expression)} = {plain(line.value)}.")
    return "\n".join(lines)


def show(expression: str) -> str:
    """``expression`` with the usual signs; fractions in brackets keep their stroke."""
    kept = _FRACTION.sub(r"(\1\\\2)", expression).translate(_SHOWN)
    return kept.replace("\\", "/")


def _given(quantity: Quantity, used: Fraction, care: Care) -> str:
    written = f"{quantity.name} = {plain(quantity.value)} {quantity.unit}".strip()
    if care.units and quantity.into and quantity.into != quantity.unit:
        return f"{written} = {plain(used)} {quantity.into}"
    return written


@dataclass(slots=True)
class Reported:
    """What a message reports.

    Attributes:
        givens: The quantities by name, as the message uses them (after conversion, where it converts).
        values: The results of named steps.
        expressions: The arithmetic shown for them, by the same names.
        result: The last result stated, or the boxed one; None where the message states none.
    """

    givens: dict[str, Fraction] = field(default_factory=dict)
    values: dict[str, Fraction] = field(default_factory=dict)
    expressions: dict[str, str] = field(default_factory=dict)
    result: Fraction | None = None


def read_working(message: str) -> Reported | None:
    """What ``message`` reports, or None where it shows no calculation at all."""
    reported = Reported(givens=_read_givens(message))
    for found in _STEP.finditer(message):
        shown, _, stated = found.group("rest").rpartition(" = ")
        values = numbers_in(stated)
        if values:
            reported.values[found.group("name")] = values[-1]
            reported.expressions[found.group("name")] = shown.translate(_READ)
            reported.result = values[-1]
    final = boxed(message)
    if final is not None:
        reported.result = next(reversed(numbers_in(final)), reported.result)
    elif reported.result is None:
        equations = re.findall(r"=\s*([^=\n]+)", message)
        stated_last = [values[-1] for text in equations if (values := numbers_in(text[:40]))]
        reported.result = stated_last[-1] if stated_last else None
    return reported if reported.result is not None else None


def _read_givens(message: str) -> dict[str, Fraction]:
    found = _QUANTITIES.search(message)
    if found is None:
        return {}
    givens = {}
    for item in found.group(1).rstrip(".").split("; "):
        name, _, rest = item.partition(" = ")
        values = numbers_in(rest)
        if values:
            givens[name] = values[-1]
    return givens


def recalculated(reported: Reported, care: Care) -> dict[str, Fraction]:
    """The values of ``reported`` worked out anew from the arithmetic shown, up to the first one that was wrong.

    What was built on a wrong value is left out: it has to be found again.
    """
    values: dict[str, Fraction] = {}
    for name, stated in reported.values.items():
        try:
            values[name] = evaluate(reported.expressions[name], care)
        except Unreadable:
            values[name] = stated
        if abs(values[name] - stated) > ROUNDING:
            break
    return values


def stated_values(text: str) -> set[Fraction]:
    """Every number that ``text`` mentions."""
    return set(numbers_in(text))


def reference_value(reference: str | None) -> Fraction | None:
    r"""The number that a reference answer such as ``\frac{3}{4}`` stands for; None where it is not a number."""
    if reference is None:
        return None
    text = plain_fractions(boxed(reference) or reference).strip().strip("$").removesuffix("\\%").removesuffix("%")
    try:
        return number(text)
    except ValueError:
        return None
