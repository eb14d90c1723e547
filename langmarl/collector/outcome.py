"""What comes out of collecting: values, with a reason wherever something did not work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langmarl.store import FailedEpisode
from langmarl.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class PlannedEpisode:
    """One episode that is to be played.

    Attributes:
        task: As the environment drew it.
        seed: For the environment, in [0, 2**63).
    """

    task: dict[str, Any]
    seed: int


@dataclass(frozen=True, slots=True)
class IterationPlan:
    """What one iteration plays and learns from; written down before its first call.

    Attributes:
        iteration: From 0.
        episodes: In episode order.
        mini_batch: Numbers of the episodes that are judged, ascending.
    """

    iteration: int
    episodes: Sequence[PlannedEpisode]
    mini_batch: Sequence[int]


Episode = Trajectory | FailedEpisode


@dataclass(frozen=True, slots=True)
class PolicyUpdate:
    """What LLM_opt made of one agent's policy.

    Attributes:
        agent: Whose policy.
        policy: The policy from now on: the new one where accepted, else the old one.
        refused: Why the proposal was refused, or why there was none; None where it was accepted.
        proposed: The text that was proposed, or the raw reply; None where there was none.
    """

    agent: str
    policy: str
    refused: str | None
    proposed: str | None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "accepted": self.refused is None,
            "reason": self.refused,
            "proposed": self.proposed,
            "policy": self.policy,
        }


@dataclass(frozen=True, slots=True)
class IterationOutcome:
    """One iteration, collected.

    Attributes:
        episodes: In episode order, failures included.
        updates: By agent; empty where the update rule went back to an earlier checkpoint instead.
        unparsed_answers: Critic answers from which at least one agent got no assessment.
        unusable_notes: Gradients that could not be used.
        reverted_to: The checkpoint that the update rule went back to; None where the policies were updated.
        revert_reason: Why, in one sentence.
    """

    episodes: Sequence[Episode]
    updates: Mapping[str, PolicyUpdate]
    unparsed_answers: int
    unusable_notes: int
    reverted_to: int | None = None
    revert_reason: str | None = None

    @property
    def trajectories(self) -> list[Trajectory]:
        """The episodes that were played to their end, in episode order."""
        return [episode for episode in self.episodes if isinstance(episode, Trajectory)]

    @property
    def refused_updates(self) -> int:
        """Updates that were not accepted."""
        return sum(update.refused is not None for update in self.updates.values())


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the iteration, or the evaluation of a checkpoint, has come.

    Attributes:
        phase: ``"train"`` or ``"eval"``.
        iteration: The iteration, or the checkpoint under evaluation.
        episodes: Episodes ended, of ``episodes_total``.
        judged: Critic answers read.
        notes: Gradients written.
        updates: Policies rewritten, of ``updates_total``.
    """

    phase: str
    iteration: int
    episodes: int
    episodes_total: int
    judged: int = 0
    notes: int = 0
    updates: int = 0
    updates_total: int = 0
