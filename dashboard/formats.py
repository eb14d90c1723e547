"""Figures as people read them, always with their unit."""

from __future__ import annotations

import math
from datetime import datetime

from langmarl.store.clock import age_s

UNKNOWN = "unknown"
"""What an unpriced model costs; never shown as 0."""

MISSING = "–"
"""What stands where there is no value yet."""

_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def tokens(count: int | None) -> str:
    """A number of tokens: ``9,876``, ``123.4K``, ``1.23M``; a dash for None."""
    if count is None:
        return MISSING
    if count < 10_000:
        return f"{count:,}"
    if count < 999_950:
        return f"{count / 1e3:.1f}K"
    return f"{count / 1e6:.2f}M"


def dollars(amount: float | None) -> str:
    """US dollars: ``$12.30``, four decimals below a dollar, two digits below a cent, ``unknown`` for None."""
    if amount is None:
        return UNKNOWN
    if amount == 0:
        return "$0"
    if abs(amount) < 0.01:
        return f"${amount:.2g}" if abs(amount) >= 1e-4 else f"${amount:.1e}"
    return f"${amount:.4f}" if abs(amount) < 1 else f"${amount:,.2f}"


def duration(seconds: float | None) -> str:
    """A length of time with its two largest units: ``850 ms``, ``12 s``, ``3 min 20 s``, ``2 h 5 min``."""
    if seconds is None:
        return MISSING
    if seconds < 0.9995:
        return f"{max(seconds, 0) * 1000:.0f} ms"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{whole} s"
    if whole < _HOUR:
        return _two_units(whole, _MINUTE, "min", 1, "s")
    if whole < _DAY:
        return _two_units(whole, _HOUR, "h", _MINUTE, "min")
    return _two_units(whole, _DAY, "d", _HOUR, "h")


def ago(moment: str | None, now: datetime | None = None) -> str:
    """How long ago an ISO 8601 time was: ``just now``, ``5 min ago``, ``3 h ago``, from a week on the date.

    A text that is no time is given back as it is.

    Args:
        moment: The time; None gives a dash.
        now: With its time zone; None: the time now.
    """
    if not moment:
        return MISSING
    try:
        age = age_s(moment) if now is None else (now - datetime.fromisoformat(moment)).total_seconds()
    except ValueError:
        return moment
    if age < 10:
        return "just now"
    if age < _MINUTE:
        return f"{int(age)} s ago"
    if age < _HOUR:
        return f"{age // _MINUTE:.0f} min ago"
    if age < _DAY:
        return f"{age // _HOUR:.0f} h ago"
    if age < 7 * _DAY:
        days = int(age // _DAY)
        return f"{days} day{'s' if days > 1 else ''} ago"
    return local_time(moment)[:10]


def local_time(moment: str | None) -> str:
    """``2026-03-01 12:00`` of an ISO 8601 time, by this machine's clock; other texts as they are."""
    if not moment:
        return MISSING
    try:
        return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return moment


def reward(value: float | None) -> str:
    """A reward with three decimals, halves rounded up as the browser does in tables; a dash for None."""
    return MISSING if value is None else f"{math.floor(value * 1000 + 0.5) / 1000:.3f}"


def _two_units(whole: int, large: int, large_name: str, small: int, small_name: str) -> str:
    rest = (whole % large) // small
    return f"{whole // large} {large_name}" + (f" {rest} {small_name}" if rest else "")
