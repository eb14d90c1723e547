"""What there is to know before a config is launched: the run it would go on with, and the runs at work."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langmarl.config import BaseConfig
from langmarl.errors import LangMARLError
from langmarl.store import Fingerprint, Index, RunDirectory, RunState

ACTIVE = ("queued", "running")
_MOST_LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class SameRun:
    """An earlier run of the same settings.

    Attributes:
        run_id: Which.
        state: Its state now.
        iterations_done: Finished iterations.
        num_iterations: As its config has it; None where unknown.
    """

    run_id: str
    state: RunState
    iterations_done: int
    num_iterations: int | None

    @property
    def is_active(self) -> bool:
        """Whether somebody works on it, or it waits for its turn."""
        return self.state.state in ACTIVE


@dataclass(frozen=True, slots=True)
class RunAtWork:
    """A run in a list of those at work, or just ended.

    Attributes:
        run_id: Which.
        state: Its state.
        reason: Why it is in it; None where there is nothing to say.
        updated_at: Since when, ISO 8601.
        iterations_done: Finished iterations.
        num_iterations: How many there are to be; None where unknown.
        last_reward: Mean reward of the last finished iteration; None before there is one.
    """

    run_id: str
    state: str
    reason: str | None
    updated_at: str
    iterations_done: int
    num_iterations: int | None
    last_reward: float | None


def same_run(index: Index, config: BaseConfig) -> SameRun | None:
    """The newest run of this ``exp_name`` and these settings, which starting the config again goes on with.

    What benchmark files and prompt templates contain is not looked at here, so it can still turn out to be another.
    """
    wanted = Fingerprint.of(config)
    for row in index.runs(exp_name=config.exp_name, limit=_MOST_LOOKED_AT):
        try:
            run = RunDirectory.open(row.path)
            if all(":" in name for name in run.manifest.fingerprint.differing(wanted)):
                return SameRun(row.run_id, run.state(), row.iterations_done, row.num_iterations)
        except (LangMARLError, OSError):
            continue
    return None


def runs_at_work(index: Index) -> list[RunAtWork]:
    """Queued and running ones, whoever works on them; the oldest first."""
    return [_at_work(row) for row in index.runs(state=ACTIVE, order="created_ns")]


def runs_just_ended(index: Index, limit: int = 5) -> list[RunAtWork]:
    """Those that ended last."""
    ended = ("completed", "stopped", "budget_reached", "failed", "interrupted")
    return [_at_work(row) for row in index.runs(state=ended, order="-updated_at", limit=limit)]


def launch_token(config: BaseConfig, *, fresh: bool, earlier: SameRun | None) -> str:
    """Names one intention to start: the same for a double click and in two tabs, another once the run has moved on."""
    state = "" if earlier is None else f"{earlier.run_id} {earlier.state.state} {earlier.state.updated_at}"
    return f"start {_digest(config.to_dict())} {fresh} {state}"


def resume_token(run_id: str, state: RunState, overrides: Mapping[str, Any]) -> str:
    """The same for resuming."""
    extra = f" {_digest(overrides)}" if overrides else ""
    return f"resume {run_id} {state.state} {state.updated_at}{extra}"


def _digest(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=True, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]


def _at_work(row: Any) -> RunAtWork:
    return RunAtWork(
        row.run_id,
        row.state,
        row.reason,
        row.updated_at,
        row.iterations_done,
        row.num_iterations,
        row.last_reward,
    )
