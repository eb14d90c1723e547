"""The files of one iteration, read and written as the values that collecting works with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langmarl.collector.outcome import Episode, PolicyUpdate
from langmarl.store import RunDirectory, TrajectoryStore
from langmarl.trajectory import Trajectory


class IterationRecords:
    """What one iteration has on disk, piece by piece. Used by the collecting thread only.

    A *subject* is an agent, or the team where all agents share their notes.

    Args:
        run: The run; this process owns it.
        iteration: Which iteration.
    """

    def __init__(self, run: RunDirectory, iteration: int) -> None:
        self._run = run
        self._iteration = iteration

    def episode(self, number: int) -> Episode | None:
        """An episode that has ended; None where it must be played."""
        return self._run.trajectories.get(self._iteration, number)

    def save_episode(self, number: int, episode: Episode) -> None:
        """Keep an episode, failed or not."""
        save_episode(self._run.trajectories, self._iteration, number, episode)

    def evaluation(self, number: int) -> dict[str, Any] | None:
        """What the critic said of an episode."""
        return self._run.evaluations.get(self._iteration, number)

    def save_evaluation(self, number: int, evaluation: Mapping[str, Any]) -> None:
        """Keep what the critic said."""
        self._run.evaluations.save(self._iteration, number, evaluation)

    def gradient(self, subject: str, number: int) -> dict[str, Any] | None:
        """The note of one episode."""
        return self._run.gradients.get(self._iteration, subject, number)

    def save_gradient(self, subject: str, number: int, gradient: Mapping[str, Any]) -> None:
        """Keep a note."""
        self._run.gradients.save(self._iteration, subject, number, gradient)

    def merged(self, subject: str) -> dict[str, Any] | None:
        """What the notes were merged into."""
        return self._run.gradients.get_merged(self._iteration, subject)

    def save_merged(self, subject: str, merged: Mapping[str, Any]) -> None:
        """Keep the merged note."""
        self._run.gradients.save_merged(self._iteration, subject, merged)

    def update(self, agent: str) -> PolicyUpdate | None:
        """What became of an agent's policy."""
        data = self._run.gradients.get_update(self._iteration, agent)
        if data is None:
            return None
        return PolicyUpdate(agent, data["policy"], refused=data["reason"], proposed=data["proposed"])

    def save_update(self, update: PolicyUpdate) -> None:
        """Keep what became of an agent's policy."""
        self._run.gradients.save_update(self._iteration, update.agent, update.to_dict())


def save_episode(store: TrajectoryStore, iteration: int, number: int, episode: Episode) -> None:
    """Keep an episode, failed or not."""
    if isinstance(episode, Trajectory):
        store.save(iteration, number, episode)
    else:
        store.save_failure(iteration, number, episode.kind, episode.message)
