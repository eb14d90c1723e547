"""``langmarl runs`` and ``langmarl stop``."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from langmarl.cli.options import EXPERIMENTS, Experiments, Json, RunName, number, whole_number
from langmarl.cli.printing import complain, dollars, reward, say, say_json, show_table
from langmarl.cli.selection import experiments_folder, open_run
from langmarl.errors import RunFailed, UnknownNameError, UserMistake
from langmarl.store import STATES, RunDirectory

if TYPE_CHECKING:
    from langmarl.store.index import Index, RunRow

_POLL_S = 0.1
_NOT_FOR_USERS = {"scope", "stamp", "created_ns"}


def list_runs(
    experiments: Experiments = EXPERIMENTS,
    state: Annotated[
        list[str] | None,
        typer.Option(
            "--state", "-s", metavar="STATE", help=f"Only runs in this state ({', '.join(STATES)}); repeatable."
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", parser=whole_number(1), metavar="N", help="At most so many.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the runs, the newest first."""
    for name in state or ():
        if name not in STATES:
            raise UnknownNameError("state", name, STATES)
    listing = _list(experiments_folder(experiments), state, limit)
    rows = listing.rows
    for reason in listing.unreadable:
        complain(f"1 run cannot be read: {reason}")
    if as_json:
        say_json([row.model_dump(exclude=_NOT_FOR_USERS) for row in rows])
    elif rows:
        headers = [
            "run",
            "state",
            "env",
            "paradigm",
            "iterations",
            "reward",
            "best checkpoint",
            "tokens",
            "cost",
            "started",
        ]
        show_table(headers, [_cells(row) for row in rows], numbers_from=4)
    elif not listing.unreadable:
        wanted = f" in state {' or '.join(state)}" if state else ""
        complain(f"There is no run{wanted} in {experiments}. To start one: langmarl train configs/quickstart.json")


def stop(
    run: RunName,
    experiments: Experiments = EXPERIMENTS,
    wait: Annotated[
        float | None,
        typer.Option("--wait", "-w", parser=number(0), metavar="SECONDS", help="Wait so long for the run to end."),
    ] = None,
) -> None:
    """Ask a run to stop after the calls in flight.

    From any terminal; `langmarl resume` goes on with it later.

    Exit codes: 0 asked, or ended with --wait, or nobody runs it; 2 no such run; 3 still running after --wait.
    """
    directory = open_run(run, experiments)
    owner = directory.owner
    if owner is None:
        say(f"{directory.run_id} is {directory.state().state}: no process runs it, so there is nothing to stop.")
        return
    directory.request_stop()
    say(f"{directory.run_id}: asked {owner} to stop after the calls in flight.")
    if wait is None:
        return
    deadline = time.monotonic() + wait
    while directory.owner is not None:
        if time.monotonic() >= deadline:
            raise RunFailed(f"{directory.run_id} is still running after {wait:g} s.", "It stops after its last calls.")
        time.sleep(_POLL_S)
    say(f"{directory.run_id}: {directory.state().state}.")


@dataclass(frozen=True, slots=True)
class _Listing:
    """What was found.

    Attributes:
        rows: The runs that were asked for, the newest first.
        unreadable: Why a run is left out, one text each.
    """

    rows: list[RunRow]
    unreadable: list[str]


def _list(experiments: Path, states: list[str] | None, limit: int | None) -> _Listing:
    if not experiments.is_dir():  # asking for what is there must not make it
        return _Listing([], [])
    from langmarl.store.index import Index, IndexUnusableError  # SQLAlchemy is slow to import

    try:
        return _list_by(Index(experiments), experiments, states, limit)
    except IndexUnusableError as error:
        complain(f"{error.message}; every run was read instead.")
        return _list_by(Index(experiments, in_memory=True), experiments, states, limit)


def _list_by(runs: Index, experiments: Path, states: list[str] | None, limit: int | None) -> _Listing:
    changes = runs.reconcile(quiet=True)
    for row in runs.runs(state="running"):  # what it has used changes from call to call, without the index
        with contextlib.suppress(UserMistake):
            runs.update_run(RunDirectory.open(experiments / row.run_id))
    return _Listing(runs.runs(state=states or None, limit=limit), list(changes.unreadable.values()))


def _cells(row: RunRow) -> list[str]:
    task = f"{row.env}/{row.task_type}" if row.task_type else row.env
    done = f"{row.iterations_done}/{'?' if row.num_iterations is None else row.num_iterations}"
    rewards = "–" if row.first_reward is None else f"{reward(row.first_reward)} → {reward(row.last_reward)}"
    tokens = f"{row.total_tokens:,}"
    started = _local_time(row.created_at)
    paradigm, best = _text(row.paradigm), _text(row.best_checkpoint)
    return [row.run_id, row.state, task, paradigm, done, rewards, best, tokens, dollars(row.cost_usd), started]


def _text(value: Any) -> str:
    return "–" if value is None else str(value)


def _local_time(moment: str) -> str:
    """``2026-03-01 12:00`` of an ISO 8601 time, by this machine's clock."""
    try:
        return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return moment
