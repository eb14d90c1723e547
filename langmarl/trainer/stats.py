"""The figures of one iteration, and of one evaluation."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from langmarl.collector import Episode, IterationOutcome
from langmarl.store import FailedEpisode
from langmarl.trajectory import Trajectory
from langmarl.usage import Role, Usage, total


def iteration_stats(
    iteration: int,
    paradigm: str,
    outcome: IterationOutcome,
    by_role: Mapping[Role, Usage],
    by_model: Mapping[str, Usage],
    duration_s: float,
) -> dict[str, Any]:
    """The stats of one iteration: its own episodes and its own training calls, over all roles.

    Keys beyond the documented ones of ``train_one_iteration``: ``iteration``, ``metrics`` (means of what the
    environment reports), ``duration_s`` (of this process, in seconds), ``calls``, ``retries``, ``usage_by_role``,
    ``usage_by_model``, ``failed_episodes``, ``unparsed_answers`` (critic answers that left an agent without an
    assessment), ``unparsed_actions`` (answers of the team that the environment could not read), ``unusable_notes``,
    ``refused_updates``, ``refusals`` (reason by agent), ``reverted_to``, ``revert_reason``.
    """
    played = outcome.trajectories
    used = total(by_role.values())
    return {
        "iteration": iteration,
        "paradigm": paradigm,
        **_reward_figures(played),
        "input_tokens": used.input_tokens,
        "output_tokens": used.output_tokens,
        "total_tokens": used.total_tokens,
        "cost_usd": used.cost_usd,
        "calls": used.calls,
        "retries": used.retries,
        "duration_s": duration_s,
        "metrics": mean_metrics(played),
        "failed_episodes": len(outcome.episodes) - len(played),
        "unparsed_answers": outcome.unparsed_answers,
        "unparsed_actions": sum(bool(trajectory.metadata.get("unparsed")) for trajectory in played),
        "unusable_notes": outcome.unusable_notes,
        "refused_updates": outcome.refused_updates,
        "refusals": {agent: update.refused for agent, update in outcome.updates.items() if update.refused},
        "reverted_to": outcome.reverted_to,
        "revert_reason": outcome.revert_reason,
        "usage_by_role": {role: usage.to_dict() for role, usage in by_role.items()},
        "usage_by_model": {model: usage.to_dict() for model, usage in by_model.items()},
    }


def evaluation_stats(
    checkpoint: int, episodes: Sequence[Episode], by_role: Mapping[Role, Usage], duration_s: float
) -> dict[str, Any]:
    """The figures of one checkpoint on the held-out tasks.

    ``validation_reward`` is the mean over the tasks with even numbers, by which a best checkpoint is chosen;
    ``report_reward`` the mean over the others, which tells how good the chosen one is. Either is None where no task
    of its half could be played. ``rewards`` has one entry a task, None where it failed, so checkpoints can be
    compared task by task.
    """
    played = [episode for episode in episodes if isinstance(episode, Trajectory)]
    rewards = [None if isinstance(episode, FailedEpisode) else episode.reward for episode in episodes]
    return {
        "checkpoint": checkpoint,
        "num_tasks": len(episodes),
        "failed_episodes": len(episodes) - len(played),
        "avg_reward": _mean(rewards),
        "rewards": rewards,
        "validation_reward": _mean(rewards[0::2]),
        "report_reward": _mean(rewards[1::2]),
        "metrics": mean_metrics(played),
        "usage": total(by_role.values()).to_dict(),
        "usage_by_role": {role: usage.to_dict() for role, usage in by_role.items()},
        "duration_s": duration_s,
    }


def best_checkpoint(
    iterations: Sequence[Mapping[str, Any]], evaluations: Sequence[Mapping[str, Any]]
) -> dict[str, Any] | None:
    """The best checkpoint so far and why; None before there is any figure.

    With held-out evaluation it is chosen on the validation half and reported on the other (``reward``). Without, the
    mean training reward decides, which flatters the winner; ``basis`` says which it was.
    """
    judged = [row for row in evaluations if row["validation_reward"] is not None]
    if judged:
        best = max(judged, key=lambda row: (row["validation_reward"], -row["checkpoint"]))
        return {"checkpoint": best["checkpoint"], "basis": "held_out", "reward": best["report_reward"]}
    if iterations:
        best = max(iterations, key=lambda row: (row["avg_reward"], -row["iteration"]))
        return {"checkpoint": best["iteration"], "basis": "training", "reward": best["avg_reward"]}
    return None


def mean_metrics(trajectories: Sequence[Trajectory]) -> dict[str, float]:
    """Mean of each figure (a float or a truth value) in the trajectories' metadata, such as ``em`` and ``f1``.

    ``unparsed`` has a count of its own and is left out.
    """
    values: dict[str, list[float]] = {}
    for trajectory in trajectories:
        for name, value in trajectory.metadata.items():
            if isinstance(value, float | bool) and name != "unparsed":
                values.setdefault(name, []).append(float(value))
    return {name: statistics.fmean(values[name]) for name in sorted(values)}


def _reward_figures(played: Sequence[Trajectory]) -> dict[str, Any]:
    rewards = [trajectory.reward for trajectory in played]
    return {
        "num_episodes": len(rewards),
        "avg_reward": statistics.fmean(rewards),
        "min_reward": min(rewards),
        "max_reward": max(rewards),
        "rewards": rewards,
    }


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else None
