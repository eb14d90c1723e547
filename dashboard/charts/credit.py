"""Credit as a heat map, agent × episode, with the reward of each episode above it."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dashboard.queries.feedback import EpisodeSummary, Standing
from dashboard.text import plot_text
from dashboard.theme import DIVERGING, GREY, OCHRE, VERMILLION, figure_layout

_MOST_NUMBERED = 26
_MOST_TICKS = 26
_SIGNS = {
    Standing.UNPARSED: ("answer not usable", "x", OCHRE),
    Standing.FAILED: ("episode failed", "square-x-open", VERMILLION),
    Standing.UNJUDGED: ("not judged", "line-ew-open", GREY),
    Standing.UNREADABLE: ("file damaged", "triangle-down-open", VERMILLION),
}
"""What stands where there is no credit: told apart by form, not by colour alone."""


def credit_figure(
    episodes: Sequence[EpisodeSummary], agents: Sequence[str], chosen_episode: int | str, chosen_agent: str
) -> go.Figure:
    """The heat map; each cell, and each bar of the rewards, carries ``[episode's place, agent's place]``.

    Args:
        episodes: The columns, from the left.
        agents: The rows, from the top.
        chosen_episode: Its column is outlined.
        chosen_agent: Its row in that column is outlined more strongly.
    """
    rows = len(agents)
    row_height = 34 if rows <= 8 else 22
    height = 190 + row_height * rows
    fig = make_subplots(
        rows=2, cols=1, shared_xaxes=True, vertical_spacing=18 / height, row_heights=[70, row_height * rows]
    )
    _add_rewards(fig, episodes)
    _add_credit(fig, episodes, agents)
    _add_signs(fig, episodes, agents)
    _add_targets(fig, episodes, agents)
    figure_layout(fig, "", "", height=height)
    fig.update_layout(hovermode="closest", clickmode="event+select", dragmode=False, bargap=0.25, showlegend=True)
    _label_axes(fig, episodes, agents)
    _outline(fig, episodes, agents, chosen_episode, chosen_agent)
    return fig


def _add_rewards(fig: go.Figure, episodes: Sequence[EpisodeSummary]) -> None:
    fig.add_bar(
        x=list(range(len(episodes))),
        y=[episode.reward for episode in episodes],
        customdata=[[place, None] for place in range(len(episodes))],
        marker={"color": GREY},
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        hovertext=[_episode_hover(episode) for episode in episodes],
        hoverinfo="text",
        name="reward",
        showlegend=False,
        row=1,
        col=1,
    )


def _add_credit(fig: go.Figure, episodes: Sequence[EpisodeSummary], agents: Sequence[str]) -> None:
    numbered = len(episodes) <= _MOST_NUMBERED
    fig.add_heatmap(
        x=list(range(len(episodes))),
        y=list(range(len(agents))),
        z=[[episode.credits.get(agent) for episode in episodes] for agent in agents],
        zmin=-1,
        zmax=1,
        colorscale=[list(stop) for stop in DIVERGING],
        xgap=2,
        ygap=2,
        texttemplate="%{z:+.1f}" if numbered else None,
        textfont={"color": "black"},  # 4:1 or more on every colour of the scale
        hoverinfo="skip",
        showscale=True,
        colorbar={"title": {"text": "Credit", "side": "right"}, "thickness": 12, "tickvals": [-1, 0, 1], "len": 0.9},
        row=2,
        col=1,
    )


def _add_signs(fig: go.Figure, episodes: Sequence[EpisodeSummary], agents: Sequence[str]) -> None:
    for standing, (name, symbol, color) in _SIGNS.items():
        cells = [
            (column, row)
            for column, episode in enumerate(episodes)
            for row, agent in enumerate(agents)
            if episode.standing(agent) is standing
        ]
        if cells:
            fig.add_scatter(
                x=[column for column, _ in cells],
                y=[row for _, row in cells],
                mode="markers",
                marker={"symbol": symbol, "color": color, "size": 11, "line": {"width": 2, "color": color}},
                selected={"marker": {"opacity": 1}},
                unselected={"marker": {"opacity": 1}},
                name=name,
                hoverinfo="skip",
                row=2,
                col=1,
            )


def _add_targets(fig: go.Figure, episodes: Sequence[EpisodeSummary], agents: Sequence[str]) -> None:
    """Plotly lets nobody click a heat map's cell; an unseen marker over each can be clicked and hovered."""
    cells = [(column, row) for column in range(len(episodes)) for row in range(len(agents))]
    unseen = {"marker": {"opacity": 0}}
    fig.add_scatter(
        x=[column for column, _ in cells],
        y=[row for _, row in cells],
        customdata=[list(cell) for cell in cells],
        mode="markers",
        marker={"symbol": "square", "size": 22, "opacity": 0, "color": GREY},
        selected=unseen,
        unselected=unseen,
        hovertext=[_cell_hover(episodes[column], agents[row]) for column, row in cells],
        hoverinfo="text",
        showlegend=False,
        row=2,
        col=1,
    )


def _label_axes(fig: go.Figure, episodes: Sequence[EpisodeSummary], agents: Sequence[str]) -> None:
    step = -(-len(episodes) // _MOST_TICKS) or 1
    places = list(range(0, len(episodes), step))
    fig.update_xaxes(range=[-0.5, len(episodes) - 0.5], showgrid=False, zeroline=False, showline=False)
    fig.update_xaxes(
        title_text="Episode",
        tickmode="array",
        tickvals=places,
        ticktext=[plot_text(episodes[place].episode, 12) for place in places],
        row=2,
        col=1,
    )
    fig.update_yaxes(title_text="Reward", nticks=3, row=1, col=1)
    fig.update_yaxes(
        title_text="Agent",
        tickmode="array",
        tickvals=list(range(len(agents))),
        ticktext=[plot_text(agent, 18) for agent in agents],
        range=[len(agents) - 0.5, -0.5],
        showgrid=False,
        zeroline=False,
        row=2,
        col=1,
    )
    fig.update_layout(margin={"l": 110, "t": 36, "b": 46})


def _outline(
    fig: go.Figure,
    episodes: Sequence[EpisodeSummary],
    agents: Sequence[str],
    chosen_episode: int | str,
    chosen_agent: str,
) -> None:
    columns = [place for place, episode in enumerate(episodes) if episode.episode == chosen_episode]
    if not columns:
        return
    left, right = columns[0] - 0.5, columns[0] + 0.5
    thin = {"color": GREY, "width": 1}
    fig.add_shape(type="rect", x0=left, x1=right, y0=-0.5, y1=len(agents) - 0.5, line=thin, row=2, col=1)
    if chosen_agent in agents:
        row = list(agents).index(chosen_agent)
        for color, width in (("white", 6), ("black", 3)):  # seen on any credit, light and dark
            line = {"color": color, "width": width}
            fig.add_shape(type="rect", x0=left, x1=right, y0=row - 0.5, y1=row + 0.5, line=line, row=2, col=1)


def _episode_hover(episode: EpisodeSummary) -> str:
    reward = "no reward" if episode.reward is None else f"reward {episode.reward:.3f}"
    return f"episode {plot_text(episode.episode, 20)}<br>{reward}"


def _cell_hover(episode: EpisodeSummary, agent: str) -> str:
    credit = episode.credits.get(agent)
    said = _SIGNS[episode.standing(agent)][0] if credit is None else f"credit {credit:+.2f}"
    return f"{plot_text(agent, 40)}<br>{said}<br>{_episode_hover(episode)}"
