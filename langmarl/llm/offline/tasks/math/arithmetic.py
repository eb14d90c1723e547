"""Arithmetic on written expressions, done well or in the ways in which people get it wrong."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from langmarl.llm.offline.tasks.math.care import FULL, Care

_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|[a-z]+|[-+*/^(),!])")
_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
_LARGEST_POWER = 64
_LARGEST_BASE = 10**6
_LARGEST_FACTORIAL = 200
_LONGEST = 400
_MOST_BITS = 4_000


class Unreadable(ValueError):
    """The text is not an expression this module can work out."""


def evaluate(expression: str, care: Care = FULL) -> Fraction:
    """The value of ``expression``: numbers, ``+ - * / ^``, brackets, ``!`` and a few functions (``gcd``, ``sum`` …).

    Without ``care.precedence`` the operations are done in the order in which they are written (inside brackets
    first); without ``care.check`` carries get lost.

    Raises:
        Unreadable: Not an expression, or one whose value is out of reach (division by zero, huge powers).
    """
    if len(expression) > _LONGEST:
        raise Unreadable("too long")
    reader = _Reader(_tokens(expression), care)
    try:
        value = reader.chain() if not care.precedence else reader.ranked(1)
    except (ZeroDivisionError, OverflowError, RecursionError) as error:
        raise Unreadable(str(error)) from error
    if reader.tokens[reader.place :]:
        raise Unreadable(f"left over: {reader.tokens[reader.place :]}")
    return value


def combine(left: Fraction, sign: str, right: Fraction, care: Care = FULL) -> Fraction:
    """``left`` and ``right`` under one operation; without ``care.check`` a carry or borrow is forgotten.

    Raises:
        Unreadable: The value is out of reach.
    """
    lost = 0 if care.check else _lost_carry(left, sign, right)
    if sign == "+":
        value = left + right - lost
    elif sign == "-":
        value = left - right + lost
    elif sign == "*":
        value = left * right - lost
    elif sign == "/":
        value = left / right
    else:
        value = _power(left, right)
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        raise Unreadable("out of reach")
    return value


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > _LARGEST_POWER or abs(base) > _LARGEST_BASE:
        raise Unreadable("power out of reach")
    return Fraction(base**exponent.numerator)


def _lost_carry(left: Fraction, sign: str, right: Fraction) -> int:
    """What a hurried hand loses: the carry (or borrow) out of the units, where both numbers have two digits or more."""
    if left.denominator != 1 or right.denominator != 1 or left < 10 or right < 10:
        return 0
    a, b = left.numerator % 10, right.numerator % 10
    if sign == "+":
        return (a + b) // 10 * 10
    if sign == "-":
        return 10 if a < b and left > right else 0
    return a * b // 10 * 10 if sign == "*" else 0


def _tokens(expression: str) -> list[str]:
    text = expression.strip()
    tokens, place = [], 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise Unreadable(text[place:])
        tokens.append(found.group(1))
        place = found.end()
    return tokens


class _Reader:
    """Walks over the tokens of one expression."""

    def __init__(self, tokens: Sequence[str], care: Care) -> None:
        self.tokens, self.care, self.place = list(tokens), care, 0

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, expected: str | None = None) -> str:
        token = self.peek()
        if not token or (expected is not None and token != expected):
            raise Unreadable(f"expected {expected or 'more'}, found {token or 'the end'}")
        self.place += 1
        return token

    def whole(self) -> Fraction:
        return self.ranked(1) if self.care.precedence else self.chain()

    def chain(self) -> Fraction:
        """Strictly from left to right."""
        value = self.operand()
        while self.peek() in _RANK:
            value = combine(value, self.take(), self.operand(), self.care)
        return value

    def ranked(self, lowest: int) -> Fraction:
        """By precedence: operations of rank ``lowest`` and above."""
        value = self.operand()
        while _RANK.get(self.peek(), 0) >= lowest:
            sign = self.take()
            rank = _RANK[sign]
            value = combine(value, sign, self.ranked(rank if sign == "^" else rank + 1), self.care)
        return value

    def operand(self) -> Fraction:
        token = self.take()
        if token == "-":
            # A minus in front binds less tightly than a power: -2^2 is -4.
            return -(self.ranked(3) if self.care.precedence else self.operand())
        if token == "(":
            value = self.whole()
            self.take(")")
        elif token in _FUNCTIONS:
            value = self.function(token)
        elif token[0].isdigit():
            value = Fraction(token)
        else:
            raise Unreadable(token)
        while self.peek() == "!":
            self.take()
            value = _factorial([value], self.care)
        return value

    def function(self, name: str) -> Fraction:
        self.take("(")
        values = [self.whole()]
        while self.peek() == ",":
            self.take()
            values.append(self.whole())
        self.take(")")
        return _FUNCTIONS[name](values, self.care)


def _integers(values: Sequence[Fraction]) -> list[int]:
    if any(value.denominator != 1 for value in values):
        raise Unreadable("whole numbers only")
    return [value.numerator for value in values]


def _gcd(values: Sequence[Fraction], care: Care) -> Fraction:
    return Fraction(math.gcd(*_integers(values)))


def _lcm(values: Sequence[Fraction], care: Care) -> Fraction:
    return Fraction(math.lcm(*_integers(values)))


def _factorial(values: Sequence[Fraction], care: Care) -> Fraction:
    (value,) = _integers(values)
    if not 0 <= value <= _LARGEST_FACTORIAL:
        raise Unreadable("factorial out of reach")
    return Fraction(math.factorial(value))


def _sum(values: Sequence[Fraction], care: Care) -> Fraction:
    total = values[0]
    for value in values[1:]:
        total = combine(total, "+", value, care)
    return total


def _median(values: Sequence[Fraction], care: Care) -> Fraction:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def _remainder(values: Sequence[Fraction], care: Care) -> Fraction:
    return values[0] % values[1]


def _floor(values: Sequence[Fraction], care: Care) -> Fraction:
    return Fraction(math.floor(values[0]))


def _ceil(values: Sequence[Fraction], care: Care) -> Fraction:
    return Fraction(math.ceil(values[0]))


def _sqrt(values: Sequence[Fraction], care: Care) -> Fraction:
    (value,) = values
    if value < 0:
        raise Unreadable("root of a negative number")
    root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    if root * root != value:
        raise Unreadable("not a perfect square")
    return root


_FUNCTIONS: dict[str, Callable[[Sequence[Fraction], Care], Fraction]] = {
    "gcd": _gcd,
    "lcm": _lcm,
    "sum": _sum,
    "max": lambda values, care: max(values),
    "min": lambda values, care: min(values),
    "median": _median,
    "remainder": _remainder,
    "floor": _floor,
    "ceil": _ceil,
    "sqrt": _sqrt,
}
