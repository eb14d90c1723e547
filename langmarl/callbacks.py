"""Callbacks: what a user wants done at the milestones of a run."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langmarl.trajectory import Trajectory

if TYPE_CHECKING:
    from langmarl.trainer import MonteCarloTrainer  # for readers and type checkers; callbacks import nothing above

Stats = Mapping[str, Any]


class Callback:
    """Called by the trainer, in the thread that called ``train()``; override what you need.

    A callback that raises is logged and otherwise ignored: it can never end a run by accident. To end one on
    purpose, call ``trainer.stop("why")``; the run then ends, completed, after the iteration in progress.
    """

    def on_iteration_start(self, iteration: int, trainer: MonteCarloTrainer) -> None:
        """Before the first call of ``iteration``."""

    def on_iteration_end(self, iteration: int, stats: Stats, trainer: MonteCarloTrainer) -> None:
        """After ``iteration`` is on disk."""

    def on_episode_complete(self, trajectory: Trajectory, trainer: MonteCarloTrainer) -> None:
        """After each training episode that was played, in the order in which they finish."""

    def on_policy_update(self, agent_id: str, old_policy: str, new_policy: str) -> None:
        """After an update of one agent's policy was accepted and is on disk."""

    def on_evaluation(self, checkpoint: int, result: Stats, trainer: MonteCarloTrainer) -> None:
        """After the held-out evaluation of ``checkpoint`` is on disk."""

    def on_progress(self, progress: Any, trainer: MonteCarloTrainer) -> None:
        """After each step of an iteration or evaluation: a :class:`langmarl.collector.Progress`."""


class LoggingCallback(Callback):
    """Logs one line an iteration to the logger ``langmarl.progress``."""

    def __init__(self) -> None:
        self._log = logging.getLogger("langmarl.progress")

    def on_iteration_end(self, iteration: int, stats: Stats, trainer: MonteCarloTrainer) -> None:
        """Reward, tokens and cost of the iteration."""
        cost = "unknown" if stats["cost_usd"] is None else f"${stats['cost_usd']:.4f}"
        self._log.info(
            "iteration %d: reward %.3f (%.3f to %.3f over %d episodes), %d tokens, cost %s",
            iteration,
            stats["avg_reward"],
            stats["min_reward"],
            stats["max_reward"],
            stats["num_episodes"],
            stats["total_tokens"],
            cost,
        )


class CheckpointCallback(Callback):
    """Keeps a copy of the policies in another place (the run keeps its own checkpoints anyway).

    Args:
        directory: Where ``iter_0001/agent_1.txt`` and so on are written.
        every: Copy after every that many iterations.
    """

    def __init__(self, directory: str | Path, every: int = 1) -> None:
        if every < 1:
            raise ValueError(f"every must be at least 1, not {every}")
        self._directory = Path(directory)
        self._every = every

    def on_iteration_end(self, iteration: int, stats: Stats, trainer: MonteCarloTrainer) -> None:
        """Copy the policies that the next iteration acts under."""
        if (iteration + 1) % self._every:
            return
        folder = self._directory / f"iter_{iteration + 1:04d}"
        folder.mkdir(parents=True, exist_ok=True)
        for agent, policy in trainer.policies.items():
            (folder / f"{agent}.txt").write_text(policy, encoding="utf-8")


class EarlyStoppingCallback(Callback):
    """Ends the run when the mean reward has stopped rising.

    Args:
        patience: Iterations without progress before the run ends.
        min_delta: Smallest rise over the best mean so far that counts as progress, in units of reward.
    """

    def __init__(self, patience: int = 3, min_delta: float = 0.01) -> None:
        if patience < 1:
            raise ValueError(f"patience must be at least 1, not {patience}")
        self.patience = patience
        self.min_delta = min_delta
        self.best: float | None = None
        self.waited = 0

    def on_iteration_end(self, iteration: int, stats: Stats, trainer: MonteCarloTrainer) -> None:
        """Compare with the best so far, and stop when patience is used up."""
        reward = float(stats["avg_reward"])
        if self.best is None or reward >= self.best + self.min_delta:
            self.best, self.waited = reward, 0
            return
        self.waited += 1
        if self.waited >= self.patience:
            trainer.stop(f"no rise of {self.min_delta} over {self.best:.3f} in {self.patience} iterations")


class Callbacks:
    """Tells several callbacks, whatever any of them raises.

    Args:
        callbacks: In the order they are told.
        on_failure: Told the callback's class name, the event and the exception.
    """

    def __init__(self, callbacks: Iterable[Callback], on_failure: Callable[[str, str, Exception], None]) -> None:
        self._callbacks = list(callbacks)
        self._on_failure = on_failure

    def tell(self, event: str, *arguments: Any) -> None:
        """Call ``event`` (a method's name of :class:`Callback`) on each."""
        for callback in self._callbacks:
            try:
                getattr(callback, event)(*arguments)
            except Exception as error:  # a user's code: its faults must not cost a run
                self._on_failure(type(callback).__name__, event, error)
