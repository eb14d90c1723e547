"""What the Runs page shows, from the index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from dashboard.archive import is_archived
from langmarl.errors import LangMARLError
from langmarl.store import Index, RunDirectory
from langmarl.store.creation import run_folders
from langmarl.store.index import RunRow

ORDERS = {
    "Newest first": "-created_ns",
    "Oldest first": "created_ns",
    "Best reward": "-best_reward",
    "Last reward": "-last_reward",
    "Most tokens": "-total_tokens",
    "Highest cost": "-cost_usd",
    "Experiment": "exp_name",
    "State": "state",
}
"""What a person may sort by → the index's order."""


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One run, as a row of the table.

    Attributes:
        run_id: The run.
        state: Its state now.
        reason: Why it is in that state; None where there is nothing to say.
        experiment: Its ``exp_name``.
        environment: The environment, with the task type where it has one.
        paradigm: How credit is given.
        models: Its models, by role only where they differ.
        iterations_done: Finished iterations.
        num_iterations: Iterations it is to have; None where the config does not say.
        best_reward: Highest mean reward of an iteration; None before the first.
        last_reward: Mean reward of the latest iteration; None before the first.
        rewards: Mean rewards by iteration, thinned.
        total_tokens: Of all calls.
        cost_usd: US dollars; None where it is unknown.
        started: When it was created, by this machine's clock.
        updated_at: Since when it is in its state, ISO 8601.
        is_archived: Whether it is out of sight.
        path: Its directory.
    """

    run_id: str
    state: str
    reason: str | None
    experiment: str
    environment: str
    paradigm: str
    models: str
    iterations_done: int
    num_iterations: int | None
    best_reward: float | None
    last_reward: float | None
    rewards: list[float]
    total_tokens: int
    cost_usd: float | None
    started: datetime | None
    updated_at: str
    is_archived: bool
    path: str


@dataclass(frozen=True, slots=True)
class UnreadableRun:
    """A run directory that cannot be shown.

    Attributes:
        name: Its name.
        reason: What is wrong with it.
    """

    name: str
    reason: str


def run_summaries(index: Index, order: str = "-created_ns") -> list[RunSummary]:
    """Every run, archived ones included.

    Args:
        index: Up to date.
        order: As :meth:`Index.runs` takes it.
    """
    curves = index.reward_curves()
    return [_summary(row, curves.get(row.run_id, [])) for row in index.runs(order=order)]


def matching(
    runs: Iterable[RunSummary], *, states: Iterable[str] = (), text: str = "", archived: bool = False
) -> list[RunSummary]:
    """The runs that a person asked to see, in the order given.

    Args:
        runs: All.
        states: Only these; empty for any.
        text: Every word of it is in the run's name, experiment, environment, paradigm or models; case does not matter.
        archived: Archived runs as well.
    """
    wanted, words = set(states), text.casefold().split()
    return [
        run
        for run in runs
        if (archived or not run.is_archived)
        and (not wanted or run.state in wanted)
        and all(word in _searched(run) for word in words)
    ]


def unreadable_runs(experiments_dir: Path, known: Iterable[str]) -> list[UnreadableRun]:
    """The run directories that the index leaves out, each with its reason.

    Args:
        experiments_dir: The folder of all runs.
        known: The runs that the index has.
    """
    listed = set(known)
    left_out = sorted(folder for folder in run_folders(experiments_dir) if folder.name not in listed)
    return [UnreadableRun(folder.name, _fault_of(folder)) for folder in left_out]


def _summary(row: RunRow, rewards: list[float]) -> RunSummary:
    return RunSummary(
        run_id=row.run_id,
        state=row.state,
        reason=row.reason,
        experiment=row.exp_name,
        environment=f"{row.env} · {row.task_type}" if row.task_type else row.env,
        paradigm=row.paradigm or "",
        models=_models(row.models),
        iterations_done=row.iterations_done,
        num_iterations=row.num_iterations,
        best_reward=row.best_reward,
        last_reward=row.last_reward,
        rewards=rewards,
        total_tokens=row.total_tokens,
        cost_usd=row.cost_usd,
        started=_local(row.created_at),
        updated_at=row.updated_at,
        is_archived=is_archived(row.path),
        path=row.path,
    )


def _models(models: Mapping[str, str]) -> str:
    names = set(models.values())
    if len(names) <= 1:
        return next(iter(names), "")
    return ", ".join(f"{role}: {name}" for role, name in models.items())


def _local(moment: str) -> datetime | None:
    try:
        return datetime.fromisoformat(moment).astimezone().replace(tzinfo=None)
    except ValueError:
        return None


def _searched(run: RunSummary) -> str:
    return " ".join((run.run_id, run.experiment, run.environment, run.paradigm, run.models)).casefold()


def _fault_of(folder: Path) -> str:
    try:
        run = RunDirectory.open(folder)
        run.config_data(), run.state(), run.metrics.read()
    except LangMARLError as error:
        return error.message
    except OSError as error:
        return str(error)
    return "it could not be read a moment ago; it will be tried again."
