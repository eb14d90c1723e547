"""The figures of all finished iterations as arrays, for charts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dashboard.queries.live.numbers import mapping, number
from dashboard.queries.live.set_aside import set_aside_usage
from langmarl.store import Metrics
from langmarl.usage import ROLES, Usage

Numbers = NDArray[np.float64]

INCIDENTS = ("retries", "failures", "truncated", "repairs")
"""What can go wrong with a call, as ``Usage`` counts it."""

_BAND = (0.1, 0.9)
_PER_ITERATION = "iterations mean lowest highest lower upper tokens cost_usd calls duration_s".split()


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """The evaluations; all arrays have one entry an evaluation, ascending.

    Attributes:
        checkpoints: Which checkpoint.
        mean: Its mean reward over all held-out tasks; NaN where none could be played.
        validation: Over the half by which the best checkpoint is chosen; NaN where none could be played.
        cost_usd: What evaluating it cost; NaN where that is unknown.
        tokens: What evaluating it used, input and output together.
        duration_s: How long evaluating it took, in seconds.
    """

    checkpoints: Numbers
    mean: Numbers
    validation: Numbers
    cost_usd: Numbers
    tokens: Numbers
    duration_s: Numbers

    def since(self, iteration: float) -> HeldOut:
        """Those of checkpoint ``iteration`` and later."""
        kept = self.checkpoints >= iteration
        return HeldOut(*(getattr(self, name)[kept] for name in HeldOut.__slots__))


@dataclass(frozen=True, slots=True)
class Best:
    """The best checkpoint so far.

    Attributes:
        checkpoint: Which one.
        basis: What decided: rewards on held-out tasks, or of training.
        reward: Its mean reward on all held-out tasks, or in training; NaN where it is not known.
    """

    checkpoint: int
    basis: Literal["held_out", "training"]
    reward: float


@dataclass(frozen=True, slots=True, eq=False)
class RunSeries:
    """A run's finished iterations; all arrays have one entry an iteration, ascending. NaN stands for unknown.

    Attributes:
        iterations: Their numbers.
        episodes: The rewards of all episodes, those of one iteration together and ascending.
        episode_iterations: The iteration of each of these.
        mean: Mean reward.
        lowest: Lowest reward of an episode.
        highest: Highest reward of an episode.
        lower: The reward that a tenth of the episodes stay below.
        upper: The reward that a tenth of the episodes exceed.
        tokens_by_role: Role → tokens, input and output together; only roles that used any.
        tokens: Over all roles.
        cost_usd: US dollars over all roles.
        calls: Finished model calls.
        duration_s: Seconds of the process that finished the iteration.
        incidents: Retries, failures, truncated, repairs → how many.
        held_out: The evaluations.
        best: The best checkpoint; None before there is one.
        aside: What forced restarts set aside: paid for, but no part of any iteration.
    """

    iterations: Numbers
    episodes: Numbers
    episode_iterations: Numbers
    mean: Numbers
    lowest: Numbers
    highest: Numbers
    lower: Numbers
    upper: Numbers
    tokens_by_role: dict[str, Numbers]
    tokens: Numbers
    cost_usd: Numbers
    calls: Numbers
    duration_s: Numbers
    incidents: dict[str, Numbers]
    held_out: HeldOut
    best: Best | None = None
    aside: Usage = field(default_factory=Usage)

    @classmethod
    def of(cls, metrics: Metrics) -> RunSeries:
        """The arrays of ``metrics.json``; what is missing or no number there becomes NaN."""
        rows = metrics.iterations
        iterations, rewards = _column(rows, "iteration"), _Rewards.of(rows)
        mean = _column(rows, "avg_reward")
        held_out = _held_out(metrics.evaluations)
        return cls(
            iterations=iterations,
            episodes=rewards.values,
            episode_iterations=np.repeat(iterations, rewards.counts),
            mean=mean,
            lowest=rewards.quantile(0.0),
            highest=rewards.quantile(1.0),
            lower=rewards.quantile(_BAND[0]),
            upper=rewards.quantile(_BAND[1]),
            tokens_by_role=_by_role(rows),
            tokens=_column(rows, "total_tokens"),
            cost_usd=_column(rows, "cost_usd"),
            calls=_column(rows, "calls"),
            duration_s=_column(rows, "duration_s"),
            incidents={name: _over_roles(rows, name) for name in INCIDENTS},
            held_out=held_out,
            best=_best(metrics, held_out, mean),
            aside=set_aside_usage(metrics.totals),
        )

    def __len__(self) -> int:
        """How many iterations are finished."""
        return len(self.iterations)

    @property
    def done(self) -> int:
        """How many iterations are finished, counted from the first without a gap."""
        gaps = np.flatnonzero(self.iterations != np.arange(len(self)))
        return int(gaps[0]) if gaps.size else len(self)

    def last(self, count: int | None) -> RunSeries:
        """Only the last ``count`` iterations, and the evaluations from the first of them on; None: all."""
        if count is None or count >= len(self):
            return self
        first = self.iterations[-count]
        played = self.episode_iterations >= first
        return RunSeries(
            **{name: getattr(self, name)[-count:] for name in _PER_ITERATION},
            episodes=self.episodes[played],
            episode_iterations=self.episode_iterations[played],
            tokens_by_role={role: values[-count:] for role, values in self.tokens_by_role.items()},
            incidents={name: values[-count:] for name, values in self.incidents.items()},
            held_out=self.held_out.since(first),
            best=self.best,
            aside=self.aside,
        )

    def spent_usd(self) -> Numbers:
        """What the run had cost when each iteration and the evaluation after it were over; NaN from where that is
        unknown on.
        """
        return self._running_total(self.cost_usd, self.held_out.cost_usd, number(self.aside.cost_usd))

    def spent_tokens(self) -> Numbers:
        """The tokens that the run had used when each iteration and the evaluation after it were over."""
        return self._running_total(self.tokens, self.held_out.tokens, self.aside.total_tokens)

    def _running_total(self, of_iterations: Numbers, of_evaluations: Numbers, before: float) -> Numbers:
        evaluated = np.concatenate([[0.0], np.cumsum(of_evaluations)])
        # Checkpoint k + 1 is evaluated right after iteration k.
        places = np.searchsorted(self.held_out.checkpoints, self.iterations + 1, side="right")
        return before + np.cumsum(of_iterations) + evaluated[places]


def _column(rows: Sequence[Mapping[str, Any]], name: str) -> Numbers:
    return np.array([number(row.get(name)) for row in rows], dtype=np.float64)


def _over_roles(rows: Sequence[Mapping[str, Any]], name: str) -> Numbers:
    return np.array([np.nansum([number(value) for value in _of_roles(row, name).values()]) for row in rows])


def _by_role(rows: Sequence[Mapping[str, Any]]) -> dict[str, Numbers]:
    figures = [_of_roles(row, "total_tokens") for row in rows]
    used = {role for row in figures for role in row}
    ordered = [*(role for role in ROLES if role in used), *sorted(used.difference(ROLES))]
    return {role: np.nan_to_num(np.array([number(row.get(role)) for row in figures])) for role in ordered}


def _of_roles(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {role: mapping(usage).get(name) for role, usage in mapping(row.get("usage_by_role")).items()}


@dataclass(frozen=True, slots=True)
class _Rewards:
    """The rewards of all episodes, those of one row together and ascending; and how many each row has."""

    values: Numbers
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, Any]]) -> _Rewards:
        lists = [_numbers(row.get("rewards")) for row in rows]
        counts = np.array([len(values) for values in lists], dtype=np.int64)
        values = np.array([value for values in lists for value in values], dtype=np.float64)
        order = np.lexsort((values, np.repeat(np.arange(len(lists)), counts)))
        return cls(values[order], counts)

    def quantile(self, share: float) -> Numbers:
        """The quantile of each row, by linear interpolation; NaN where it has none."""
        found = np.full(len(self.counts), math.nan)
        some = self.counts > 0
        places = share * (self.counts[some] - 1)
        first = (np.cumsum(self.counts) - self.counts)[some]
        low = self.values[first + np.floor(places).astype(int)]
        high = self.values[first + np.ceil(places).astype(int)]
        found[some] = low + (high - low) * (places % 1)
        return found


def _numbers(values: object) -> list[float]:
    found = [number(value) for value in values] if isinstance(values, list) else []
    return [value for value in found if not math.isnan(value)]


def _held_out(rows: Sequence[Mapping[str, Any]]) -> HeldOut:
    usages = [mapping(row.get("usage")) for row in rows]
    return HeldOut(
        checkpoints=_column(rows, "checkpoint"),
        mean=_column(rows, "avg_reward"),
        validation=_column(rows, "validation_reward"),
        cost_usd=_column(usages, "cost_usd"),
        tokens=_column(usages, "total_tokens"),
        duration_s=_column(rows, "duration_s"),
    )


def _best(metrics: Metrics, held_out: HeldOut, mean: Numbers) -> Best | None:
    best = metrics.best_checkpoint
    if not isinstance(best, int):
        return None
    evaluated = np.flatnonzero(held_out.checkpoints == best)
    if np.any(~np.isnan(held_out.validation)):
        return Best(best, "held_out", float(held_out.mean[evaluated[0]]) if evaluated.size else math.nan)
    played = [place for place, row in enumerate(metrics.iterations) if row["iteration"] == best]
    return Best(best, "training", float(mean[played[0]]) if played else math.nan)
