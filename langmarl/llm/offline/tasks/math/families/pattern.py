"""What the readers of all families share: searching for a pattern, and taking its numbers."""

from __future__ import annotations

import re
from fractions import Fraction

from langmarl.llm.offline.tasks.math.numerals import NUMBER, number
from langmarl.llm.offline.tasks.math.units import UNIT

__all__ = ["find", "list_of_numbers", "value"]


def find(pattern: str, text: str) -> re.Match[str] | None:
    """Search ``text`` for ``pattern``, whatever the case; ``#`` stands for a captured number, ``~`` for a unit."""
    return re.search(pattern.replace("#", rf"({NUMBER})").replace("~", f"({UNIT})"), text, re.IGNORECASE)


def value(found: re.Match[str], group: int) -> Fraction:
    """The number that ``group`` of a match holds."""
    return number(found.group(group))


def list_of_numbers(text: str) -> list[Fraction]:
    """The numbers of an enumeration such as ``4, 8, 15 and 16``."""
    return [number(item) for item in re.findall(rf"-?{NUMBER}", text)]
