"""Numbers as text: reading them from prose and LaTeX, writing them as an answer."""

from __future__ import annotations

import re
from fractions import Fraction

NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
"""A number as it stands in prose, thousands separators allowed."""

_FRACTION = re.compile(r"(-?)\\[dt]?frac\s*\{\s*(-?\d+)\s*\}\s*\{\s*(\d+)\s*\}")
_SHORT_FRACTION = re.compile(r"\\[dt]?frac\s*(\d)\s*(\d)")
_PLAIN = re.compile(rf"(?<![\w.])[-\u2212]?{NUMBER}(?:\s*/\s*\d+)?(?![\d/])")
_BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")


def number(text: str) -> Fraction:
    """The value of one numeral, such as ``1,250``, ``-3.5`` or ``5/12``.

    Raises:
        ValueError: Not a numeral.
    """
    cleaned = text.replace(",", "").replace("\u2212", "-").replace(" ", "")
    try:
        return Fraction(cleaned)
    except ZeroDivisionError as error:
        raise ValueError(text) from error


def plain_fractions(text: str) -> str:
    r"""``text`` with ``\frac{a}{b}`` written as ``a/b``."""
    return _SHORT_FRACTION.sub(r"\1/\2", _FRACTION.sub(r"\1\2/\3", text))


def numbers_in(text: str) -> list[Fraction]:
    """Every number of ``text``, in order; fractions count as one."""
    found = []
    for item in _PLAIN.findall(plain_fractions(text)):
        try:
            found.append(number(item))
        except ValueError:
            continue
    return found


def boxed(text: str) -> str | None:
    r"""What the last ``\boxed{…}`` of ``text`` holds, or None where there is none."""
    found = _BOXED.findall(text)
    return found[-1].strip() if found else None


def rounded(value: Fraction) -> Fraction:
    """``value`` to two decimals."""
    return round(value, 2)


def is_decimal(value: Fraction, places: int = 3) -> bool:
    """Whether ``value`` can be written in full with at most ``places`` decimals."""
    return bool((value * 10**places).denominator == 1)


def plain(value: Fraction) -> str:
    """``value`` for a line of working: ``12``, ``4.5`` or ``2/3``."""
    if value.denominator == 1:
        return str(value.numerator)
    if is_decimal(value):
        whole, rest = divmod(abs(value) * 1000, 1000)
        return f"{'-' if value < 0 else ''}{whole}.{int(rest):03d}".rstrip("0")
    return f"{value.numerator}/{value.denominator}"


def latex(value: Fraction, *, as_fraction: bool = False) -> str:
    r"""``value`` as an answer: ``12``, ``4.5`` or ``\frac{2}{3}``; a fraction wherever ``as_fraction`` asks for one."""
    if value.denominator == 1 or (is_decimal(value) and not as_fraction):
        return plain(value)
    sign = "-" if value < 0 else ""
    return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
