"""What a reward function is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from langmarl.trajectory import Trajectory


class BaseReward(ABC):
    """Scores a finished episode; the trainer's optional ``reward_fn`` replaces the environment's own reward.

    Called by several threads at once: an implementation keeps no state between calls, or guards it.

    Attributes:
        rule: How the score comes about, in words for critic and optimizer; holds nothing of one task. Empty: untold.
    """

    rule: ClassVar[str] = ""

    @abstractmethod
    def compute(self, trajectory: Trajectory) -> float:
        """The team's return for this episode: finite, higher is better. Must not change the trajectory.

        Raises:
            ModelCallError: The score needs a model call, and that failed for good; the episode is lost, not scored 0.
        """
