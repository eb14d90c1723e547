"""How fast calls are made, and what goes wrong with them."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dashboard.charts.iteration_axis import iteration_axis
from dashboard.charts.thinning import thin
from dashboard.queries.live import RunSeries
from dashboard.theme import BLUE, OCHRE, PURPLE, SKY, VERMILLION, figure_layout

INCIDENT_NAMES = {
    "retries": "retries",
    "failures": "errors",
    "truncated": "truncated",
    "repairs": "repairs",
}
"""As pages call what ``Usage`` counts: requests sent again, calls that failed for good, replies cut off at their
token limit, and answers that were asked for once more."""

_COLORS = {"retries": SKY, "failures": VERMILLION, "truncated": OCHRE, "repairs": PURPLE}
_PATTERNED_UP_TO = 60
"""With more iterations than this the bars are too narrow for a pattern."""
_PATTERNS = {"retries": "", "failures": "x", "truncated": "/", "repairs": "."}


def throughput_figure(series: RunSeries) -> go.Figure:
    """Calls a second of each iteration."""
    figure, rate = go.Figure(), calls_per_s(series)
    kept = thin([rate])
    figure.add_scatter(
        x=series.iterations[kept],
        y=rate[kept],
        customdata=np.column_stack([series.calls[kept], series.duration_s[kept]]),
        name="calls a second",
        mode="lines+markers" if len(kept) <= 60 else "lines",
        line={"color": BLUE, "width": 2},
        hovertemplate="%{y:.2~f} a second<br>%{customdata[0]:,.0f} calls in %{customdata[1]:,.1f} s<extra></extra>",
        showlegend=False,
    )
    figure_layout(figure, "Iteration", "Calls a second", height=270)
    iteration_axis(figure, series)
    figure.update_yaxes(rangemode="tozero")
    return figure


def throughput_summary(series: RunSeries) -> str:
    """The chart in a sentence, for those who cannot see it."""
    rate = calls_per_s(series)
    known = rate[~np.isnan(rate)]
    if not known.size:
        return "Calls a second by iteration; none is known yet."
    return f"Calls a second by iteration: {known[-1]:.2f} in the last one, {known.mean():.2f} on average."


def incidents_figure(series: RunSeries) -> go.Figure:
    """Retries, errors, truncated replies and repairs of each iteration that had any, stacked."""
    figure = go.Figure()
    happened = sum(series.incidents.values()) > 0
    x = series.iterations[happened]
    total = sum(values[happened] for values in series.incidents.values())
    kept = thin([total])
    patterned = len(series) <= _PATTERNED_UP_TO
    for kind, values in series.incidents.items():
        name = INCIDENT_NAMES[kind]
        figure.add_bar(
            x=x[kept],
            y=values[happened][kept],
            name=f"{name} ({values.sum():,.0f})",
            marker={"color": _COLORS[kind], "pattern": {"shape": _PATTERNS[kind] if patterned else "", "size": 5}},
            hovertemplate=f"{name} %{{y:,.0f}}<extra></extra>",
        )
    figure_layout(figure, "Iteration", "Number an iteration", height=270)
    figure.update_layout(barmode="stack", legend_traceorder="normal")
    iteration_axis(figure, series)
    return figure


def incidents_summary(series: RunSeries) -> str:
    """The chart in a sentence, for those who cannot see it."""
    counts = ", ".join(f"{INCIDENT_NAMES[kind]} {values.sum():,.0f}" for kind, values in series.incidents.items())
    return f"What went wrong with calls, by iteration, in total: {counts}."


def has_incidents(series: RunSeries) -> bool:
    """Whether anything went wrong with a call of a finished iteration."""
    return any(bool(values.any()) for values in series.incidents.values())


def calls_per_s(series: RunSeries) -> np.ndarray:
    """Calls a second of each iteration; NaN where its duration is not known."""
    duration = np.where(series.duration_s > 0, series.duration_s, np.nan)
    return series.calls / duration
