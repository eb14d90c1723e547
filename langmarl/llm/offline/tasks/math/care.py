"""The kinds of care a reckoner can take, and what going without each of them costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Care:
    """How careful a calculation is. Everything off is a hurried pupil, everything on a reliable one.

    Attributes:
        units: Converts every quantity to the unit the calculation needs; else numbers are taken as they stand.
        precedence: Powers before products before sums; else strictly from left to right.
        exact: Keeps fractions as fractions in lowest terms; else every value is rounded to two decimals.
        finish: Goes on to what the question asks; else stops at the first result.
        check: Does every sum again; else a carry or a borrow between columns gets lost.
        small_cases: Tries a counting rule on a few small cases; else it is off by one or counts pairs twice.
    """

    units: bool = False
    precedence: bool = False
    exact: bool = False
    finish: bool = False
    check: bool = False
    small_cases: bool = False

    @classmethod
    def named(cls, names: set[str] | frozenset[str]) -> Care:
        """The care that takes exactly ``names``."""
        return cls(**{name: name in names for name in KINDS})

    @classmethod
    def from_habits(cls, habits: Mapping[str, bool | None]) -> Care:
        """The care an agent takes that was told ``habits``."""
        return cls(**{name: habits.get(name) is True for name in KINDS})


KINDS = ("units", "precedence", "exact", "finish", "check", "small_cases")
"""The names of all kinds of care."""

FULL = Care.named(frozenset(KINDS))
"""A reckoner that forgets nothing."""
