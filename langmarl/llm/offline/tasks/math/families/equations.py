"""Linear equations in one unknown, and expressions in that unknown."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from langmarl.llm.offline.tasks.math.numerals import plain
from langmarl.llm.offline.tasks.math.plan import Plan, Step

_SIDE = r"[-+*/^().\d\sa-z]*?"
_EQUATION = re.compile(
    rf"(?:\bsolve(?: the equation)?|\bif|\bgiven that|\bsuppose|\bwhen|^)"
    rf"\s+(?P<left>[-(\d]?{_SIDE})\s*=\s*(?P<right>{_SIDE})"
    r"\s*(?:,|\.\s|\.$|\?|;|\bfor\b|\bthen\b|\bwhat\b|$)",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"(?:value of|what is(?! the)|find(?! the)|compute|evaluate)\s+(?P<asked>[-+*/^()\d\sa-z]+?)\s*[.?]?$",
    re.IGNORECASE,
)
_PIECE = re.compile(r"\s*(\d+(?:\.\d+)?|[a-z]|[-+*/()])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Linear:
    """``slope * unknown + constant``."""

    slope: Fraction
    constant: Fraction

    def plus(self, other: _Linear, sign: int = 1) -> _Linear:
        return _Linear(self.slope + sign * other.slope, self.constant + sign * other.constant)

    def times(self, other: _Linear) -> _Linear:
        if self.slope and other.slope:
            raise ValueError("not linear")
        return _Linear(
            self.slope * other.constant + other.slope * self.constant,
            self.constant * other.constant,
        )

    def over(self, other: _Linear) -> _Linear:
        if other.slope or not other.constant:
            raise ValueError("not linear")
        return _Linear(self.slope / other.constant, self.constant / other.constant)


class _Side:
    """Reads one side of an equation in ``unknown``."""

    def __init__(self, text: str, unknown: str) -> None:
        self.pieces = [piece.lower() for piece in _PIECE.findall(text)]
        if "".join(self.pieces) != re.sub(r"\s", "", text).lower():
            raise ValueError(text)
        self.unknown, self.place = unknown, 0

    def peek(self) -> str:
        return self.pieces[self.place] if self.place < len(self.pieces) else ""

    def take(self) -> str:
        self.place += 1
        return self.pieces[self.place - 1] if self.place <= len(self.pieces) else ""

    def read(self) -> _Linear:
        value = self.sum()
        if self.peek():
            raise ValueError(self.peek())
        return value

    def sum(self) -> _Linear:
        value = self.product()
        while self.peek() in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            value = value.plus(self.product(), sign)
        return value

    def product(self) -> _Linear:
        value = self.factor()
        while self.peek() and self.peek() not in ("+", "-", ")"):
            if self.peek() in ("*", "/"):
                value = value.times(self.factor()) if self.take() == "*" else value.over(self.factor())
            else:
                value = value.times(self.factor())  # 3x, 4(y - 2): nothing written between
        return value

    def factor(self) -> _Linear:
        piece = self.take()
        if piece == "-":
            return _Linear(Fraction(0), Fraction(-1)).times(self.factor())
        if piece == "(":
            value = self.sum()
            if self.take() != ")":
                raise ValueError("bracket")
            return value
        if piece == self.unknown:
            return _Linear(Fraction(1), Fraction(0))
        return _Linear(Fraction(0), Fraction(piece))


def _equation(text: str) -> Plan | None:
    found = _EQUATION.search(text)
    if found is None:
        return None
    left, right = found.group("left"), found.group("right")
    unknowns = set(re.findall(r"[a-z]", (left + right).lower()))
    if len(unknowns) != 1:
        return None
    (unknown,) = unknowns
    try:
        balance = _Side(left, unknown).read(), _Side(right, unknown).read()
    except (ValueError, ZeroDivisionError, RecursionError):
        return None
    if balance[0].slope == balance[1].slope:
        return None
    steps = [Step(unknown, _isolated(*balance))]
    asked = _ASKED.search(text[found.end("right") :])
    if (
        asked
        and re.search(rf"(?<![a-z]){unknown}(?![a-z])", asked.group("asked"))
        and asked.group("asked").strip() != unknown
    ):
        target = re.sub(rf"(?<=[\d)])\s*(?={unknown})", " * ", asked.group("asked"))
        steps.append(Step("the value asked for", target.replace(unknown, f"{{{unknown}}}")))
    return Plan((), tuple(steps), story=False)


def _isolated(left: _Linear, right: _Linear) -> str:
    """The arithmetic that isolates the unknown of ``left = right``."""
    constants = _difference(right.constant, left.constant)
    slopes = _difference(left.slope, right.slope)
    return f"({constants}) / ({slopes})" if slopes != "1" else constants


def _difference(first: Fraction, second: Fraction) -> str:
    if not second:
        return plain(first)
    sign = "-" if second > 0 else "+"
    return f"{plain(first)} {sign} {plain(abs(second))}"


EQUATIONS: tuple[Callable[[str], Plan | None], ...] = (_equation,)
"""Readers of this family."""
