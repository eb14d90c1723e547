"""What a run came to, for people: printed when training ends, and by ``langmarl show``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from langmarl.cli.options import EXPERIMENTS
from langmarl.cli.printing import dollars, reward, say, seconds, show_table
from langmarl.usage import ROLES

Summary = Mapping[str, Any]
Row = Mapping[str, Any]

_STYLES = {"completed": "bold green", "failed": "bold red"}

INCIDENTS = ("failed_episodes", "unparsed_answers", "unparsed_actions", "unusable_notes", "refused_updates")
"""Counts that get a column where any iteration has one."""


def report(summary: Summary, *, iterations_run: int | None = None) -> None:
    """Print a run to standard output: state, iterations, evaluations, usage, and what to do next.

    Args:
        summary: As :func:`langmarl.trainer.summary.summarize` gives it.
        iterations_run: How many of the iterations this process ran; None: it ran none and was not asked to.
    """
    say_state(summary, iterations_run=iterations_run)
    show_iterations(summary["iterations"])
    show_evaluations(summary)
    show_usage(summary["totals"])
    _say_next(summary)


def say_state(summary: Summary, *, iterations_run: int | None = None) -> None:
    """The state, why, and what to do about it."""
    state, done = summary["state"], len(summary["iterations"])
    say(
        f"{summary['run_id']}: {state}, {done} iteration{'' if done == 1 else 's'} finished", _STYLES.get(state, "bold")
    )
    for line in (summary["reason"], summary["remedy"]):
        if line:
            say(line)
    if state == "completed" and iterations_run == 0:
        say("There was nothing to do. Ask for more with -o num_iterations=N, or start anew with --fresh.")


def show_iterations(iterations: Sequence[Row]) -> None:
    """One row an iteration; a column only for what any of them has."""
    if not iterations:
        return
    metrics = sorted({name for row in iterations for name in row.get("metrics", {})})
    incidents = [name for name in INCIDENTS if any(row.get(name) for row in iterations)]
    reverts = any(row.get("reverted_to") is not None for row in iterations)
    headers = ["iteration", "reward", "min", "max", *metrics, "tokens", "cost", "time"]
    headers += [*(name.replace("_", " ") for name in incidents), *(["went back to"] if reverts else [])]
    say()
    show_table(headers, [_iteration(row, metrics, incidents, reverts) for row in iterations], numbers_from=0)


def _iteration(row: Row, metrics: Sequence[str], incidents: Sequence[str], reverts: bool) -> list[str]:
    cells = [str(row["iteration"]), *(reward(row.get(name)) for name in ("avg_reward", "min_reward", "max_reward"))]
    cells += [reward(row.get("metrics", {}).get(name)) for name in metrics]
    cells += [f"{row.get('total_tokens', 0):,}", dollars(row.get("cost_usd")), seconds(row.get("duration_s", 0.0))]
    cells += [str(row.get(name, 0)) for name in incidents]
    if reverts:
        back_to = row.get("reverted_to")
        cells.append("" if back_to is None else f"checkpoint {back_to}")
    return cells


def show_evaluations(summary: Summary) -> None:
    """One row an evaluated checkpoint, the best one marked, and how that was chosen."""
    evaluations, best = summary["evaluations"], summary["best_checkpoint"]
    if evaluations:
        metrics = sorted({name for row in evaluations for name in row["metrics"]})
        headers = ["checkpoint", "held-out reward", *metrics, "validation half", "report half", "best"]
        chosen = best["checkpoint"] if best else None
        say()
        show_table(headers, [_evaluation(row, metrics, chosen) for row in evaluations], numbers_from=0)
    if best:
        say()
        say(_about_best(best))


def _evaluation(row: Row, metrics: Sequence[str], best: int | None) -> list[str]:
    return [
        str(row["checkpoint"]),
        reward(row["avg_reward"]),
        *(reward(row["metrics"].get(name)) for name in metrics),
        reward(row["validation_reward"]),
        reward(row["report_reward"]),
        "*" if row["checkpoint"] == best else "",
    ]


def _about_best(best: Row) -> str:
    if best["basis"] == "held_out":
        return (
            f"Best checkpoint: {best['checkpoint']}, chosen on the validation half of the held-out tasks; "
            f"on the report half, which had no say, its reward is {reward(best['reward'])}."
        )
    return (
        f"Best checkpoint: {best['checkpoint']}, with a mean training reward of {reward(best['reward'])}. Chosen on "
        "the episodes it is judged by, it looks better than it is; set eval_tasks for a fair figure."
    )


def show_usage(totals: Mapping[str, Any]) -> None:
    """One row a role, and the sum."""
    by_role = totals.get("by_role") or {}
    if not by_role:
        return
    rows = [(role, by_role[role]) for role in ROLES if role in by_role]
    say()
    show_table(
        ["role", "calls", "input tokens", "output tokens", "cost", "retries", "failures"],
        [_usage(name, usage) for name, usage in [*rows, ("total", totals)]],
        numbers_from=1,
    )


def _usage(name: str, usage: Row) -> list[str]:
    counts = (f"{usage[field]:,}" for field in ("calls", "input_tokens", "output_tokens"))
    return [name, *counts, dollars(usage["cost_usd"]), str(usage["retries"]), str(usage["failures"])]


def _say_next(summary: Summary) -> None:
    run = run_option(Path(summary["run_dir"]))
    say()
    say(f"The run is in {summary['run_dir']}. To look at it:")
    say(f"  langmarl show {run}")
    if summary["iterations"]:
        say(f"  langmarl diff {run}")
        say(f"  langmarl export {run} --checkpoint best")


def run_option(run_dir: Path) -> str:
    """How to name a run on the command line, from this working directory."""
    if run_dir.parent.resolve() == EXPERIMENTS.resolve():
        return run_dir.name
    return str(run_dir)
