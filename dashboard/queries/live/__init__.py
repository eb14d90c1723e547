"""What the Live page shows of a run, read so that looking again at an unchanged run costs next to nothing."""

from __future__ import annotations

from dashboard.queries.live.calls import JournalTail, Throughput
from dashboard.queries.live.episodes import NewestEpisodes, ShownEpisode
from dashboard.queries.live.plan import RunPlan
from dashboard.queries.live.progress import Progress, expected_rest_s
from dashboard.queries.live.series import Best, HeldOut, RunSeries
from dashboard.queries.live.watch import RunView, RunWatch, watch

__all__ = [
    "Best",
    "HeldOut",
    "JournalTail",
    "NewestEpisodes",
    "Progress",
    "RunPlan",
    "RunSeries",
    "RunView",
    "RunWatch",
    "ShownEpisode",
    "Throughput",
    "expected_rest_s",
    "watch",
]
