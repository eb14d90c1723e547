"""What the Policies page shows, from one run's directory."""

from __future__ import annotations

import io
import statistics
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from dashboard.queries.reading import RememberedFiles, number, text_or_none, whole_number
from langmarl.errors import LangMARLError
from langmarl.store import RunDirectory
from langmarl.store.atomic import read_text
from langmarl.store.layout import in_natural_order, iteration_name, original_name, safe_name
from langmarl.store.metrics import MetricsFile

_Item = TypeVar("_Item")

MOST_CHECKPOINTS = 2_000
"""A chart's points; a longer run is read in even steps."""


@dataclass(frozen=True, slots=True)
class Rewards:
    """How the policies of one checkpoint did.

    Attributes:
        checkpoint: Which one.
        mean: Of the iteration that was played under them; None where it has not been played to its end.
        low: One standard deviation of its episodes below the mean, and no less than the lowest; None with fewer than
            two episodes.
        high: The same above the mean.
        held_out: Mean over the held-out tasks; None where it was not evaluated.
    """

    checkpoint: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    held_out: float | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """What became of one agent's policy in one iteration.

    Attributes:
        iteration: Which one; it leads to checkpoint ``iteration + 1``.
        agent: Whose policy.
        outcome: ``accepted``, ``refused`` or ``reverted``.
        why: The reason where it was not accepted; else empty.
    """

    iteration: int
    agent: str
    outcome: str
    why: str


@dataclass(frozen=True, slots=True)
class History:
    """A run's checkpoints and how they did.

    Attributes:
        checkpoints: Those that exist, ascending.
        best: The best one; None before any is known.
        rewards: By checkpoint, ascending; only those with a figure.
        refusals: Iteration → agent → why its update was refused.
        reversions: Iteration → where to and why it went back.
        finished: Iterations that have a row in ``metrics.json``.
        problem: What could not be read; None where all could.
    """

    checkpoints: list[int]
    best: int | None = None
    rewards: list[Rewards] = field(default_factory=list)
    refusals: dict[int, dict[str, str]] = field(default_factory=dict)
    reversions: dict[int, str] = field(default_factory=dict)
    finished: frozenset[int] = frozenset()
    problem: str | None = None

    def update(self, iteration: int, agent: str) -> Update | None:
        """What became of ``agent``'s policy in ``iteration``; None where that is not finished."""
        if iteration in self.reversions:
            return Update(iteration, agent, "reverted", self.reversions[iteration])
        if iteration not in self.finished:
            return None
        refusal = self.refusals.get(iteration, {}).get(agent)
        return Update(iteration, agent, "accepted" if refusal is None else "refused", refusal or "")

    def updates(self, agents: Sequence[str]) -> list[Update]:
        """Every update of ``agents``, the newest first."""
        found = [self.update(iteration, agent) for iteration in sorted(self.finished, reverse=True) for agent in agents]
        return [update for update in found if update is not None]


@dataclass(frozen=True, slots=True)
class Policies:
    """The policies of one checkpoint.

    Attributes:
        texts: Agent → text, in natural order.
        problems: One sentence for each file that could not be read.
    """

    texts: dict[str, str]
    problems: list[str]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the optimizer wrote for one agent in one iteration.

    Attributes:
        text: The proposed policy, or the raw reply; None where there was none.
        problem: What could not be read; None where all could.
    """

    text: str | None
    problem: str | None = None


_histories: RememberedFiles[History] = RememberedFiles(size=8)
_lengths: RememberedFiles[dict[str, int]] = RememberedFiles(size=20_000)


def read_history(run: RunDirectory) -> History:
    """The run's checkpoints, and from ``metrics.json`` how they did; a damaged one is told as a problem."""
    try:
        figures = _histories.read(run.layout.metrics, _read_metrics)
    except LangMARLError as error:
        return History(run.checkpoints.iterations(), problem=str(error))
    checkpoints = run.checkpoints.iterations()
    return History(
        checkpoints,
        figures.best,
        figures.rewards,
        figures.refusals,
        figures.reversions,
        figures.finished,
    )


def read_policies(run: RunDirectory, checkpoint: int) -> Policies:
    """The policies of one checkpoint; a file that cannot be read costs only its own agent."""
    return _read_folder(run.layout.checkpoints / iteration_name(checkpoint))


def read_proposal(run: RunDirectory, iteration: int, agent: str) -> Proposal:
    """What the optimizer wrote for ``agent`` in ``iteration``, whatever became of it."""
    try:
        update = run.gradients.get_update(iteration, agent) or {}
    except (LangMARLError, OSError) as error:
        return Proposal(None, str(error))
    return Proposal(text_or_none(update.get("proposed")))


def policy_lengths(run: RunDirectory, checkpoints: Sequence[int]) -> dict[str, dict[int, int]]:
    """Agent → checkpoint → characters of its policy; unreadable files are left out.

    Reads each checkpoint once in the life of the process: a checkpoint does not change.
    """
    lengths: dict[str, dict[int, int]] = {}
    for checkpoint in thinned(checkpoints):
        folder = run.layout.checkpoints / iteration_name(checkpoint)
        for agent, length in _lengths.read(folder, _lengths_in).items():
            lengths.setdefault(agent, {})[checkpoint] = length
    return {agent: lengths[agent] for agent in in_natural_order(lengths)}


def thinned(by_checkpoint: Sequence[_Item]) -> list[_Item]:
    """At most :data:`MOST_CHECKPOINTS` of them in even steps, the last one included."""
    step = -(-len(by_checkpoint) // MOST_CHECKPOINTS) or 1
    return list(by_checkpoint[::-1][::step][::-1])


def policies_archive(run_id: str, checkpoint: int, texts: Mapping[str, str]) -> bytes:
    """A zip with one text file an agent, byte for byte as in the checkpoint."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for agent, text in texts.items():
            name = f"{run_id}_checkpoint_{checkpoint}/policies/{safe_name(agent)}.txt"
            archive.writestr(name, text.encode("utf-8", "surrogatepass"))
    return stream.getvalue()


def _read_folder(folder: Path) -> Policies:
    texts: dict[str, str] = {}
    problems = []
    for agent, path in _policy_files(folder).items():
        try:
            texts[agent] = read_text(path)
        except (LangMARLError, OSError) as error:
            problems.append(str(error))
    return Policies(texts, problems)


def _policy_files(folder: Path) -> dict[str, Path]:
    paths = {original_name(path.name[: -len(".txt")]): path for path in folder.glob("*.txt")}
    return {agent: paths[agent] for agent in in_natural_order(paths)}


def _lengths_in(folder: Path) -> dict[str, int]:
    return {agent: len(text) for agent, text in _read_folder(folder).texts.items()}


def _read_metrics(path: Path) -> History:
    metrics = MetricsFile(path).read()
    held_out = {
        row["checkpoint"]: number(row.get("avg_reward")) for row in metrics.evaluations if isinstance(row, Mapping)
    }
    played = {row["iteration"]: row for row in metrics.iterations}
    return History(
        checkpoints=[],
        best=whole_number(metrics.best_checkpoint),
        rewards=[
            _rewards(checkpoint, played.get(checkpoint, {}), held_out.get(checkpoint))
            for checkpoint in sorted(played.keys() | held_out.keys())
        ],
        refusals={iteration: _refusals(row) for iteration, row in played.items() if row.get("refusals")},
        reversions={
            iteration: _reversion(row) for iteration, row in played.items() if row.get("reverted_to") is not None
        },
        finished=frozenset(played),
    )


def _rewards(checkpoint: int, row: Mapping[str, Any], held_out: float | None) -> Rewards:
    listed = row.get("rewards")
    values = [value for item in listed if (value := number(item)) is not None] if isinstance(listed, list) else []
    mean = number(row.get("avg_reward"))
    if mean is None or len(values) < 2:
        return Rewards(checkpoint, mean, held_out=held_out)
    deviation = statistics.stdev(values)
    return Rewards(checkpoint, mean, max(mean - deviation, min(values)), min(mean + deviation, max(values)), held_out)


def _refusals(row: Mapping[str, Any]) -> dict[str, str]:
    refusals = row["refusals"]
    return {agent: str(why) for agent, why in refusals.items()} if isinstance(refusals, Mapping) else {}


def _reversion(row: Mapping[str, Any]) -> str:
    return f"back to checkpoint {row['reverted_to']}: {row.get('revert_reason') or 'no reason was recorded'}"
