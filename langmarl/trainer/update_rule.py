"""Whether to go on from the latest policies: a fall in reward that noise cannot explain sends training back."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langmarl.collector import Reversion

SIGNIFICANT_FALL = 2.0
"""Standard errors by which the mean must have fallen; one-sided about 2 % by chance, for the normal distribution."""


def always(earlier: Mapping[int, Sequence[float]], rewards: Sequence[float]) -> None:
    """Update every time, whatever the reward did."""
    return


def guarded(earlier: Mapping[int, Sequence[float]], rewards: Sequence[float]) -> Reversion | None:
    """Go back to the best earlier checkpoint where the reward fell clearly below it.

    Compares means by Welch's t statistic. With the ten or twenty episodes of one iteration only a large fall is
    clear; small ones are noise, and the next notes can mend them.

    Args:
        earlier: Rewards of the episodes played under each earlier checkpoint's policies; iterations that acted under
            the same text count together, under the latest of them.
        rewards: Of the iteration that has just been played.

    Returns:
        Where to go back to, or None to update.
    """
    judged = {checkpoint: values for checkpoint, values in earlier.items() if len(values) > 1}
    if not judged or len(rewards) < 2:
        return None
    best = max(judged, key=lambda checkpoint: (statistics.fmean(judged[checkpoint]), checkpoint))
    fall = statistics.fmean(judged[best]) - statistics.fmean(rewards)
    error = math.sqrt(_squared_error(judged[best]) + _squared_error(rewards))
    if fall <= SIGNIFICANT_FALL * error or fall <= 0:
        return None
    return Reversion(
        best,
        f"the mean reward fell from {statistics.fmean(judged[best]):.3f} (checkpoint {best}) to "
        f"{statistics.fmean(rewards):.3f}, by more than {SIGNIFICANT_FALL:g} standard errors ({error:.3f})",
    )


RULES = {"guarded": guarded, "always": always}
"""The rules by their name in a config."""


@dataclass(frozen=True, slots=True)
class EarlierRewards:
    """Rewards so far, by the policies they were earned under.

    Attributes:
        own: Under the policies in use now.
        others: Under any others, by the latest checkpoint that holds them.
    """

    own: list[float]
    others: dict[int, list[float]]


def rewards_by_policies(
    history: Sequence[Mapping[str, Any]],
    policies_of: Callable[[int], Mapping[str, str]],
    current: Mapping[str, str],
) -> EarlierRewards:
    """Gather the rewards of iterations that acted under the same text: together they tell more.

    Args:
        history: The stats of the finished iterations.
        policies_of: The policies of a checkpoint.
        current: The policies in use now.
    """
    own: list[float] = []
    latest: dict[tuple[str, ...], int] = {}
    rewards: dict[tuple[str, ...], list[float]] = {}
    for row in history:
        policies = policies_of(row["iteration"])
        if policies == current:
            own += row["rewards"]
            continue
        text = tuple(policies.values())
        latest[text] = row["iteration"]
        rewards.setdefault(text, []).extend(row["rewards"])
    return EarlierRewards(own, {latest[text]: values for text, values in rewards.items()})


def _squared_error(values: Sequence[float]) -> float:
    return statistics.variance(values) / len(values)
