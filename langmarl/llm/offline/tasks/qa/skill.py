"""The QA skill: what the offline model needs to play and judge questions over passages."""

from __future__ import annotations

from collections.abc import Mapping

from langmarl.llm.offline.instructions import Habit
from langmarl.llm.offline.seat import Seat
from langmarl.llm.offline.tasks.qa.habits import QA_HABITS
from langmarl.llm.offline.tasks.qa.play import act
from langmarl.llm.offline.tasks.qa.review import diagnose
from langmarl.llm.offline.tasks.skill import EpisodeCase, Finding, Message


class QuestionAnswering:
    """Reads passages, brings up evidence, answers; what it does well depends on its habits alone."""

    habits: tuple[Habit, ...] = QA_HABITS

    def recognizes(self, task: str) -> bool:
        """A task that starts with "Question:"; passages should follow."""
        return task.lstrip().startswith("Question:")

    def act(self, task: str, earlier: list[Message], seat: Seat, habits: Mapping[str, bool | None]) -> str:
        """Evidence from an agent that others follow, the answer from the last."""
        return act(task, earlier, seat, habits)

    def diagnose(self, case: EpisodeCase) -> dict[str, Finding]:
        """Who lost, or found, the answer."""
        return diagnose(case)


SKILL = QuestionAnswering()
