"""How far a run is within its present iteration, from the names of the files it has written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dashboard.queries.live.following import Followed, is_episode
from dashboard.queries.live.plan import RunPlan
from dashboard.queries.live.series import Numbers, RunSeries
from langmarl.store.layout import RunLayout, iteration_name

_MEASURED = 5
"""The pace is that of the last so many iterations."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Attributes:
        done: Finished iterations.
        planned: Iterations that the run is to have; 0 where that is not known.
        evaluating: Whether checkpoint ``done`` is to be evaluated before iteration ``done`` begins.
        episodes: Episodes that ended, of the iteration or evaluation at work.
        episodes_planned: How many there will be; 0 where that is not known.
        judged: Episodes that the critic has answered.
        judged_planned: How many there will be.
        notes: Gradients written, over all agents.
        updates: Agents whose policy has been dealt with.
        updates_planned: How many there will be.
    """

    done: int = 0
    planned: int = 0
    evaluating: bool = False
    episodes: int = 0
    episodes_planned: int = 0
    judged: int = 0
    judged_planned: int = 0
    notes: int = 0
    updates: int = 0
    updates_planned: int = 0

    @property
    def is_over(self) -> bool:
        """Whether nothing of what was planned is left."""
        return 0 < self.planned <= self.done and not self.evaluating

    @property
    def share(self) -> float:
        """The finished part of the iteration or evaluation at work, from 0 to 1."""
        if self.evaluating:
            return _share(self.episodes, self.episodes_planned)
        parts = [
            (self.episodes, self.episodes_planned),
            (self.judged, self.judged_planned),
            (self.updates, self.updates_planned),
        ]
        return _share(sum(done for done, _ in parts), sum(planned for _, planned in parts))


class ProgressReader:
    """Counts a run's files; folders are listed only after they changed.

    Args:
        layout: Where the run lies.
    """

    def __init__(self, layout: RunLayout) -> None:
        self._layout = layout
        self._iteration: int | None = None
        self._folders: dict[Path, Followed[frozenset[str]]] = {}

    def look(self, plan: RunPlan, series: RunSeries) -> Progress:
        """How far the run is now."""
        done, name = series.done, iteration_name(series.done)
        if done != self._iteration:
            self._iteration, self._folders = done, {}
        if plan.is_evaluated(done) and not np.any(series.held_out.checkpoints == done):
            played = self._episodes(self._layout.held_out / name)
            return Progress(done, plan.num_iterations, True, played, plan.eval_tasks)
        gradients = self._layout.gradients / name
        agents = [gradients / agent for agent in self._names(gradients)]
        return Progress(
            done,
            plan.num_iterations,
            episodes=self._episodes(self._layout.trajectories / name),
            episodes_planned=plan.episodes,
            judged=self._episodes(self._layout.evaluations / name),
            judged_planned=plan.judged,
            notes=sum(self._episodes(agent) for agent in agents),
            updates=sum("update.json" in self._names(agent) for agent in agents),
            updates_planned=plan.num_agents,
        )

    def _episodes(self, folder: Path) -> int:
        return sum(is_episode(name) for name in self._names(folder))

    def _names(self, folder: Path) -> frozenset[str]:
        """The entries of ``folder``; none where it is not there."""
        if folder not in self._folders:
            self._folders[folder] = Followed([folder], lambda: _listed(folder), frozenset())
        return self._folders[folder].look().value


def expected_rest_s(progress: Progress, plan: RunPlan, series: RunSeries) -> float | None:
    """How many seconds the run still needs at the pace of its last iterations; None where there is no pace yet.

    Evaluations count by what they took on average; where none was finished yet, they are left out.
    """
    pace = _mean(series.duration_s[-_MEASURED:])
    if pace is None or not progress.planned:
        return None
    left = max(0, progress.planned - progress.done)
    evaluations = plan.evaluations_from(progress.done if progress.evaluating else progress.done + 1)
    evaluation_s = _mean(series.held_out.duration_s[-_MEASURED:]) or 0.0
    at_work_s = evaluation_s if progress.evaluating else (pace if left else 0.0)
    return max(0.0, left * pace + evaluations * evaluation_s - progress.share * at_work_s)


def _share(done: int, planned: int) -> float:
    return min(1.0, done / planned) if planned else 0.0


def _mean(values: Numbers) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else None


def _listed(folder: Path) -> frozenset[str]:
    try:
        return frozenset(entry.name for entry in folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return frozenset()
