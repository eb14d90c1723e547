"""The runs that this server works on: a few at once in threads of their own, the others in a queue.

A run belongs to the server, not to the browser that started it: it goes on when every tab is closed. A run's thread
writes the run's files and the index, nothing else; pages read those.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dashboard.trust import require_endpoints, require_run
from langmarl.config import BaseConfig, load_config
from langmarl.errors import LangMARLError, RunOwnedError, UserMistake
from langmarl.store import Index, LocalStore, RunDirectory, StateName
from langmarl.store.lock import LockTimeoutError, is_locked, locked
from langmarl.trainer import MonteCarloTrainer, make_trainer
from langmarl.trainer.identity import choose_run

if TYPE_CHECKING:
    from langmarl.store import RunState

CLAIM = ".claim"
"""A file in the run directory, locked by the server that queues or trains the run. The run's own lock is taken only
when its training begins; without this one, a waiting run of another server would look like one that nobody has."""

_RESUME = "Resume it to go on."

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Job:
    """A run that waits or is being trained; gives its claim back at the end."""

    run: RunDirectory
    trainer: MonteCarloTrainer
    claim: contextlib.ExitStack
    thread: threading.Thread | None = None
    stop_asked: bool = False

    @property
    def run_id(self) -> str:
        return self.run.run_id

    def ask_to_stop(self, reason: str) -> None:
        self.stop_asked = True
        self.trainer.request_stop(reason)


class Supervisor:
    """Starts, queues, resumes and stops the runs of one experiment folder.

    One a process and folder. Safe from any thread. Runs of other processes are never touched, except to ask them to
    stop.

    Args:
        experiments_dir: The folder of all runs; where a config's own ``experiment_dir`` differs, this one counts.
        max_running: Most runs at once; further ones wait, first come, first served.
    """

    def __init__(self, experiments_dir: Path | str, max_running: int = 2) -> None:
        if max_running < 1:
            raise ValueError(f"max_running is at least 1, not {max_running}")
        self.max_running = max_running
        self._store = LocalStore(experiments_dir)
        self._lock = threading.RLock()
        self._starts: dict[str, Future[str]] = {}
        self._waiting: dict[str, _Job] = {}
        self._running: dict[str, _Job] = {}
        self._is_closed = False

    # starting

    def start(self, config: BaseConfig, token: str, *, fresh: bool = False) -> str:
        """Train by ``config``: now, or as soon as another run has ended.

        As on the command line, the newest run of the same ``exp_name`` and settings goes on. A run that is being
        worked on already, here or elsewhere, is not started a second time.

        Args:
            config: The config.
            token: Names one intention of a person, for example one filled-in form. The same token again, at the
                same instant or later, starts nothing and gives the same run; after an error it may be used again.
            fresh: A new run in any case.

        Returns:
            The run's id.

        Raises:
            UserMistake: The config cannot be run or asks for a key's consent (see ``trust``), the folder cannot be
                written, or the server is being stopped.
        """

        def begin() -> str:
            require_endpoints(config)
            return self._begin(config, fresh=fresh)

        return self._once(token, begin)

    def resume(self, run_id: str, token: str, overrides: Mapping[str, Any] | None = None) -> str:
        """Go on with a run that ended early, or that is to have more iterations.

        Args:
            run_id: The run.
            token: As for :meth:`start`.
            overrides: Settings to replace that cannot change the result, for example ``num_iterations``.

        Returns:
            The run's id.

        Raises:
            UserMistake: There is no such run, its config cannot be run or asks for consent (see ``trust``), the
                overrides would make it another run, or the server is being stopped.
        """

        def begin() -> str:
            run = self._store.run(run_id)
            require_run(run)
            config = load_config(run.layout.config, dict(overrides or {}), to_run=True)
            require_endpoints(config)
            return self._begin(config, run_id=run.run_id)

        return self._once(token, begin)

    # stopping

    def stop(self, run_id: str) -> None:
        """End a run after the calls in flight, whichever process works on it; a waiting one at once.

        Nothing happens where nobody works on it.

        Raises:
            UnknownNameError: There is no such run.
        """
        with self._lock:
            if run_id in self._waiting:
                self._leave_queue(self._waiting.pop(run_id), "stopped", "stopped while it waited in the queue")
            elif run_id in self._running:
                self._running[run_id].ask_to_stop("asked to on the dashboard")
            else:
                run = self._store.run(run_id)
                if run.owner is not None or _is_claimed(run):
                    run.request_stop()

    def close(self, timeout_s: float = 5.0) -> list[str]:
        """Bring all work to a safe state; nothing starts afterwards. Doing it again does no harm.

        Waiting runs become interrupted. Running ones are asked to stop after the calls in flight.

        Args:
            timeout_s: How long to wait for those calls, in seconds.

        Returns:
            The runs that are still busy with a call. What they finished is on disk, and when the process ends they
            are interrupted.
        """
        with self._lock:
            self._is_closed = True
            for job in self._waiting.values():
                self._leave_queue(job, "interrupted", "the dashboard was stopped while it waited in the queue.")
            self._waiting.clear()
            busy = list(self._running.values())
        for job in busy:
            job.ask_to_stop("the dashboard was stopped")
        deadline = time.monotonic() + timeout_s
        for job in busy:
            if job.thread is not None:
                job.thread.join(max(0.0, deadline - time.monotonic()))
        return self.running()

    # looking

    def is_queued(self, run_id: str) -> bool:
        """Whether the run waits here for its turn."""
        return run_id in self._waiting

    def is_stopping(self, run_id: str) -> bool:
        """Whether the run was asked to stop, from here or elsewhere, and has not yet."""
        job = self._running.get(run_id)
        if job is not None and job.stop_asked:
            return True
        with contextlib.suppress(LangMARLError):
            return self._store.run(run_id).stop_requested()
        return False

    def positions(self) -> dict[str, int]:
        """Run → its place in the queue, from 1."""
        with self._lock:
            return {run_id: place for place, run_id in enumerate(self._waiting, start=1)}

    def running(self) -> list[str]:
        """The runs that are being trained here, in order of their beginning."""
        with self._lock:
            return list(self._running)

    def recover(self) -> list[str]:
        """Call once at the start: waiting runs that a dead server left behind become interrupted.

        A run that was being trained needs nothing: without a live owner it counts as interrupted.

        Returns:
            The runs that were changed.
        """
        if not self._store.base_dir.is_dir():
            return []
        runs = Index(self._store.base_dir)
        runs.reconcile()
        left = [self._store.run(row.run_id) for row in runs.runs(state="queued")]
        changed = [run for run in left if run.run_id not in self._waiting and _abandon(run)]
        for run in changed:
            runs.try_update_run(run)
        return [run.run_id for run in changed]

    # inside

    def _once(self, token: str, begin: Callable[[], str]) -> str:
        with self._lock:
            earlier = self._starts.get(token)
            mine = self._starts.setdefault(token, Future())
        if earlier is not None:
            return earlier.result()
        try:
            mine.set_result(begin())
        except BaseException as error:
            with self._lock:
                del self._starts[token]
            mine.set_exception(error)
            raise
        return mine.result()

    def _begin(self, config: BaseConfig, *, fresh: bool = False, run_id: str | None = None) -> str:
        if run_id is not None and (run_id in self._waiting or run_id in self._running):
            return run_id
        self._refuse_if_closed()
        trainer = make_trainer(config, store=self._store)
        trainer.log_to_console = False
        with self._lock:
            self._refuse_if_closed()
            run = choose_run(self._store, config, trainer.env, fresh=fresh, run_id=run_id).run
            if run.run_id not in self._waiting and run.run_id not in self._running and run.owner is None:
                self._take(run, trainer)
            return run.run_id

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise UserMistake("the dashboard is being stopped; nothing is started any more.")

    def _take(self, run: RunDirectory, trainer: MonteCarloTrainer) -> None:
        """Claim a run, and train it or put it in the queue; nothing where another server has claimed it."""
        with contextlib.ExitStack() as claiming:
            try:
                claiming.enter_context(locked(run.path / CLAIM, patience_s=0))
            except LockTimeoutError:
                return
            except OSError as error:
                raise UserMistake(f"{run.path} cannot be written: {error}.", "Check its permissions.") from error
            if len(self._running) >= self.max_running:
                _write_state(run, "queued", None, None)
            job = _Job(run, trainer, claiming.pop_all())
        if len(self._running) < self.max_running:
            self._launch(job)
        else:
            self._waiting[job.run_id] = job

    def _launch(self, job: _Job) -> None:
        self._running[job.run_id] = job
        job.thread = threading.Thread(target=self._work, args=(job,), name=f"langmarl-run-{job.run_id}", daemon=True)
        job.thread.start()

    def _work(self, job: _Job) -> None:
        try:
            job.trainer.train(run_id=job.run_id)
        except BaseException as error:  # the thread's end: what is left to do is to say why
            _log.warning("%s ended: %s", job.run_id, error)
            _explain(job.run, error)
        finally:
            with self._lock:
                job.claim.close()
                del self._running[job.run_id]
                self._launch_next()

    def _launch_next(self) -> None:
        while self._waiting and len(self._running) < self.max_running and not self._is_closed:
            job = self._waiting.pop(next(iter(self._waiting)))
            if job.run.stop_requested():  # by another process, while it waited
                self._leave_queue(job, "stopped", "stopped while it waited in the queue")
            else:
                self._launch(job)

    def _leave_queue(self, job: _Job, state: StateName, reason: str) -> None:
        with job.claim:
            try:
                _write_state(job.run, state, reason, _RESUME)
                job.run.clear_stop()
            except (LangMARLError, OSError) as error:  # it stays queued, and the next start finds it without an owner
                _log.warning("%s: its state cannot be written: %s", job.run_id, error)


def _write_state(run: RunDirectory, state: StateName, reason: str | None, remedy: str | None) -> None:
    with run.acquire():
        run.write_state(state, reason, remedy)


def _abandon(run: RunDirectory) -> bool:
    """Make a waiting run interrupted where nobody has it; whether that was so."""
    if run.owner is not None or _is_claimed(run):
        return False
    try:
        with run.acquire():
            if run.stored_state().state != "queued":
                return False
            run.write_state("interrupted", "it waited in the queue of a server that is gone.", _RESUME)
    except (LangMARLError, OSError) as error:
        _log.warning("%s is left as it is: %s", run.run_id, error)
        return False
    return True


def _explain(run: RunDirectory, error: BaseException) -> None:
    """A run that failed before its training began has not yet said why."""
    if isinstance(error, RunOwnedError):
        return
    reason, remedy = str(error) or type(error).__name__, None
    if isinstance(error, LangMARLError):
        reason, remedy = error.message, error.remedy
    with contextlib.suppress(LangMARLError, OSError):
        state: RunState = run.stored_state()
        if state.state != "failed":
            _write_state(run, "failed", reason, remedy)


def _is_claimed(run: RunDirectory) -> bool:
    return is_locked(run.path / CLAIM)
