"""What a run has spent, against its budget."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from dashboard.charts.iteration_axis import iteration_axis
from dashboard.charts.thinning import thin
from dashboard.formats import dollars, tokens
from dashboard.queries.live import RunSeries
from dashboard.theme import BLUE, VERMILLION, figure_layout, translucent


def cost_figure(series: RunSeries, budget_usd: float | None) -> go.Figure:
    """US dollars spent up to each iteration, evaluation included; the line ends where the cost is not known.

    Args:
        series: What to draw.
        budget_usd: ``max_cost_usd``; None: no budget line.
    """
    figure = _spent(series, series.spent_usd(), "%{y:$,.4~f}")
    if budget_usd is not None:
        _add_budget(figure, series, budget_usd, f"budget {dollars(budget_usd)}")
    figure_layout(figure, "Iteration", "Spent so far (US dollars)", height=270)
    iteration_axis(figure, series)
    figure.update_yaxes(rangemode="tozero", tickprefix="$")
    return figure


def token_budget_figure(series: RunSeries, budget_tokens: int | None) -> go.Figure:
    """Tokens used up to each iteration, evaluation included.

    Args:
        series: What to draw.
        budget_tokens: ``max_total_tokens``; None: no budget line.
    """
    figure = _spent(series, series.spent_tokens(), "%{y:,.0f} tokens")
    if budget_tokens is not None:
        _add_budget(figure, series, budget_tokens, f"budget {tokens(budget_tokens)}")
    figure_layout(figure, "Iteration", "Used so far (tokens)", height=270)
    iteration_axis(figure, series)
    figure.update_yaxes(rangemode="tozero")
    return figure


def cost_is_known(series: RunSeries) -> bool:
    """Whether the cost of any finished iteration is known."""
    return bool(np.any(~np.isnan(series.spent_usd())))


def cost_summary(series: RunSeries, budget_usd: float | None) -> str:
    """The chart in a sentence, for those who cannot see it."""
    spent = series.spent_usd()
    last = float(spent[-1]) if len(spent) else 0.0
    text = f"Spent so far by iteration: {dollars(None if math.isnan(last) else last)} in total"
    return text + (f", of a budget of {dollars(budget_usd)}." if budget_usd is not None else ", no budget is set.")


def token_budget_summary(series: RunSeries, budget_tokens: int | None) -> str:
    """The chart in a sentence, for those who cannot see it."""
    used = tokens(int(np.nan_to_num(series.spent_tokens())[-1])) if len(series) else "0"
    text = f"Tokens used so far by iteration: {used} in total"
    return text + (f", of a budget of {tokens(budget_tokens)}." if budget_tokens is not None else ", no budget is set.")


def _spent(series: RunSeries, spent: np.ndarray, hover: str) -> go.Figure:
    figure, kept = go.Figure(), thin([spent])
    figure.add_scatter(
        x=series.iterations[kept],
        y=spent[kept],
        name="spent",
        mode="lines+markers" if len(kept) == 1 else "lines",
        line={"color": BLUE, "width": 2.5},
        fill="tozeroy",
        fillcolor=translucent(BLUE, 0.12),
        hovertemplate=f"{hover}<extra></extra>",
        showlegend=False,
    )
    return figure


def _add_budget(figure: go.Figure, series: RunSeries, budget: float, name: str) -> None:
    ends = [float(series.iterations[0]), float(series.iterations[-1])] if len(series) else [0.0, 1.0]
    figure.add_scatter(
        x=ends,
        y=[budget, budget],
        name=name,
        mode="lines",
        line={"color": VERMILLION, "width": 2, "dash": "dash"},
        hoverinfo="skip",
        showlegend=True,
    )
