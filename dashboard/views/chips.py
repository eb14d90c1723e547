"""An agent's name with its colour, the same on each page."""

from __future__ import annotations

from dashboard.text import markup, plain_line


def agent_chip(agent: str, color: str, beside: str = "") -> str:
    """HTML for ``st.html``: a coloured dot, the agent's name, and more words beside it.

    Args:
        agent: Its name; escaped here.
        color: As ``#rrggbb``.
        beside: More words; escaped here.
    """
    dot = f'<span aria-hidden="true" style="color:{color};font-size:1.2em;">●</span>'
    name = f'<strong style="font-size:1.1em;">{markup(plain_line(agent))}</strong>'
    more = f'<span style="opacity:0.75;margin-left:0.8em;">{markup(beside)}</span>' if beside else ""
    return f'<div style="overflow-wrap:anywhere;">{dot} {name}{more}</div>'
