"""Reward by iteration: the mean, the spread of its episodes, the held-out score, the best checkpoint."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
import plotly.graph_objects as go

from dashboard.charts.iteration_axis import iteration_axis
from dashboard.charts.thinning import Indices, thin
from dashboard.queries.live import RunSeries
from dashboard.theme import GREEN, OCHRE, figure_layout, paradigm_color, translucent

Spread = Literal["range", "middle", "none"]
SPREADS: tuple[Spread, ...] = get_args(Spread)

SPREAD_NAMES: dict[Spread, str] = {
    "range": "min–max",
    "middle": "middle 80 %",
    "none": "none",
}
"""What the band around the mean spans: all episodes of an iteration, or all but the outer tenths."""

_BANDS: dict[Spread, tuple[str, str]] = {"range": ("lowest", "highest"), "middle": ("lower", "upper")}
_BAND_WORDS: dict[Spread, tuple[str, str]] = {
    "range": ("lowest", "highest"),
    "middle": ("a tenth below", "a tenth above"),
}

_MARKED_UP_TO = 60
"""With more iterations than this a line is clearer without a mark at each."""


def reward_figure(
    series: RunSeries, *, spread: Spread = "range", with_episodes: bool = False, paradigm: str | None = None
) -> go.Figure:
    """Rewards of the iterations and of the evaluated checkpoints.

    A checkpoint stands above the iteration that was played under it.

    Args:
        series: What to draw.
        spread: Which band to draw around the mean.
        with_episodes: Whether to draw a point for each episode.
        paradigm: Decides the colour, as on every page.
    """
    figure, color = go.Figure(), paradigm_color(paradigm)
    band = _BANDS.get(spread)
    kept = thin([series.mean, *(getattr(series, name) for name in band or ())])
    x = series.iterations[kept]
    if band is not None:
        _add_band(figure, series, kept, spread, color)
    if with_episodes:
        _add_episodes(figure, series, color)
    figure.add_scatter(
        x=x,
        y=series.mean[kept],
        name="mean of training episodes",
        mode=_mode(len(kept)),
        line={"color": color, "width": 2.5 if len(kept) <= _MARKED_UP_TO else 1.5},
        hovertemplate="mean %{y:.3f}<extra></extra>",
    )
    _add_held_out(figure, series)
    _add_best(figure, series)
    return _with_axes(figure, series)


def reward_summary(series: RunSeries) -> str:
    """The chart in a sentence or two, for those who cannot see it."""
    if not len(series):
        return "Reward by iteration; no iteration is finished yet."
    first, last = series.mean[0], series.mean[-1]
    text = (
        f"Mean reward by iteration: {first:.3f} in iteration {series.iterations[0]:.0f}, "
        f"{last:.3f} in iteration {series.iterations[-1]:.0f}, highest {np.nanmax(series.mean, initial=-math.inf):.3f}."
    )
    if len(series.held_out.mean):
        text += (
            f" On held-out tasks {series.held_out.mean[-1]:.3f} at checkpoint {series.held_out.checkpoints[-1]:.0f}."
        )
    if series.best is not None:
        text += f" Best checkpoint: {series.best.checkpoint}."
    return text


def _add_band(figure: go.Figure, series: RunSeries, kept: Indices, spread: Spread, color: str) -> None:
    low, high = (getattr(series, name)[kept] for name in _BANDS[spread])
    below, above = _BAND_WORDS[spread]
    edge = {"color": translucent(color, 0.35), "width": 1}
    figure.add_scatter(
        x=series.iterations[kept],
        y=high,
        name=above,
        mode="lines",
        line=edge,
        showlegend=False,
        hovertemplate=f"{above} %{{y:.3f}}<extra></extra>",
    )
    figure.add_scatter(
        x=series.iterations[kept],
        y=low,
        name=f"episodes, {SPREAD_NAMES[spread]}",
        mode="lines",
        line=edge,
        fill="tonexty",
        fillcolor=translucent(color, 0.16),
        hovertemplate=f"{below} %{{y:.3f}}<extra></extra>",
    )


def _add_episodes(figure: go.Figure, series: RunSeries, color: str) -> None:
    kept = thin([series.episodes])
    figure.add_scatter(
        x=series.episode_iterations[kept],
        y=series.episodes[kept],
        name="episodes" if len(kept) == len(series.episodes) else "episodes, a selection",
        mode="markers",
        marker={"color": translucent(color, 0.45), "size": 5},
        hoverinfo="skip",
    )


def _add_held_out(figure: go.Figure, series: RunSeries) -> None:
    if not len(series.held_out.mean):
        return
    kept = thin([series.held_out.mean])
    figure.add_scatter(
        x=series.held_out.checkpoints[kept],
        y=series.held_out.mean[kept],
        name="held-out tasks",
        mode=_mode(len(kept)),
        line={"color": GREEN, "width": 2, "dash": "dash"},
        marker={"symbol": "diamond", "size": 8},
        hovertemplate="held-out %{y:.3f}<extra></extra>",
    )


def _add_best(figure: go.Figure, series: RunSeries) -> None:
    best = series.best
    if best is None or math.isnan(best.reward) or (len(series) and best.checkpoint < series.iterations[0]):
        return
    figure.add_scatter(
        x=[best.checkpoint],
        y=[best.reward],
        name=f"best checkpoint ({best.checkpoint})",
        mode="markers",
        marker={"symbol": "star", "size": 16, "color": OCHRE, "line": {"color": "white", "width": 1}},
        hovertemplate=f"best by {'held-out tasks' if best.basis == 'held_out' else 'training'}<extra></extra>",
    )


def _with_axes(figure: go.Figure, series: RunSeries) -> go.Figure:
    figure_layout(figure, "Iteration", "Reward of an episode", height=360)
    figure.update_layout(legend_traceorder="normal")
    iteration_axis(figure, series, with_checkpoints=True)
    figure.update_yaxes(rangemode="tozero")
    return figure


def _mode(count: int) -> str:
    return "lines+markers" if count <= _MARKED_UP_TO else "lines"
