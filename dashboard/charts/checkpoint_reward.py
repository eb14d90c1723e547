"""The reward under each checkpoint's policies, with the two that are being compared."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from dashboard.charts.policy_length import whole_steps
from dashboard.queries.policies import Rewards
from dashboard.theme import ADDED, BLUE, GREEN, REMOVED, figure_layout, translucent

_MOST_MARKED = 60


def checkpoint_reward_figure(rewards: Sequence[Rewards], checkpoints: Sequence[int], old: int, new: int) -> go.Figure:
    """Mean training reward with its spread, held-out reward, and where the compared checkpoints are.

    Args:
        rewards: By checkpoint, ascending.
        checkpoints: All that exist: the axis spans them.
        old: The earlier one of the comparison.
        new: The later one.
    """
    fig = go.Figure()
    _add_training(fig, [each for each in rewards if each.mean is not None])
    held_out = [each for each in rewards if each.held_out is not None]
    if held_out:
        fig.add_scatter(
            x=[each.checkpoint for each in held_out],
            y=[each.held_out for each in held_out],
            name="held-out tasks",
            mode="lines+markers" if len(held_out) <= _MOST_MARKED else "lines",
            line={"color": GREEN, "dash": "dash"},
            marker={"symbol": "diamond", "size": 8},
            hovertemplate="%{y:.3f}",
        )
    figure_layout(fig, "Checkpoint", "Mean reward", height=230)
    fig.update_layout(margin={"t": 50}, showlegend=True)
    whole_steps(fig, checkpoints)
    _mark(fig, old, "old", REMOVED, "dot", "left" if old > new else "right")
    _mark(fig, new, "new", ADDED, "solid", "right" if old > new else "left")
    return fig


def _add_training(fig: go.Figure, played: Sequence[Rewards]) -> None:
    if not played:
        return
    x = [each.checkpoint for each in played]
    means = [each.mean for each in played]
    lower = [each.mean if each.low is None else each.low for each in played]
    upper = [each.mean if each.high is None else each.high for each in played]
    fig.add_scatter(
        x=[*x, *x[::-1]],
        y=[*upper, *lower[::-1]],
        mode="lines",
        fill="toself",
        fillcolor=translucent(BLUE, 0.15),
        line={"width": 0},
        name="± 1 standard deviation of its episodes",
        hoverinfo="skip",
    )
    fig.add_scatter(
        x=x,
        y=means,
        name="iteration played under it",
        mode="lines+markers" if len(x) <= _MOST_MARKED else "lines",
        line={"color": BLUE},
        hovertemplate="%{y:.3f}",
    )


def _mark(fig: go.Figure, checkpoint: int, text: str, color: str, dash: str, side: str) -> None:
    fig.add_vline(
        x=checkpoint,
        line={"color": color, "dash": dash, "width": 2},
        annotation={"text": text, "font": {"color": color}, "yref": "paper", "y": 1.0, "showarrow": False},
        annotation_position=f"top {side}",
    )
