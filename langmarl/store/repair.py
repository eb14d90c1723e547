"""Checkpoints that were lost or damaged: made again from what the iterations left, or refused."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from langmarl.errors import UnknownNameError, UserMistake
from langmarl.store.checkpoints import LostPolicyError, changed, digest_of
from langmarl.store.layout import iteration_name
from langmarl.store.run_directory import RunDirectory

_log = logging.getLogger(__name__)


def repair_checkpoints(run: RunDirectory, start: Mapping[str, str]) -> list[str]:
    """Make sure that every checkpoint of the finished iterations holds what was written; for the run's owner.

    One that lacks a policy is made again from the updates of its iteration. Where these are gone too, its iteration
    and the later ones count as unfinished: they are done again from their episodes, answers and journal.

    Args:
        run: The run.
        start: The policies of checkpoint 0, by agent.

    Returns:
        What was mended, one sentence each; empty in good order.

    Raises:
        ChangedPolicyError: A policy was changed by hand; nothing of that checkpoint is touched.
        LostPolicyError: Checkpoint 0 lacks a policy, and ``start`` is not what it held.
    """
    rows = {row["iteration"]: row for row in run.metrics.iterations()}
    finished = next(number for number in range(len(rows) + 1) if number not in rows)
    existing = run.checkpoints.iterations()
    if not existing and not rows:
        run.checkpoints.save_policies(0, start)
        return []
    # All are looked at before any is mended: a change by hand is told while nothing was touched.
    looked_at = sorted({*existing, *range(finished + 1)})
    problems = {number: _problem_of(run, number, start, rows.get(number - 1)) for number in looked_at}
    mended = []
    for checkpoint, problem in problems.items():
        if problem is None:
            continue
        row = rows.get(checkpoint - 1)
        source = _source(run, checkpoint, start, row)
        if source is not None and _agrees(run, checkpoint, source):
            run.checkpoints.save_policies(checkpoint, source, stats=row)
            mended.append(f"{problem} Checkpoint {checkpoint} was made again, without paying.")
            continue
        if checkpoint == 0:
            raise LostPolicyError(problem, "Restore it from a copy of the run.")
        run.checkpoints.delete(checkpoint)
        run.metrics.replace(run.metrics.read().before(checkpoint - 1))
        mended.append(f"{problem} Iteration {checkpoint - 1} is done again from its files and the journal.")
        break  # what comes after is done again too
    return mended


def _problem_of(
    run: RunDirectory, checkpoint: int, start: Mapping[str, str], row: Mapping[str, Any] | None
) -> str | None:
    """What is missing in ``checkpoint``, as a sentence; None where nothing is."""
    folder = run.layout.checkpoints / iteration_name(checkpoint)
    try:
        policies = run.checkpoints.get_policies(checkpoint)
        if run.checkpoints.digests(checkpoint) is not None:
            edited = run.checkpoints.changed_agents(checkpoint)
            if edited:
                raise changed(folder, edited[0])
            return None
        source = None if checkpoint == 0 else _source(run, checkpoint, start, row)
    except UnknownNameError:
        return f"{folder} is missing."
    except LostPolicyError as problem:
        return problem.message
    for agent in start:  # without digests, what the iteration left must do
        if not policies.get(agent, "").strip():
            return f"{folder} lacks the policy of {agent}."
        if source is not None and policies[agent] != source[agent]:
            raise changed(folder, agent)
    return None


def _source(
    run: RunDirectory, checkpoint: int, start: Mapping[str, str], row: Mapping[str, Any] | None
) -> dict[str, str] | None:
    """The policies that ``checkpoint`` was made of; None where that cannot be told."""
    if checkpoint == 0:
        return dict(start)
    if row is None:
        return None
    if row.get("reverted_to") is not None:
        return run.checkpoints.get_policies(row["reverted_to"])
    policies = {}
    for agent in start:
        try:
            update = run.gradients.get_update(checkpoint - 1, agent)
        except UserMistake as error:
            _log.warning("an update is passed over: %s", error.message)
            update = None
        if update is None or not isinstance(update.get("policy"), str):
            return None
        policies[agent] = update["policy"]
    return policies


def _agrees(run: RunDirectory, checkpoint: int, policies: Mapping[str, str]) -> bool:
    """Whether ``policies`` are what the checkpoint held, as far as its digests still tell."""
    digests = run.checkpoints.digests(checkpoint)
    return digests is None or digests == {agent: digest_of(text) for agent, text in policies.items()}
