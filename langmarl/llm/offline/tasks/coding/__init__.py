"""Coding for the offline model: a small library of program pieces, how they are put together, judging the outcome."""

from __future__ import annotations

from collections.abc import Mapping

from langmarl.llm.offline.instructions import Habit
from langmarl.llm.offline.seat import Seat
from langmarl.llm.offline.tasks.coding.actor import act
from langmarl.llm.offline.tasks.coding.diagnosis import diagnose
from langmarl.llm.offline.tasks.coding.habits import HABITS
from langmarl.llm.offline.tasks.skill import EpisodeCase, Finding, Message

__all__ = ["SKILL", "CodingSkill"]


class CodingSkill:
    """Plays and judges tasks that start with ``Complete this Python function:``."""

    @property
    def habits(self) -> tuple[Habit, ...]:
        """What instructions can change, see ``habits``."""
        return HABITS

    def recognizes(self, task: str) -> bool:
        """Whether ``task`` asks for a Python function."""
        return task.lstrip().startswith("Complete this Python function:")

    def act(self, task: str, earlier: list[Message], seat: Seat, habits: Mapping[str, bool | None]) -> str:
        """The message of the agent in ``seat``."""
        return act(task, earlier, seat, habits)

    def diagnose(self, case: EpisodeCase) -> dict[str, Finding]:
        """Who lost or won the tests, see ``diagnosis``."""
        return diagnose(case)


SKILL = CodingSkill()
"""The one instance; it holds no state."""
