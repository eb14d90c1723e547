"""From a run directory to its rows in the index."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langmarl.errors import UserMistake
from langmarl.store.index.tables import IterationRow, RunRow
from langmarl.store.metrics import Metrics
from langmarl.store.run_directory import RunDirectory
from langmarl.store.state import RunState

_log = logging.getLogger(__name__)

_INDEXED_FILES = ("run.json", "config.json", "state.json", "metrics.json")

_AT_WORK = ("running", "queued")

_FALLBACKS = {
    "actor": ("actor_llm", "llm"),
    "critic": ("critic_llm", "llm"),
    "optimizer": ("optimizer_llm", "llm"),
    "judge": ("judge_llm",),
}
"""Role → the config fields that may name its model, in order. Few runs have a judge: only where one is named."""


@dataclass(frozen=True, slots=True)
class RunRows:
    """What the index holds of one run."""

    run: RunRow
    iterations: list[IterationRow]


def stamp_of(folder: Path) -> str:
    """Changes whenever one of the files that the rows are made from is replaced; costs four looks at the disk."""
    return " ".join(_file_stamp(folder / name) for name in _INDEXED_FILES)


def rows_of(run: RunDirectory, scope: str) -> RunRows:
    """Read one run.

    Raises:
        UserMistake: One of its files is damaged, missing, or from a newer LangMARL.
    """
    # Before the content: if a file changes in between, the row is read again next time rather than never.
    stamp = stamp_of(run.path)
    manifest, config, state, metrics = run.manifest, run.config_data(), run.state(), run.metrics.read()
    totals = _totals(run, state, metrics)
    rewards = [reward for row in metrics.iterations if (reward := _number(row.get("avg_reward"))) is not None]
    row = RunRow(
        scope=scope,
        run_id=run.run_id,
        exp_name=_text(manifest.exp_name) or "",
        env=_text(manifest.env) or "",
        task_type=_text(config.get("task_type")),
        paradigm=_text(config.get("paradigm")),
        models=_models(config),
        state=state.state,
        reason=_text(state.reason),
        iterations_done=len(metrics.iterations),
        num_iterations=_whole(config.get("num_iterations")),
        first_reward=rewards[0] if rewards else None,
        best_reward=max(rewards, default=None),
        last_reward=rewards[-1] if rewards else None,
        best_checkpoint=metrics.best_checkpoint,
        total_tokens=_total_tokens(totals, metrics),
        cost_usd=_cost(totals, metrics),
        created_at=manifest.created_at,
        created_ns=manifest.created_ns,
        updated_at=state.updated_at,
        path=str(run.path.resolve()),
        stamp=stamp,
    )
    return RunRows(row, [_iteration_row(run, scope, stats) for stats in metrics.iterations])


def _iteration_row(run: RunDirectory, scope: str, stats: Mapping[str, Any]) -> IterationRow:
    return IterationRow(
        scope=scope,
        run_id=run.run_id,
        iteration=stats["iteration"],
        num_episodes=_whole(stats.get("num_episodes")),
        avg_reward=_number(stats.get("avg_reward")),
        min_reward=_number(stats.get("min_reward")),
        max_reward=_number(stats.get("max_reward")),
        input_tokens=_whole(stats.get("input_tokens")),
        output_tokens=_whole(stats.get("output_tokens")),
        total_tokens=_whole(stats.get("total_tokens")),
        cost_usd=_number(stats.get("cost_usd")),
    )


def _file_stamp(path: Path) -> str:
    try:
        status = path.stat()
    except OSError:
        return "-"
    # The inode too: a replaced file of equal size may fall into the same tick of the clock.
    return f"{status.st_mtime_ns}:{status.st_size}:{status.st_ino}"


def _models(config: Mapping[str, Any]) -> dict[str, str]:
    found = {
        role: next((config[field] for field in fields if config.get(field)), None)
        for role, fields in _FALLBACKS.items()
    }
    return {role: _text(_model_name(value)) or "" for role, value in found.items() if value}


def _model_name(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value.get("model_string") or value.get("preset") or value.get("name") or "")
    return str(value)


def _totals(run: RunDirectory, state: RunState, metrics: Metrics) -> Mapping[str, Any]:
    """What the run has used; with an unknown cost where its journal cannot be read.

    Of a run at work it is what the run said last, after an iteration or an evaluation: it says so again soon, and to
    sum a journal of a thousand iterations for the first time takes many seconds.
    """
    if state.state in _AT_WORK and metrics.totals:
        return metrics.totals
    try:
        return run.totals()
    except UserMistake as error:
        _log.warning("what %s has used is unknown: %s", run.run_id, error.message)
        return {"cost_usd": None}


def _total_tokens(totals: Mapping[str, Any], metrics: Metrics) -> int:
    if "total_tokens" in totals:
        return _whole(totals["total_tokens"]) or 0
    return sum(_whole(row.get("total_tokens")) or 0 for row in metrics.iterations)


def _cost(totals: Mapping[str, Any], metrics: Metrics) -> float | None:
    if "cost_usd" in totals:
        return _number(totals["cost_usd"])
    costs = [_number(row.get("cost_usd")) for row in metrics.iterations]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _number(value: Any) -> float | None:
    """``value`` as a finite number, or None: databases have no agreed form for the others."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def _whole(value: Any) -> int | None:
    """``value`` as a whole number that a database can hold, or None: files may have been edited by hand."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 2**63:
        return None
    return value


def _text(value: Any) -> str | None:
    """``value`` as text that has a UTF-8 form, or None where it is no text."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else None
