"""One episode: what was asked, who said what, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(slots=True)
class Step:
    """One move of one agent.

    Attributes:
        agent_id: Who acted, under the environment's own name.
        observation: What the agent saw, as text.
        action: What it said or did, as text.
    """

    agent_id: str
    observation: str
    action: str


@dataclass(slots=True)
class Trajectory:
    """One episode.

    Attributes:
        task: The task as the environment drew it; plain JSON values.
        steps: Every move, in the order played.
        reward: The team's return; higher is better. Language tasks use [0, 1].
        metadata: Whatever else the environment reports (``em``, ``f1``, ``seed`` …); plain JSON values.
    """

    task: dict[str, Any]
    steps: list[Step]
    reward: float
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Plugins may hand over plain mappings; a trajectory always holds Steps.
        self.steps = [Step(**step) if isinstance(step, Mapping) else step for step in self.steps]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; ``from_dict`` reads them back."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Trajectory:
        """Read what ``to_dict`` wrote; unknown keys are ignored."""
        return cls(
            task=dict(data["task"]),
            steps=[Step(step["agent_id"], step["observation"], step["action"]) for step in data["steps"]],
            reward=float(data["reward"]),
            metadata=dict(data.get("metadata", {})),
        )
