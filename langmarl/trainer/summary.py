"""A run in one object, as programs want it."""

from __future__ import annotations

from typing import Any

from langmarl.store import RunDirectory
from langmarl.trainer.stats import best_checkpoint


def summarize(run: RunDirectory) -> dict[str, Any]:
    """The run as plain JSON values: identity, state, and the figures of all its iterations and evaluations.

    Raises:
        UserMistake: One of its files is damaged, or was written by a newer LangMARL.
    """
    state, metrics = run.state(), run.metrics.read()
    return {
        "run_id": run.run_id,
        "run_dir": str(run.path.resolve()),
        "state": state.state,
        "reason": state.reason,
        "remedy": state.remedy,
        "iterations": metrics.iterations,
        "evaluations": metrics.evaluations,
        "best_checkpoint": best_checkpoint(metrics.iterations, metrics.evaluations),
        "totals": run.totals(),
    }
