"""Times as they are written into files."""

from __future__ import annotations

from datetime import UTC, datetime


def now_iso() -> str:
    """The time now: ISO 8601, UTC, milliseconds (``2026-03-01T12:00:00.123+00:00``)."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def age_s(moment: str) -> float:
    """Seconds since ``moment``, an ISO 8601 time; negative where it lies ahead of this machine's clock.

    Raises:
        ValueError: ``moment`` is no ISO 8601 time.
    """
    then = datetime.fromisoformat(moment)
    return (datetime.now(UTC) - (then if then.tzinfo else then.replace(tzinfo=UTC))).total_seconds()
