"""Bare exercises: arithmetic expressions, fractions to simplify, a percentage of a number."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from langmarl.llm.offline.tasks.math.arithmetic import Unreadable, evaluate
from langmarl.llm.offline.tasks.math.families.pattern import find, value
from langmarl.llm.offline.tasks.math.plan import Plan, Quantity, Step

_COMMAND = (
    r"(?:evaluate|work out|calculate|compute|what is(?: the value of)?|find(?: the value of)?|simplify|add|express)"
)
_ARITHMETIC = re.compile(
    rf"\b{_COMMAND}\s+(?:the (?:expression|sum|product|difference|quotient|value of)\s+)?"
    r"(?P<expression>[-(\d]?(?:[-+*/^().!\d\s]|sqrt)+)(?:\.|\?|$|,|=|\bas\b|\bin\b|\bto\b)",
    re.IGNORECASE,
)
_WRITTEN_FRACTION = re.compile(r"(?<![\^\d.])(\d+/\d+)(?![\^\d.])")


def _arithmetic(text: str) -> Plan | None:
    found = _ARITHMETIC.search(text)
    if found is None:
        return None
    expression = found.group("expression").strip().rstrip(".").strip()
    if not re.search(r"\d\s*[-+*/^!]|sqrt", expression):
        return None
    # A fraction written close together is one number: 1/2 + 1/3 is a sum of two numbers.
    expression = re.sub(r"(?<=[\d)])\s*(?=\()", " * ", _WRITTEN_FRACTION.sub(r"(\1)", expression))
    try:
        evaluate(expression)
    except Unreadable:
        return None
    as_fraction = "/" in expression
    return Plan((), (Step("the value", expression),), story=False, as_fraction=as_fraction)


def _lowest_terms(text: str) -> Plan | None:
    found = find(r"(?:simplify|write|reduce|express|lowest terms|simplest form).{0,30}?\b(\d+)\s*/\s*(\d+)\b", text)
    if found is None or not int(found.group(2)):
        return None
    top, bottom = value(found, 1), value(found, 2)
    givens = (Quantity("numerator", top), Quantity("denominator", bottom))
    return Plan(givens, (Step("the fraction", "{numerator} / {denominator}"),), story=False, as_fraction=True)


def _percentage_of(text: str) -> Plan | None:
    found = find(r"(?:what is|find|calculate|work out|compute)\s+#\s?(?:%|percent) of #\s*[.?]?$", text)
    if found is None:
        return None
    givens = (Quantity("percentage", value(found, 1)), Quantity("whole", value(found, 2)))
    return Plan(givens, (Step("the part", "{percentage} * {whole} / 100"),), story=False)


def _fraction_of(text: str) -> Plan | None:
    found = find(r"(?:what is|find|calculate|work out|compute)\s+(\d+)\s?/\s?(\d+) of #", text)
    if found is None or not int(found.group(2)):
        return None
    share = Fraction(int(found.group(1)), int(found.group(2)))
    givens = (Quantity("share", share), Quantity("whole", value(found, 3)))
    return Plan(givens, (Step("the part", "{share} * {whole}"),), story=False)


EXPRESSIONS: tuple[Callable[[str], Plan | None], ...] = (_lowest_terms, _fraction_of, _percentage_of, _arithmetic)
"""Readers of this family."""
