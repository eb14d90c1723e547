"""Means with bootstrap intervals."""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def bootstrap(values: Sequence[float], resamples: int, seed: int = 0) -> Estimate:
    """The mean of ``values``, one a question, and the percentiles of the means of seeded resamples of them.

    Raises:
        ValueError: There is no value.
    """
    if not values:
        raise ValueError("an empty list has no mean")
    draw = random.Random(seed)
    means = sorted(statistics.fmean(draw.choices(values, k=len(values))) for _ in range(resamples))
    return Estimate(statistics.fmean(values), means[int(0.025 * resamples)], means[int(0.975 * resamples)])


def paired_difference(
    before: Sequence[float | None], after: Sequence[float | None], resamples: int, seed: int = 0
) -> Estimate:
    """The mean of ``after - before`` over the questions that both have, and its interval."""
    pairs = [(one, two) for one, two in zip(before, after, strict=True) if one is not None and two is not None]
    return bootstrap([two - one for one, two in pairs], resamples, seed)
