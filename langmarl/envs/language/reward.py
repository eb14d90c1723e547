"""What the rewards of the language tasks have in common."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any

from langmarl.envs.language.formats import Task
from langmarl.envs.reward import BaseReward
from langmarl.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Score:
    """What a team's answer is worth.

    Attributes:
        reward: In [0, 1].
        details: What else is known of it, as plain JSON values; goes to the trajectory's metadata.
    """

    reward: float
    details: dict[str, Any] = field(default_factory=dict)


class LanguageReward(BaseReward):
    """Scores the last message of an episode; any thread may call it."""

    @abstractmethod
    def score(self, task: Task, message: str) -> Score:
        """What ``message`` is worth as the answer to ``task``; a bad or unreadable answer is worth 0."""

    def compute(self, trajectory: Trajectory) -> float:
        """The reward of the last message; 0 for an episode without one."""
        if not trajectory.steps:
            return 0.0
        return self.score(trajectory.task, trajectory.steps[-1].action).reward
