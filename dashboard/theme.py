"""Colours and looks of every chart: the same colour for the same thing on every page.

The palette is Okabe and Ito's for the colour-blind, with its three palest colours darkened: each has a contrast of at
least 3:1 against the light background and against the dark one.
"""

from __future__ import annotations

import re
import zlib

import plotly.graph_objects as go

BLUE, VERMILLION, GREEN, PURPLE, OCHRE, SKY, GREY = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#C46C9C",
    "#B97F00",
    "#2F93D0",
    "#8C8C8C",
)
COLORWAY = (BLUE, VERMILLION, GREEN, PURPLE, OCHRE, SKY, GREY)
"""In the order in which series take them."""

DIVERGING = ((0.0, VERMILLION), (0.5, "#F2F2F2"), (1.0, BLUE))
"""A colour scale for values around 0, such as credit: negative, none, positive."""

ADDED, REMOVED = BLUE, VERMILLION
"""Words that came and went; also told apart without colour, by underline and strike-through."""

PAGE_STYLE = """<style>
.stMainBlockContainer { padding: 3.5rem 2.5rem 3rem; }
[data-testid="stSidebarHeader"]::before { content: "LangMARL"; font-size: 1.3rem; font-weight: 700; }
</style>"""
"""What Streamlit has no setting for: less empty space around the page, and the name over the menu."""

_ROLES = {
    "actor": BLUE,
    "critic": VERMILLION,
    "gradient": GREEN,
    "aggregate": PURPLE,
    "update": OCHRE,
    "judge": SKY,
}
_PARADIGMS = {"central_credit": BLUE, "central_global": VERMILLION}
_STATES = {
    "queued": GREY,
    "running": BLUE,
    "completed": GREEN,
    "stopped": OCHRE,
    "budget_reached": OCHRE,
    "failed": VERMILLION,
    "interrupted": PURPLE,
}
_LAST_NUMBER = re.compile(r"(\d+)\D*$")


def agent_color(agent_id: str) -> str:
    """The colour of an agent: by the number in its name, else by the name itself. Repeats after seven."""
    number = _LAST_NUMBER.search(agent_id)
    place = int(number.group(1)) - 1 if number else zlib.crc32(agent_id.encode("utf-8", "surrogatepass"))
    return COLORWAY[place % len(COLORWAY)]


def role_color(role: str) -> str:
    """The colour of a role (actor, critic, gradient, aggregate, update, judge); grey for any other."""
    return _ROLES.get(role, GREY)


def paradigm_color(paradigm: str | None) -> str:
    """The colour of a paradigm; grey for an unknown one."""
    return _PARADIGMS.get(paradigm or "", GREY)


def state_color(state: str) -> str:
    """The colour of a run's state; grey for an unknown one."""
    return _STATES.get(state, GREY)


def translucent(color: str, opacity: float) -> str:
    """``color`` (``#rrggbb``) with an opacity from 0 to 1, for bands and backgrounds."""
    red, green, blue = (int(color[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


def figure_layout(fig: go.Figure, x_title: str, y_title: str, *, height: int = 320) -> go.Figure:
    """Give ``fig`` the dashboard's looks, light or dark as the page is, and hand it back.

    Args:
        fig: Changed in place. Show it with ``st.plotly_chart(fig, theme="streamlit")``.
        x_title: What the horizontal axis is, with its unit.
        y_title: What the vertical axis is, with its unit.
        height: In pixels.
    """
    fig.update_layout(
        colorway=list(COLORWAY),
        height=height,
        margin={"l": 60, "r": 20, "t": 40, "b": 50},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hovermode="x unified",
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.02, "xanchor": "left", "x": 0},
        font={"size": 13},
    )
    fig.update_xaxes(title_text=x_title, showline=True, linecolor=GREY, gridcolor=translucent(GREY, 0.2))
    fig.update_yaxes(title_text=y_title, zerolinecolor=translucent(GREY, 0.5), gridcolor=translucent(GREY, 0.2))
    return fig
