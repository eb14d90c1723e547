"""What a run has paid for calls that are no part of its present result."""

from __future__ import annotations

import dataclasses

from dashboard.queries.live.numbers import mapping, usage_of
from langmarl.usage import Usage, total


def set_aside_usage(totals: object) -> Usage:
    """The calls that forced restarts set aside: what ``metrics.json`` totals beyond the run's two phases."""
    phases = [mapping(mapping(totals).get(phase)) for phase in ("train", "eval")]
    if not all(phases):
        return Usage()
    whole, parts = usage_of(totals), total(usage_of(phase) for phase in phases)
    if whole.calls <= parts.calls:
        return Usage()
    counts = {
        field.name: max(0, getattr(whole, field.name) - getattr(parts, field.name))
        for field in dataclasses.fields(Usage)
        if field.name != "cost_usd"
    }
    if whole.cost_usd is None or parts.cost_usd is None:
        return Usage(**counts, cost_usd=None)
    return Usage(**counts, cost_usd=max(0.0, whole.cost_usd - parts.cost_usd))
