"""How long each agent's policy was, by checkpoint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from dashboard.theme import GREY, agent_color, figure_layout

_DASHES = ("solid", "dash", "dot")
_SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up")
_MOST_MARKED = 60


def policy_length_figure(lengths: Mapping[str, Mapping[int, int]], names: Mapping[str, str]) -> go.Figure:
    """One line an agent.

    Args:
        lengths: Agent → checkpoint → characters.
        names: Agent → how a figure may call it.
    """
    fig = go.Figure()
    for place, (agent, by_checkpoint) in enumerate(lengths.items()):
        checkpoints = sorted(by_checkpoint)
        fig.add_scatter(
            x=checkpoints,
            y=[by_checkpoint[checkpoint] for checkpoint in checkpoints],
            name=names[agent],
            mode="lines+markers" if len(checkpoints) <= _MOST_MARKED else "lines",
            # Seven colours, then they repeat: the dash and the marker tell the rest apart, and so for the colour-blind.
            line={"color": agent_color(agent), "dash": _DASHES[place // 7 % 3], "shape": "hv"},
            marker={"symbol": _SYMBOLS[place % 5], "size": 7},
            hovertemplate="%{y:,} characters",
        )
    figure_layout(fig, "Checkpoint", "Length (characters)", height=300)
    fig.update_yaxes(rangemode="tozero")
    fig.update_layout(showlegend=True)
    whole_steps(fig, [checkpoint for each in lengths.values() for checkpoint in each])
    return fig


def whole_steps(fig: go.Figure, checkpoints: Sequence[int]) -> None:
    """Ticks at whole numbers only, from the first checkpoint to the last."""
    if checkpoints:
        first, last = min(checkpoints), max(checkpoints)
        margin = max((last - first) * 0.02, 0.2)
        fig.update_xaxes(range=[first - margin, last + margin])
        if last - first <= 10:
            fig.update_xaxes(dtick=1)
    fig.update_xaxes(tickformat="d", linecolor=GREY)
