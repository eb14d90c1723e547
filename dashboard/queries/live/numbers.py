"""Numbers out of files that anybody may have edited."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from dashboard.queries.reading import number as number_or_none
from langmarl.usage import Usage


def number(value: object) -> float:
    """``value`` as a finite number; NaN for anything else."""
    found = number_or_none(value)
    return math.nan if found is None else found


def known(value: float) -> float | None:
    """``value``, with None for NaN."""
    return None if math.isnan(value) else float(value)


def count(value: object) -> int:
    """``value`` as a count; 0 for what is none."""
    found = number(value)
    return 0 if math.isnan(found) or found < 0 else int(found)


def usage_of(data: object) -> Usage:
    """What ``Usage.to_dict`` wrote; figures that are missing or no numbers count as 0, a cost as unknown."""
    if not isinstance(data, Mapping):
        return Usage()
    counts = {name: count(data.get(name)) for name in Usage.__slots__ if name != "cost_usd"}
    return Usage(**counts, cost_usd=known(number(data.get("cost_usd"))))


def mapping(value: object) -> Mapping[str, Any]:
    """``value`` where it is a mapping; else an empty one."""
    return value if isinstance(value, Mapping) else {}
