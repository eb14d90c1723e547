"""How a run's state is named and marked."""

from __future__ import annotations

_MARKS = {
    "queued": "⚪",
    "running": "🔵",
    "completed": "🟢",
    "stopped": "🟠",
    "budget_reached": "🟠",
    "failed": "🔴",
    "interrupted": "🟣",
}


def mark_of(state: str) -> str:
    """A coloured sign; the word beside it says the same."""
    return _MARKS.get(state, "⚪")


def name_of(state: str) -> str:
    """The state in words."""
    return state.replace("_", " ")
