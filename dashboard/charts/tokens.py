"""Tokens by role."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dashboard.charts.iteration_axis import iteration_axis
from dashboard.charts.thinning import thin
from dashboard.formats import tokens
from dashboard.queries.live import RunSeries
from dashboard.text import plain_line, plot_text
from dashboard.theme import figure_layout, role_color, translucent

ALL_ROLES = "all roles"
"""Names the one line of a run that does not tell its roles apart."""

_BARS_UP_TO = 40


def tokens_figure(series: RunSeries) -> go.Figure:
    """Tokens of each iteration, input and output together, stacked by role: bars, for long runs areas."""
    by_role = series.tokens_by_role or {ALL_ROLES: np.nan_to_num(series.tokens)}
    figure, total = go.Figure(), sum(by_role.values())
    kept = thin([total])
    x = series.iterations[kept]
    for role, used in by_role.items():
        shown, color = plot_text(role, 40), role_color(role)
        name, hover = f"{shown} ({tokens(int(used.sum()))})", f"{shown} %{{y:,.0f}}<extra></extra>"
        if len(series) <= _BARS_UP_TO:
            figure.add_bar(x=x, y=used[kept], name=name, marker_color=color, hovertemplate=hover)
        else:
            figure.add_scatter(
                x=x,
                y=used[kept],
                name=name,
                mode="lines",
                stackgroup="roles",
                line={"color": color, "width": 1},
                fillcolor=translucent(color, 0.6),
                hovertemplate=hover,
            )
    figure_layout(figure, "Iteration", "Tokens an iteration", height=270)
    figure.update_layout(barmode="stack", legend_traceorder="normal")
    iteration_axis(figure, series)
    return figure


def tokens_summary(series: RunSeries) -> str:
    """The chart in a sentence, for those who cannot see it."""
    shares = ", ".join(
        f"{plain_line(role, 40)} {tokens(int(used.sum()))}" for role, used in series.tokens_by_role.items()
    )
    return f"Tokens by iteration and role, in total: {shares or tokens(int(np.nansum(series.tokens)))}."
