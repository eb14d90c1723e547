"""What a critic is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, TypedDict

from langmarl.trajectory import Trajectory


class Assessment(TypedDict):
    """What the critic says of one agent (or, under ``central_global``, of the team).

    Keys:
        credit: In [-1, 1]; 1 decided the success, -1 decided the failure.
        feedback: Words that a gradient can be made of; never empty.
        evidence: Numbers of the steps that the judgement rests on, each a valid index into the trajectory.
    """

    credit: float
    feedback: str
    evidence: list[int]


class BaseCritic(ABC):
    """Judges whole episodes. One object is called from several threads at once."""

    @abstractmethod
    def evaluate(self, trajectory: Trajectory, policies: Mapping[str, str]) -> dict[str, Any]:
        """Assess one episode.

        Args:
            trajectory: A finished episode, reward included; not to be changed.
            policies: The text that each agent acted under, by agent.

        Returns:
            ``raw_response`` (the model's words), ``paradigm``, and ``per_agent``: for each agent an
            :class:`Assessment`, or None where the answer could not be used. Such an agent gets no gradient from
            this episode; what went wrong stands in ``problem``.

        Raises:
            ModelCallError: The model gave no answer at all; the episode then gives no gradient.
        """
