"""Long series cut down to what a screen can show, before they are sent to the browser."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

POINTS = 2000
"""Most points of one line."""

Values = NDArray[np.float64]
Indices = NDArray[np.int64]


def thin(lines: Sequence[Values], points: int = POINTS) -> Indices:
    """Which places to keep so that the drawn lines look as before: no peak, valley or gap is lost.

    The places are cut into stretches of equal length. Of each stretch stay the places where any line is highest and
    lowest there, and one where any line has a gap; the first and the last place stay too.

    Args:
        lines: One or more lines over the same places; NaN is a gap.
        points: At most so many places.

    Returns:
        The places, ascending; all of them where they are few enough.
    """
    length = len(lines[0])
    if length <= points:
        return np.arange(length)
    stretches = max(1, (points - 2) // (3 * len(lines)))
    edges = np.linspace(0, length, stretches + 1).astype(int)
    kept = {0, length - 1}
    for line in lines:
        for start, end in itertools.pairwise(edges):
            kept.update(int(start) + place for place in _telling(line[start:end]))
    return np.array(sorted(kept))


def _telling(stretch: Values) -> list[int]:
    """Where a stretch is highest and lowest, and where its first gap is."""
    gaps = np.isnan(stretch)
    found = [int(gaps.argmax())] if gaps.any() else []
    if not gaps.all():
        found += [int(np.nanargmin(stretch)), int(np.nanargmax(stretch))]
    return found
