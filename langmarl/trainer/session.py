"""One process's time with a run: found or created, owned, and left in a state that says how it ended."""

from __future__ import annotations

import contextlib
import errno
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from langmarl.collector import EnvironmentPool, EpisodePlayer, Schedule
from langmarl.config import BaseConfig
from langmarl.envs import BaseEnvironment, BaseReward
from langmarl.errors import LangMARLError, ModelCallError, RunFailed, RunHalted, UnknownNameError
from langmarl.llm import RunCalls
from langmarl.store import RunDirectory, RunLogger, StateName
from langmarl.store.repair import repair_checkpoints
from langmarl.trainer.stats import best_checkpoint
from langmarl.usage import Usage, total


class RunSession(contextlib.AbstractContextManager["RunSession"]):
    """Owns one run from ``with`` to its end. Used by the training thread; only ``calls`` is shared with others.

    The one place where exceptions become states. A halt ends the block in good order (``stopped`` or
    ``budget_reached``). Anything else goes on to the caller and leaves the run ``failed`` with the reason, an
    interrupt from the keyboard ``stopped``.

    Args:
        run: The run.
        config: The config to go on with.
        env: Draws tasks; its clones play.
        reward_fn: Replaces the environment's reward; None keeps it.
        start: The policies of checkpoint 0, by agent.
        notice: Why it is this run, for the log.
        console: Whether the log goes to stderr as well as to the run's file.

    Attributes:
        run: The run.
        policies: What the next iteration acts under, by agent.
        next_iteration: The first iteration that is not finished.
        calls: What all model calls of the run share.
        schedule: The budget of workers.
        player: Plays episodes.
        log: The run's log.
    """

    run: RunDirectory
    policies: dict[str, str]
    next_iteration: int
    calls: RunCalls
    schedule: Schedule
    player: EpisodePlayer
    log: RunLogger

    def __init__(
        self,
        run: RunDirectory,
        config: BaseConfig,
        env: BaseEnvironment,
        reward_fn: BaseReward | None,
        *,
        start: Mapping[str, str],
        notice: str | None = None,
        console: bool = True,
    ) -> None:
        self.run = run
        self._start = start
        self._notice = notice
        self._console = console
        self._config = config
        self._env = env
        self._reward_fn = reward_fn
        self._resources = contextlib.ExitStack()
        from langmarl.store import Index  # a database library is slow to import, and only runs need it

        self._index = Index(run.path.parent)
        self._earlier: dict[int, Mapping[str, str]] = {}
        self._completed = False
        self._reason: str | None = None

    def __enter__(self) -> Self:
        with _naming_a_full_disk(), contextlib.ExitStack() as opening:
            opening.enter_context(self.run.acquire())
            self._open(opening)
            self._resources = opening.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        with _naming_a_full_disk():
            with self._resources:
                self._end(error)
            if isinstance(error, OSError):
                raise error
        return isinstance(error, RunHalted)

    def complete(self, reason: str | None) -> None:
        """The run has all it was asked for, or was ended early for ``reason``; without this word it is ``stopped``."""
        self._completed, self._reason = True, reason

    def check(self) -> None:
        """Raise :class:`RunHalted` where the run was asked to stop, from here or by another process."""
        if self.run.stop_requested():
            self.calls.halt("stopped", "asked to stop")
        self.calls.check()

    def check_turn(self, iteration: int) -> None:
        """Raise :class:`UnknownNameError` where ``iteration`` is not the next one, :class:`RunHalted` after a stop."""
        if iteration != self.next_iteration:
            raise UnknownNameError("next iteration", iteration, [self.next_iteration])
        self.check()

    def policies_at(self, checkpoint: int) -> Mapping[str, str]:
        """The policies of an earlier checkpoint; read from the disk once."""
        if checkpoint not in self._earlier:
            self._earlier[checkpoint] = self.run.checkpoints.get_policies(checkpoint)
        return self._earlier[checkpoint]

    def has_evaluation(self, checkpoint: int) -> bool:
        """Whether ``checkpoint`` was evaluated on the held-out tasks."""
        return self.run.metrics.has_evaluation(checkpoint)

    def log_callback_failure(self, callback: str, event: str, error: Exception) -> None:
        """A user's callback raised: worth a warning, never a run."""
        self.log.warning(f"{callback}.{event} failed and was ignored: {type(error).__name__}: {error}")
        self.log.debug("".join(traceback.format_exception(error)))

    def commit(self, iteration: int, policies: Mapping[str, str], stats: Mapping[str, Any]) -> None:
        """Make ``iteration`` part of the run for good: checkpoint, figures, index."""
        self.run.commit_iteration(iteration, policies, stats, totals=self._totals())
        self.policies = dict(policies)
        self.next_iteration = iteration + 1
        self._mark_best()

    def commit_evaluation(self, row: Mapping[str, Any]) -> None:
        """Make one evaluation part of the run for good."""
        self.run.metrics.append_evaluation(row, totals=self._totals())
        self._mark_best()

    # opening

    def _open(self, resources: contextlib.ExitStack) -> None:
        self.log = RunLogger.at(self.run, self._config.log_level, console=self._console)
        resources.callback(self.log.close)
        self._retry_failures()
        self.run.clear_stop()
        self._load_progress()
        self.calls = RunCalls(
            self.run.journal,
            max_cost_usd=self._config.max_cost_usd,
            max_total_tokens=self._config.max_total_tokens,
            on_trouble=self.log.warning,
        )
        # Not before all could be read: a run that cannot be opened keeps the state it was in.
        self.run.write_state("running")
        self.run.save_config(self._config)
        self.schedule = Schedule(self._config.max_workers, watch=self.check)
        pool = EnvironmentPool(self._env, self.log.warning)
        resources.callback(pool.close)
        self.player = EpisodePlayer(pool, self._reward_fn, self._log_failure)
        self._index.try_update_run(self.run)
        if self._notice:
            self.log.info(f"{self.run.run_id}: {self._notice}")
        self.log.info(f"{self.run.run_id}: running from iteration {self.next_iteration}")

    def _retry_failures(self) -> None:
        """Where too many episodes failed, the user mended the cause: the failed ones are played again."""
        if self.run.stored_state().state == "failed":
            self.run.trajectories.forget_failures(self.run.iteration_in_progress())

    def _load_progress(self) -> None:
        for mended in repair_checkpoints(self.run, self._start):
            self.log.warning(mended)
        self._apply_start_iteration()
        self.next_iteration = self.run.iterations_done()
        self.policies = self.run.checkpoints.get_policies(self.next_iteration)

    def _apply_start_iteration(self) -> None:
        """Once: a rerun with the same ``start_iteration`` goes on instead of starting there again."""
        start = self._config.start_iteration
        if start and self.run.manifest.start_iteration != start:
            aside = self.run.set_aside(start)
            self.log.info(f"from iteration {start} again; what came after is in set_aside/{aside.number}")

    def _log_failure(self, error: Exception) -> None:
        if not isinstance(error, ModelCallError):  # such a call has left its line already
            self.log.warning(f"an episode failed: {type(error).__name__}: {error}")
        self.log.debug("".join(traceback.format_exception(error)))

    # ending

    def _end(self, error: BaseException | None) -> None:
        ending = _Ending("completed", self._reason) if self._completed else _ending_of(error)
        if error is not None and not isinstance(error, LangMARLError | RunHalted | KeyboardInterrupt):
            self.log.error("".join(traceback.format_exception(error)))
        self.run.metrics.set_totals(self._totals())
        self.run.write_state(ending.state, ending.reason, ending.remedy)
        self.run.clear_stop()
        self._index.try_update_run(self.run)
        self.log.info(f"{self.run.run_id}: {ending.state}" + (f" ({ending.reason})" if ending.reason else ""))

    # figures

    def _mark_best(self) -> None:
        metrics = self.run.metrics.read()
        best = best_checkpoint(metrics.iterations, metrics.evaluations)
        self.run.metrics.set_best_checkpoint(best["checkpoint"] if best else None)
        self._index.try_update_run(self.run)

    def _totals(self) -> dict[str, Any]:
        """What the whole run has used: both phases, set-aside calls included, and each by itself."""
        phases = {name: self.calls.usage(phase=name) for name in ("train", "eval")}
        return {
            **total(self.calls.usage().values()).to_dict(),
            "by_role": _plain(self.calls.usage()),
            "by_model": _plain(self.calls.usage_by_model()),
            **{name: total(usage.values()).to_dict() for name, usage in phases.items()},
        }


@dataclass(frozen=True, slots=True)
class _Ending:
    state: StateName
    reason: str | None
    remedy: str | None = None


_GO_ON = {
    "stopped": "Run the same command again to go on.",
    "budget_reached": "Raise the limit and run the same command again to go on.",
}

_FULL = (errno.ENOSPC, errno.EDQUOT)
_FREE_SPACE = "Free space and run the same command again: it goes on, and what is on disk is not paid for again."

_REPORT = "This looks like a fault in LangMARL or in a plugin; run.log has the traceback. What was finished is kept."


def _ending_of(error: BaseException | None) -> _Ending:
    """The state that a run is left in when it is let go before its last iteration."""
    match error:
        case None:
            return _Ending("stopped", "let go before its last iteration", _GO_ON["stopped"])
        case RunHalted():
            return _Ending(error.state, error.reason, _GO_ON[error.state])
        case KeyboardInterrupt():
            return _Ending("stopped", "interrupted from the keyboard", _GO_ON["stopped"])
        case LangMARLError():
            return _Ending("failed", error.message, error.remedy)
        case OSError() if error.errno in _FULL:
            return _Ending("failed", f"the disk is full: {error}", _FREE_SPACE)
        case OSError():
            return _Ending("failed", str(error), "Check the run folder's permissions and run the same command again.")
        case _:
            return _Ending("failed", f"{type(error).__name__}: {error}", _REPORT)


@contextlib.contextmanager
def _naming_a_full_disk() -> Iterator[None]:
    """Turn the system's word that the disk is full into one that says how to go on."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise RunFailed(f"the disk is full: {error}", _FREE_SPACE) from error


def _plain(usage: Mapping[Any, Usage]) -> dict[str, Any]:
    return {str(name): value.to_dict() for name, value in usage.items()}
