"""Mathematics for the offline model: reading a problem, working it out with more or less care, judging the outcome."""

from __future__ import annotations

from collections.abc import Mapping

from langmarl.llm.offline.instructions import Habit
from langmarl.llm.offline.seat import Seat
from langmarl.llm.offline.tasks.math.actor import act
from langmarl.llm.offline.tasks.math.diagnosis import diagnose
from langmarl.llm.offline.tasks.math.habits import HABITS
from langmarl.llm.offline.tasks.skill import EpisodeCase, Finding, Message

__all__ = ["SKILL", "MathSkill"]


class MathSkill:
    """Plays and judges tasks that start with ``Problem:``."""

    @property
    def habits(self) -> tuple[Habit, ...]:
        """What instructions can change, see ``habits``."""
        return HABITS

    def recognizes(self, task: str) -> bool:
        """Whether ``task`` is a mathematics problem."""
        return task.lstrip().startswith("Problem:")

    def act(self, task: str, earlier: list[Message], seat: Seat, habits: Mapping[str, bool | None]) -> str:
        """The message of the agent in ``seat``."""
        return act(task, earlier, seat, habits)

    def diagnose(self, case: EpisodeCase) -> dict[str, Finding]:
        """Who lost or won the answer, see ``diagnosis``."""
        return diagnose(case)


SKILL = MathSkill()
"""The one instance; it holds no state."""
