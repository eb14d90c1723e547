"""The horizontal axis that most charts of a run share."""

from __future__ import annotations

import plotly.graph_objects as go

from dashboard.queries.live import RunSeries

_EVERY_ONE_UP_TO = 20
_MARGIN = 0.01


def iteration_axis(figure: go.Figure, series: RunSeries, *, with_checkpoints: bool = False) -> go.Figure:
    """Let the axis span the iterations and name whole ones only; give ``figure`` back.

    Args:
        figure: Changed in place.
        series: Its iterations are what is spanned.
        with_checkpoints: Span the evaluated checkpoints as well; the last one lies behind the last iteration.
    """
    figure.update_xaxes(tickformat="d", hoverformat="d")
    if not len(series):
        return figure
    first, last = float(series.iterations[0]), float(series.iterations[-1])
    if with_checkpoints:
        last = max([last, *series.held_out.checkpoints[-1:]])
    margin = max(0.5, _MARGIN * (last - first))
    figure.update_xaxes(range=[first - margin, last + margin])
    if last - first < _EVERY_ONE_UP_TO:
        figure.update_xaxes(dtick=1)
    return figure
