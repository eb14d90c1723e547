"""From runs on disk to the figures that are printed."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.learning_local_parts.intervals import bootstrap, paired_difference
from benchmarks.learning_local_parts.settings import RESAMPLES
from langmarl import Trajectory
from langmarl.store import RunDirectory


@dataclass(frozen=True, slots=True)
class Scores:
    """Each held-out question's F1 and exact match; None where the episode failed."""

    f1: list[float | None]
    em: list[float | None]

    def figures(self) -> dict[str, Any]:
        """Both means with their intervals."""
        return {"f1": _estimate(self.f1), "em": _estimate(self.em), "failed": self.f1.count(None)}

    def gain_over(self, before: Scores) -> dict[str, Any]:
        """The mean differences question by question, with their intervals."""
        return {
            "f1": asdict(paired_difference(before.f1, self.f1, RESAMPLES)),
            "em": asdict(paired_difference(before.em, self.em, RESAMPLES)),
        }


def scores_of(run: RunDirectory) -> Scores:
    """Those of an evaluation, question by question."""
    [row] = [row for row in run.metrics.read().evaluations if row["checkpoint"] == 0]
    episodes = [run.held_out.get(0, number) for number in range(row["num_tasks"])]
    played = [episode if isinstance(episode, Trajectory) else None for episode in episodes]
    return Scores(
        [None if episode is None else episode.reward for episode in played],
        [None if episode is None else float(episode.metadata["em"]) for episode in played],
    )


def mean_scores(several: Sequence[Scores]) -> Scores:
    """Each question's mean over several evaluations; None where one of them lacks it."""
    return Scores(
        [_mean(values) for values in zip(*(scores.f1 for scores in several), strict=True)],
        [_mean(values) for values in zip(*(scores.em for scores in several), strict=True)],
    )


def best_in_training(run: RunDirectory) -> int:
    """The checkpoint whose own training episodes scored best, the earliest of several.

    No held-out question has a say, so its held-out score is not flattered by the choice. The last checkpoint has
    played no training episode and is never chosen.
    """
    rows = run.metrics.iterations()
    return int(max(rows, key=lambda row: (row["avg_reward"], -row["iteration"]))["iteration"])


def usage_figures(runs: Sequence[RunDirectory]) -> dict[str, Any]:
    """Tokens by role, calls and seconds of all model calls, those before an interruption included."""
    calls = [record for run in runs for record in run.journal.read_all()]
    tokens: dict[str, dict[str, int]] = {}
    for record in calls:
        of_role = tokens.setdefault(record.key.role, {"input": 0, "output": 0, "calls": 0})
        of_role["input"] += record.usage.input_tokens
        of_role["output"] += record.usage.output_tokens
        of_role["calls"] += record.usage.calls
    return {"tokens_by_role": tokens, "seconds": sum(record.duration_s for record in calls)}


def training_figures(run: RunDirectory) -> dict[str, Any]:
    """What one training run scored while it trained, what was refused, and what it took."""
    rows = run.metrics.iterations()
    usage = usage_figures([run])
    return {
        "run_id": run.run_id,
        "training_f1": [row["avg_reward"] for row in rows],
        "refused_updates": [row["refusals"] for row in rows],
        "unparsed_critic_answers": sum(row["unparsed_answers"] for row in rows),
        "unusable_notes": sum(row["unusable_notes"] for row in rows),
        "reverted_to": [row["reverted_to"] for row in rows],
        **usage,
        "seconds_an_episode": usage["seconds"] / sum(row["num_episodes"] + row["failed_episodes"] for row in rows),
    }


def evaluation_figures(runs: Iterable[RunDirectory]) -> dict[str, Any]:
    """What evaluations took, each counted once however many checkpoints share it."""
    distinct = list({run.run_id: run for run in runs}.values())
    usage = usage_figures(distinct)
    episodes = sum(row["num_tasks"] for run in distinct for row in run.metrics.read().evaluations)
    return {"evaluations": len(distinct), **usage, "seconds_an_episode": usage["seconds"] / episodes}


def _estimate(values: Sequence[float | None]) -> dict[str, float]:
    return asdict(bootstrap([value for value in values if value is not None], RESAMPLES))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if len(known) == len(values) else None
