"""One budget of workers for everything a run has in flight."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from langmarl.errors import RunHalted

_POLL_S = 0.25  # how often `watch` is asked while nothing finishes


class Urgency(IntEnum):
    """What goes first when a worker is free; the lower, the sooner.

    An update holds up the next iteration. A judgement goes before a new episode, so an episode is judged as soon as
    it ends. Gradients come last: there are many, they wait for nothing more, and they fill the workers that would
    stand idle while the last episodes end.
    """

    UPDATE = 0
    JUDGE = 1
    ROLLOUT = 2
    GRADIENT = 3


@dataclass(order=True, slots=True)
class _Job:
    urgency: Urgency
    number: int
    work: Callable[[], Any] = field(compare=False)
    done: Callable[[Any], None] = field(compare=False)


class Schedule:
    """Runs jobs on at most ``max_workers`` threads, most urgent first.

    ``work`` runs in a worker; ``done`` receives its result in the thread that called :meth:`run`, one at a time, and
    may add more jobs. So only ``work`` needs to be thread-safe.

    Args:
        max_workers: Most jobs in flight at once.
        watch: Called a few times a second from :meth:`run`, to look for a request to stop; None: nothing to watch.
    """

    def __init__(self, max_workers: int, watch: Callable[[], None] | None = None) -> None:
        self._max_workers = max_workers
        self._watch = watch or (lambda: None)
        self._ready: list[_Job] = []
        self._numbers = itertools.count()

    def add(self, urgency: Urgency, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Queue one job; equal urgency keeps the order of adding."""
        heapq.heappush(self._ready, _Job(urgency, next(self._numbers), work, done))

    def run(self, on_error: Callable[[BaseException], None]) -> None:
        """Run every job, those added on the way included.

        When one raises, ``on_error`` is told at once (so that work in flight can be asked to end early), nothing new
        starts, what is in flight ends and is handled, and then the first exception is raised. Nothing is left
        running, and no exception is lost unseen.
        """
        running: dict[Future[Any], _Job] = {}
        error: BaseException | None = None
        with ThreadPoolExecutor(self._max_workers, thread_name_prefix="langmarl") as pool:
            while running or (self._ready and error is None):
                try:
                    while error is None and self._ready and len(running) < self._max_workers:
                        job = heapq.heappop(self._ready)
                        running[pool.submit(job.work)] = job
                    if error is None:
                        self._watch()
                    for future in wait(running, timeout=_POLL_S, return_when=FIRST_COMPLETED).done:
                        job = running.pop(future)
                        job.done(future.result())
                except BaseException as caught:  # halts and interrupts end the run in order, too
                    if error is None:
                        error = caught
                        on_error(caught)
                    elif not isinstance(caught, RunHalted):
                        error.add_note(f"Meanwhile: {caught!r}")
        self._ready.clear()
        if error is not None:
            raise error
