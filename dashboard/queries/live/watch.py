"""One run as it is now, put together from everything it has written."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dashboard.queries.live.calls import CallSums, JournalTail, Throughput
from dashboard.queries.live.episodes import NewestEpisodes, ShownEpisode
from dashboard.queries.live.following import Followed, GrowingFile
from dashboard.queries.live.numbers import mapping, usage_of
from dashboard.queries.live.plan import RunPlan
from dashboard.queries.live.progress import Progress, ProgressReader, expected_rest_s
from dashboard.queries.live.series import RunSeries
from langmarl.errors import LangMARLError
from langmarl.store import Metrics, Owner, RunDirectory, RunState
from langmarl.store.lock import is_locked
from langmarl.store.ownership import live_owner
from langmarl.usage import Usage, total

LOG_LINES = 200
"""How much of the log is kept."""

_LOG_BYTES = 256 * 1024
_WATCHED_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class RunView:
    """A run as it is now.

    Attributes:
        run_id: Which run.
        state: Its state; None where that cannot be read.
        owner: The process that works on it; None where there is none.
        is_ours: Whether that is this process.
        stop_requested: Whether somebody asked it to stop.
        plan: What it is meant to do.
        series: Its finished iterations; the same object as long as they did not change.
        progress: How far it is.
        rest_s: Seconds it still needs; None where nobody works on it or there is no pace yet.
        used: All its calls so far, those of the iteration at work and set-aside ones included.
        throughput: Calls a second now; None where none finished lately.
        episodes: The newest ones, newest first.
        log: The newest lines, oldest first.
        problems: What cannot be read, and why.
    """

    run_id: str
    state: RunState | None
    owner: Owner | None
    is_ours: bool
    stop_requested: bool
    plan: RunPlan
    series: RunSeries
    progress: Progress
    rest_s: float | None
    used: Usage
    throughput: Throughput | None
    episodes: tuple[ShownEpisode, ...]
    log: tuple[str, ...]
    problems: tuple[LangMARLError, ...]

    @property
    def is_active(self) -> bool:
        """Whether somebody works on it, or it waits for its turn."""
        return self.state is not None and self.state.state in ("running", "queued")

    def looks_like(self, other: RunView) -> bool:
        """Whether a page shows the same of both. Problems are compared by their words: each look may say them anew."""
        mine, others = ([str(problem) for problem in view.problems] for view in (self, other))
        return mine == others and replace(self, problems=()) == replace(other, problems=())


@dataclass(frozen=True, slots=True)
class _Finished:
    """What follows from ``metrics.json`` alone."""

    series: RunSeries
    used: Usage

    @classmethod
    def of(cls, metrics: Metrics) -> _Finished:
        series = RunSeries.of(metrics)
        iterations = (_used(row.get("usage_by_role")) or usage_of(row) for row in metrics.iterations)
        evaluations = (usage_of(row.get("usage")) for row in metrics.evaluations)
        return cls(series, total([series.aside, *iterations, *evaluations]))


class RunWatch:
    """Follows one run. Looking again reads only what changed. Safe from any thread.

    Args:
        run: The run.
    """

    def __init__(self, run: RunDirectory) -> None:
        self._run = run
        self._lock = threading.Lock()
        layout = run.layout
        self._manifest = Followed[Any]([layout.manifest], lambda: run.manifest, None)
        self._plan = Followed([layout.config], lambda: RunPlan.from_config(run.config_data()), RunPlan())
        self._finished = Followed([layout.metrics], lambda: _Finished.of(run.metrics.read()), _Finished.of(Metrics()))
        self._state = _StateReader(run)
        self._progress = ProgressReader(layout)
        self._journal = JournalTail(run.journal)
        self._episodes = NewestEpisodes(layout)
        self._log = _LogTail(layout.log)

    def look(self) -> RunView:
        """The run as it is now; never raises for what a run directory may hold."""
        with self._lock:
            return self._look()

    def _look(self) -> RunView:
        state = self._state.look()
        plan, finished, manifest = self._plan.look(), self._finished.look(), self._manifest.look()
        series = finished.value.series
        progress = self._progress.look(plan.value, series)
        calls = self._journal.look(series.done)
        is_active = state.state is not None and state.state.state == "running"
        problems = [manifest.problem, state.problem, plan.problem, finished.problem, _unreadable(calls, series.done)]
        return RunView(
            run_id=self._run.run_id,
            state=state.state,
            owner=state.owner,
            is_ours=state.owner is not None and state.owner.pid == os.getpid() and not state.owner.is_elsewhere,
            stop_requested=self._run.stop_requested(),
            plan=plan.value,
            series=series,
            progress=progress,
            rest_s=expected_rest_s(progress, plan.value, series) if is_active else None,
            used=finished.value.used + _at_work(calls, progress),
            throughput=self._journal.throughput(time.time()) if is_active else None,
            episodes=self._episodes.look(series.done),
            log=self._log.look(),
            problems=tuple(problem for problem in problems if problem is not None),
        )


def watch(run: RunDirectory) -> RunWatch:
    """The watch of a run, shared by everybody who looks at it; the few that were used last are kept."""
    with _watches_lock:
        kept = _watches.pop(run.path, None) or RunWatch(run)
        _watches[run.path] = kept
        while len(_watches) > _WATCHED_AT_ONCE:
            _watches.popitem(last=False)
    return kept


_watches: OrderedDict[Path, RunWatch] = OrderedDict()
_watches_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class _StateReading:
    state: RunState | None
    owner: Owner | None
    problem: LangMARLError | None


class _StateReader:
    """The state and the owner: their files are read when they changed, or when the lock changed hands."""

    def __init__(self, run: RunDirectory) -> None:
        self._run = run
        self._lock_held: bool | None = None
        self._followed = self._anew()

    def look(self) -> _StateReading:
        held = is_locked(self._run.layout.lock)
        stored = self._followed.look().value
        unsure = stored is None or (not held and stored.owner is not None)  # a host elsewhere: its heartbeat may end
        if held != self._lock_held or unsure:
            self._lock_held, self._followed = held, self._anew()
        reading = self._followed.look()
        return reading.value or _StateReading(None, None, reading.problem)

    def _anew(self) -> Followed[_StateReading | None]:
        layout = self._run.layout
        return Followed([layout.state, layout.owner], self._read, None)

    def _read(self) -> _StateReading:
        try:
            return _StateReading(self._run.state(), live_owner(self._run.layout), None)
        except LangMARLError as error:
            return _StateReading(None, live_owner(self._run.layout), error)


class _LogTail:
    """The newest lines of the log."""

    def __init__(self, path: Path) -> None:
        self._file = GrowingFile(path, newest_bytes=_LOG_BYTES)
        self._lines: tuple[str, ...] = ()

    def look(self) -> tuple[str, ...]:
        new = self._file.look()
        if new.lines or new.restarted:
            kept = () if new.restarted else self._lines
            fresh = [line.decode("utf-8", "replace") for line in new.lines[-LOG_LINES:]]
            self._lines = (*kept, *fresh)[-LOG_LINES:]
        return self._lines


def _used(by_role: object) -> Usage | None:
    """Over all roles; None where no role is listed."""
    usages = [usage_of(usage) for usage in mapping(by_role).values()]
    return total(usages) if usages else None


def _at_work(calls: CallSums, progress: Progress) -> Usage:
    """What no row of ``metrics.json`` counts yet.

    The evaluation of a checkpoint is in the journal of the iteration that follows: it counts here until its own row
    is written.
    """
    return calls.of("train") + calls.of("eval") if progress.evaluating else calls.of("train")


def _unreadable(calls: CallSums, iteration: int) -> LangMARLError | None:
    if not calls.unreadable:
        return None
    return LangMARLError(
        f"{calls.unreadable} line(s) in the journal of iteration {iteration} are no records of calls.",
        "They are not counted here; the run itself names file and line when it is resumed.",
    )
