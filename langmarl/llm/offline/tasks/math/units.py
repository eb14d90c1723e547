"""Units of length, time, mass, volume, area and money, and going from one to another."""

from __future__ import annotations

import re
from fractions import Fraction

_SIZES: dict[str, dict[str, str]] = {
    "length": {"mm": "1", "cm": "10", "m": "1000", "km": "1000000", "inch": "25.4", "foot": "304.8", "mile": "1609344"},
    "time": {"s": "1", "min": "60", "h": "3600", "day": "86400", "week": "604800"},
    "mass": {"mg": "1", "g": "1000", "kg": "1000000", "tonne": "1000000000"},
    "volume": {"ml": "1", "litre": "1000"},
    "money": {"cent": "1", "dollar": "100"},
}

_SPELLINGS = {
    "mm": "mm millimetre millimetres millimeter millimeters",
    "cm": "cm centimetre centimetres centimeter centimeters",
    "m": "m metre metres meter meters",
    "km": "km kilometre kilometres kilometer kilometers",
    "inch": "inch inches",
    "foot": "foot feet",
    "mile": "mile miles",
    "s": "s second seconds sec",
    "min": "min minute minutes mins",
    "h": "h hour hours hr hrs",
    "day": "day days",
    "week": "week weeks",
    "mg": "mg milligram milligrams",
    "g": "g gram grams",
    "kg": "kg kilogram kilograms kilo kilos",
    "tonne": "tonne tonnes",
    "ml": "ml millilitre millilitres milliliter milliliters",
    "litre": "l litre litres liter liters",
    "cent": "cent cents",
    "dollar": "dollar dollars",
}

_BY_SPELLING = {word: unit for unit, words in _SPELLINGS.items() for word in words.split()}
_KIND = {unit: kind for kind, sizes in _SIZES.items() for unit in sizes}

UNIT = r"(?:" + "|".join(sorted((re.escape(word) for word in _BY_SPELLING), key=len, reverse=True)) + r")\b"
"""A pattern for the name of a unit, in lower case."""


def unit_named(word: str) -> str:
    """The unit that ``word`` spells, or an empty string."""
    return _BY_SPELLING.get(word.lower().strip(), "")


def kind(unit: str) -> str:
    """``length``, ``time`` …, or an empty string for what is not a unit here."""
    return _KIND.get(unit, "")


def convert(value: Fraction, unit: str, into: str) -> Fraction:
    """``value`` in the unit ``into``; unchanged where the two do not measure the same kind of thing."""
    if not kind(unit) or kind(unit) != kind(into):
        return value
    sizes = _SIZES[kind(unit)]
    return value * Fraction(sizes[unit]) / Fraction(sizes[into])
