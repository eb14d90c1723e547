"""A problem understood: its quantities, the steps to the answer, and the carrying out of those steps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from langmarl.llm.offline.tasks.math.arithmetic import evaluate
from langmarl.llm.offline.tasks.math.care import Care
from langmarl.llm.offline.tasks.math.numerals import plain, rounded
from langmarl.llm.offline.tasks.math.units import convert

_NAME = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number that the problem gives.

    Attributes:
        name: What it is, for example ``speed``.
        value: In ``unit``.
        unit: As written in the problem; empty for a bare number.
        into: The unit that the steps need; empty where the given one will do.
    """

    name: str
    value: Fraction
    unit: str = ""
    into: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a calculation.

    Attributes:
        name: What it gives, for example ``distance``.
        expression: Over ``{names}`` of quantities and earlier steps; see ``arithmetic.evaluate``.
        hasty: What someone writes who has not tried the rule on a small case; None where the two do not differ.
    """

    name: str
    expression: str
    hasty: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """How to solve one problem; the last step is what the question asks for.

    Attributes:
        quantities: What is given.
        steps: In order; at least one.
        story: Whether the problem tells a story (a bare exercise does not).
        as_fraction: Whether the answer is a fraction even where a short decimal exists.
    """

    quantities: tuple[Quantity, ...]
    steps: tuple[Step, ...]
    story: bool = True
    as_fraction: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One step as carried out.

    Attributes:
        name: Of the step.
        expression: With the numbers put in.
        value: What came out.
    """

    name: str
    expression: str
    value: Fraction


@dataclass(slots=True)
class Working:
    """The carrying out of a plan, as far as it went.

    Attributes:
        givens: The quantities by name, as they entered the calculation.
        lines: The steps done, in order.
    """

    givens: dict[str, Fraction] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)

    @property
    def result(self) -> Fraction | None:
        """The value of the last step done."""
        return self.lines[-1].value if self.lines else None


def carry_out(
    plan: Plan, care: Care, *, taken: Mapping[str, Fraction] | None = None, steps: int | None = None
) -> Working:
    """Work through ``plan``.

    Args:
        plan: What to do.
        care: How carefully.
        taken: Quantities and results of steps, by name, that somebody else has put down; taken over as they are.
        steps: Stop after so many; None for all.

    Raises:
        Unreadable: A step cannot be worked out (a division by zero, say).
    """
    taken = taken or {}
    working = Working({item.name: taken.get(item.name, _given(item, care)) for item in plan.quantities})
    values = dict(working.givens)
    for step in plan.steps[: len(plan.steps) if steps is None else steps]:
        expression = fill_in(step.expression if care.small_cases or step.hasty is None else step.hasty, values)
        value = taken[step.name] if step.name in taken else _held(evaluate(expression, care), care)
        values[step.name] = value
        working.lines.append(Line(step.name, expression, value))
    return working


def fill_in(expression: str, values: Mapping[str, Fraction]) -> str:
    """``expression`` with every ``{name}`` replaced by its number, in brackets where it would be misread."""
    return _NAME.sub(lambda found: _operand(values[found.group(1)]), expression)


def _operand(value: Fraction) -> str:
    text = plain(value)
    return f"({text})" if "/" in text or value < 0 else text


def _given(quantity: Quantity, care: Care) -> Fraction:
    if not care.units or not quantity.into:
        return quantity.value
    return _held(convert(quantity.value, quantity.unit, quantity.into), care)


def _held(value: Fraction, care: Care) -> Fraction:
    return value if care.exact else rounded(value)
