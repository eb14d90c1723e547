"""How a run is doing, while it runs: a live display in a terminal, plain lines elsewhere; always on stderr."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from langmarl.callbacks import Callback, Stats
from langmarl.cli.printing import dollars, plain, reward, seconds
from langmarl.cli.report import INCIDENTS
from langmarl.usage import total

if TYPE_CHECKING:
    from langmarl.collector import Progress as Step
    from langmarl.trainer import MonteCarloTrainer

_REFRESH_PER_S = 5
_USAGE_EVERY_S = 0.2  # summing the usage takes longer the longer the run is


class ProgressDisplay(Callback, contextlib.AbstractContextManager["ProgressDisplay"]):
    """Shows iterations, the steps of the present one, the last mean reward, tokens and cost.

    In a terminal two bars stay at the bottom, and a line for each finished iteration or evaluation is left above
    them. Elsewhere there are only the lines.

    Args:
        num_iterations: How many the run is to have in all.

    Attributes:
        iterations_run: Iterations that ended while this display was open.
    """

    def __init__(self, num_iterations: int) -> None:
        self._num_iterations = num_iterations
        self._bars = _Bars(num_iterations) if _is_live() else None
        self.iterations_run = 0

    def __enter__(self) -> Self:
        if self._bars is not None:
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    def on_iteration_start(self, iteration: int, trainer: MonteCarloTrainer) -> None:
        """Show where the run is; after a restart it is not at its beginning."""
        if self._bars is not None:
            self._bars.begin(iteration, trainer)

    def on_progress(self, progress: Step, trainer: MonteCarloTrainer) -> None:
        """Move the lower bar, and bring the usage up to date."""
        if self._bars is not None:
            self._bars.move(progress, trainer)

    def on_iteration_end(self, iteration: int, stats: Stats, trainer: MonteCarloTrainer) -> None:
        """Leave a line, and move the upper bar."""
        self.iterations_run += 1
        if self._bars is not None:
            self._bars.end(iteration, stats, trainer)
        self._write(iteration_line(iteration, self._num_iterations, stats))

    def on_evaluation(self, checkpoint: int, result: Stats, trainer: MonteCarloTrainer) -> None:
        """Leave a line."""
        self._write(evaluation_line(checkpoint, result))

    def _write(self, line: str) -> None:
        print(plain(line), file=sys.stderr, flush=True)  # a live display has put itself in stderr's place


def iteration_line(iteration: int, num_iterations: int, stats: Stats) -> str:
    """What one iteration came to, on one line."""
    spread = ", ".join([f"{stats['min_reward']:.2f} to {stats['max_reward']:.2f}", *_metrics(stats["metrics"])])
    return (
        f"iteration {iteration} ({iteration + 1} of {num_iterations}): "
        f"reward {reward(stats['avg_reward'])} ({spread}), "
        f"{stats['total_tokens']:,} tokens, {dollars(stats['cost_usd'])}, {seconds(stats['duration_s'])}"
        f"{_incidents(stats)}"
    )


def evaluation_line(checkpoint: int, result: Stats) -> str:
    """What one held-out evaluation came to, on one line."""
    usage = result["usage"]
    about = ", ".join([f"{result['num_tasks']} tasks", *_metrics(result["metrics"])])
    failed = f"; failed episodes: {result['failed_episodes']}" if result["failed_episodes"] else ""
    return (
        f"checkpoint {checkpoint}: held-out reward {reward(result['avg_reward'])} ({about}), "
        f"{usage['total_tokens']:,} tokens, {dollars(usage['cost_usd'])}, {seconds(result['duration_s'])}{failed}"
    )


def _metrics(metrics: Mapping[str, float]) -> list[str]:
    return [f"{name} {value:.2f}" for name, value in metrics.items()]


def _incidents(stats: Stats) -> str:
    found = [f"{name.replace('_', ' ')}: {stats[name]}" for name in INCIDENTS if stats[name]]
    if stats["reverted_to"] is not None:
        found.append(f"went back to checkpoint {stats['reverted_to']}")
    return f"; {', '.join(found)}" if found else ""


def _is_live() -> bool:
    return sys.stderr.isatty() and not Console(stderr=True).is_dumb_terminal


class _Bars:
    """Two bars: the run's iterations, and the episodes of the present one. Used by the training thread only."""

    def __init__(self, num_iterations: int) -> None:
        self._num_iterations = num_iterations
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=16),
            MofNCompleteColumn(),
            TextColumn("{task.fields[detail]}", markup=False),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            refresh_per_second=_REFRESH_PER_S,
        )
        self._run = self._progress.add_task("iterations", total=num_iterations, detail="")
        self._step = self._progress.add_task("starting", total=None, detail="")
        self._reward: float | None = None
        self._usage_at = 0.0

    def start(self) -> None:
        """Begin to draw; from here on what goes to stdout or stderr appears above the bars."""
        self._progress.start()

    def stop(self) -> None:
        """Leave the bars as they are."""
        self._progress.stop()

    def begin(self, iteration: int, trainer: MonteCarloTrainer) -> None:
        """An iteration begins."""
        history = trainer.history
        self._reward = history[-1]["avg_reward"] if history else None
        self._progress.update(self._run, completed=iteration)
        self._show_usage(trainer)

    def move(self, step: Step, trainer: MonteCarloTrainer) -> None:
        """Something was finished."""
        what = f"iteration {step.iteration}" if step.phase == "train" else f"evaluation {step.iteration}"
        self._progress.update(
            self._step, description=what, total=step.episodes_total, completed=step.episodes, detail=_step_detail(step)
        )
        if time.monotonic() - self._usage_at > _USAGE_EVERY_S:
            self._show_usage(trainer)

    def end(self, iteration: int, stats: Stats, trainer: MonteCarloTrainer) -> None:
        """An iteration has ended."""
        self._reward = stats["avg_reward"]
        self._progress.update(self._run, completed=iteration + 1)
        self._show_usage(trainer)

    def _show_usage(self, trainer: MonteCarloTrainer) -> None:
        used = total(trainer.session.calls.usage().values())
        parts = [f"reward {reward(self._reward)}", f"{used.total_tokens:,} tokens", dollars(used.cost_usd)]
        self._progress.update(self._run, detail=" · ".join(parts))
        self._usage_at = time.monotonic()


def _step_detail(step: Step) -> str:
    if step.phase != "train":
        return "episodes"
    return f"episodes · {step.judged} judged · {step.notes} notes · {step.updates}/{step.updates_total} updates"
