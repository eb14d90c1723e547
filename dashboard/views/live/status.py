"""The head of the Live page: state, progress, and the figures in brief."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dashboard import context
from dashboard.charts.throughput import INCIDENT_NAMES, calls_per_s
from dashboard.formats import MISSING, UNKNOWN, dollars, duration, local_time, reward, tokens
from dashboard.queries.live import Progress, RunView
from dashboard.text import markup, show_message
from dashboard.theme import BLUE, GREEN, VERMILLION, state_color
from dashboard.views.runs.states import name_of

_TRACK = "background:rgba(140,140,140,0.25);border-radius:4px;height:8px;overflow:hidden;"
_NEARLY_SPENT = 0.9
_SOON_S = 10


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure with its name.

    Attributes:
        name: What it is, with its unit.
        value: As text.
        note: More about it, in small letters.
        share: How much of a budget is used, from 0 on; None: there is none.
    """

    name: str
    value: str
    note: str = ""
    share: float | None = None


def show_state(view: RunView) -> None:
    """The state, who works on the run, and why it ended."""
    if view.state is None:
        return
    state = view.state
    color = state_color(state.state)
    badge = (
        f'<span style="background:{color};color:white;border-radius:12px;padding:0.15rem 0.8rem;font-weight:600;">'
        f"{markup(name_of(state.state))}</span>"
    )
    since = f"since {local_time(state.updated_at)}"
    words = " · ".join(part for part in (_where(view), since) if part)
    st.html(
        f'<div class="langmarl-state" role="status" style="display:flex;flex-wrap:wrap;gap:0.8rem;align-items:center;">'
        f'{badge}<span style="opacity:0.8;overflow-wrap:anywhere;">{markup(words)}</span></div>'
    )
    if state.reason:
        kind = {"failed": "error", "interrupted": "warning"}.get(state.state, "info")
        show_message(state.reason, kind, remedy=state.remedy if state.state == "failed" else None)


def show_progress(view: RunView) -> None:
    """Two bars: the run's iterations, and the iteration or evaluation at work."""
    progress = view.progress
    planned = f" of {progress.planned}" if progress.planned else ""
    bars = [_bar(f"{progress.done}{planned} iterations{_rest(view)}", _share_done(progress), BLUE)]
    detail = _detail(view)
    if detail:
        bars.append(_bar(detail, progress.share, GREEN))
    st.html(f'<div class="langmarl-progress" style="display:grid;gap:0.6rem;">{"".join(bars)}</div>')


def show_tiles(view: RunView) -> None:
    """The most telling figures, and what went wrong so far."""
    tiles = [*_reward_tiles(view), _token_tile(view), _cost_tile(view), _rate_tile(view)]
    cells = "".join(_tile(tile) for tile in tiles)
    counts = [f"{getattr(view.used, kind):,} {name}" for kind, name in INCIDENT_NAMES.items()]
    words = f"Of {view.used.calls:,} calls: {' · '.join(counts)}"
    style = "display:grid;grid-template-columns:repeat(auto-fit,minmax(7.6rem,1fr));gap:0.6rem;"
    st.html(
        f'<div class="langmarl-tiles" style="{style}">{cells}</div>'
        f'<div class="langmarl-incidents" style="margin-top:0.6rem;">{markup(words)}</div>'
    )


def _where(view: RunView) -> str:
    if view.state is not None and view.state.state == "queued":
        place = context.supervisor().positions().get(view.run_id)
        return f"waits for its turn, no. {place} in the queue" if place else "waits for its turn"
    if view.owner is None:
        return ""
    if view.is_ours:
        return "in this dashboard"
    return f"in {view.owner}, outside this dashboard"


def _rest(view: RunView) -> str:
    if view.rest_s is None or view.progress.is_over:
        return ""
    return f" · about {duration(view.rest_s)} left" if view.rest_s >= _SOON_S else f" · less than {_SOON_S} s left"


def _share_done(progress: Progress) -> float:
    return min(1.0, (progress.done + progress.share) / progress.planned) if progress.planned else 0.0


def _detail(view: RunView) -> str:
    """What of the iteration at work is done; empty where nothing is at work or left lying."""
    progress = view.progress
    is_running = view.state is not None and view.state.state == "running"
    if not is_running and not progress.episodes:
        return ""
    if progress.is_over:
        return ""
    begun = "" if is_running else " (unfinished)"
    episodes = _of(progress.episodes, progress.episodes_planned)
    if progress.evaluating:
        return f"Evaluation of checkpoint {progress.done}{begun}: {episodes} held-out tasks"
    return (
        f"Iteration {progress.done}{begun}: {episodes} episodes"
        f" · {_of(progress.judged, progress.judged_planned)} judged · {progress.notes} gradients"
        f" · {_of(progress.updates, progress.updates_planned)} policies updated"
    )


def _of(count: int, planned: int) -> str:
    return f"{count} of {planned}" if planned else f"{count}"


def _reward_tiles(view: RunView) -> list[Tile]:
    series = view.series
    if not len(series):
        return [Tile("Mean reward", MISSING, "no iteration is finished yet")]
    first, last = _value(series.mean[0]), _value(series.mean[-1])
    tiles = [Tile("Mean reward", reward(last), f"iteration {series.iterations[-1]:.0f}; first {reward(first)}")]
    if series.best is not None:
        basis = "held-out" if series.best.basis == "held_out" else "training"
        tiles.append(
            Tile("Best reward", reward(_value(series.best.reward)), f"checkpoint {series.best.checkpoint} ({basis})")
        )
    if len(series.held_out.mean):
        at = f"checkpoint {series.held_out.checkpoints[-1]:.0f}"
        tiles.append(Tile("Held-out reward", reward(_value(series.held_out.mean[-1])), at))
    return tiles


def _token_tile(view: RunView) -> Tile:
    used, budget = view.used, view.plan.max_total_tokens
    note = f"{tokens(used.input_tokens)} in, {tokens(used.output_tokens)} out"
    if budget:
        note += f"; budget {tokens(budget)}"
    return Tile("Tokens", tokens(used.total_tokens), note, used.total_tokens / budget if budget else None)


def _cost_tile(view: RunView) -> Tile:
    cost, budget = view.used.cost_usd, view.plan.max_cost_usd
    if cost is None:
        return Tile("Cost (USD)", UNKNOWN, "a model has no price")
    if not budget:
        return Tile("Cost (USD)", dollars(cost), "no budget set")
    return Tile("Cost (USD)", dollars(cost), f"of a budget of {dollars(budget)}", cost / budget)


def _rate_tile(view: RunView) -> Tile:
    if view.throughput is not None:
        over = f"over the last {duration(view.throughput.over_s)}"
        return Tile("Calls a second", f"{view.throughput.calls_per_s:.3g}", over)
    rate = calls_per_s(view.series)
    known = rate[~np.isnan(rate)]
    if known.size:
        return Tile("Calls a second", f"{known[-1]:.3g}", "in the last iteration")
    return Tile("Calls a second", MISSING)


def _tile(tile: Tile) -> str:
    bar = ""
    if tile.share is not None:
        color = VERMILLION if tile.share >= _NEARLY_SPENT else BLUE
        bar = f'<div style="margin-top:0.35rem;">{_track(tile.share, color, f"{tile.name}: share of the budget")}</div>'
    return (
        '<div style="border:1px solid rgba(140,140,140,0.35);border-radius:8px;padding:0.5rem 0.8rem;min-width:0;">'
        f'<div style="opacity:0.75;font-size:0.85rem;">{markup(tile.name)}</div>'
        f'<div style="font-size:1.5rem;line-height:1.3;font-variant-numeric:tabular-nums;">{markup(tile.value)}</div>'
        f'<div style="opacity:0.75;font-size:0.8rem;min-height:1.1em;">{markup(tile.note)}</div>{bar}</div>'
    )


def _bar(text: str, share: float, color: str) -> str:
    return f'<div><div style="margin-bottom:0.2rem;">{markup(text)}</div>{_track(share, color, text)}</div>'


def _track(share: float, color: str, name: str) -> str:
    percent = 100 * min(1.0, max(0.0, share))
    return (
        f'<div role="progressbar" aria-label="{markup(name)}" aria-valuemin="0" aria-valuemax="100" '
        f'aria-valuenow="{percent:.0f}" style="{_TRACK}">'
        f'<div style="background:{color};height:100%;width:{percent:.2f}%;"></div></div>'
    )


def _value(number: float) -> float | None:
    return None if math.isnan(number) else float(number)
