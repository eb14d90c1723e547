"""What was played last, and what the log says."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from dashboard.formats import MISSING, reward
from dashboard.queries.live import RunView, ShownEpisode
from dashboard.text import markup, plain_line, show_code
from dashboard.theme import agent_color

_LOG_PX = 300
_GRID = "display:grid;gap:0.6rem;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));"
_QUIET = ("DEBUG", "INFO")


def show_episodes(view: RunView) -> None:
    """The newest episodes: task, reward, and the last message."""
    st.subheader("Newest episodes", anchor=False)
    if not view.episodes:
        st.text("None has ended yet.")
        return
    cards = "".join(_card(episode) for episode in view.episodes)
    st.html(f'<div class="langmarl-episodes" style="{_GRID}">{cards}</div>')


def show_log(view: RunView) -> None:
    """The log's newest lines, the newest first."""
    st.subheader("Log, newest first", anchor=False)
    only_trouble = st.toggle("Only warnings and errors", key="live-log-trouble", persist_state="session")
    lines = [line for line in reversed(view.log) if not only_trouble or _level(line) not in _QUIET]
    if lines:
        show_code("\n".join(_brief(line) for line in lines), height=_LOG_PX)
    else:
        st.text("No warning or error." if view.log else "Nothing is logged yet.")


def _card(episode: ShownEpisode) -> str:
    kind = "evaluation of checkpoint" if episode.is_evaluation else "iteration"
    time = datetime.fromtimestamp(episode.ended_at).strftime("%H:%M:%S")
    head = f"{kind} {episode.iteration} · episode {plain_line(episode.episode, 20)} · {time}"
    value = (
        "failed" if episode.failure else f"reward {reward(episode.reward) if episode.reward is not None else MISSING}"
    )
    body = _clamped(episode.failure, 3) if episode.failure else _clamped(episode.task, 2) + _message(episode)
    return (
        '<div style="border:1px solid rgba(140,140,140,0.35);border-radius:8px;padding:0.5rem 0.8rem;min-width:0;">'
        '<div style="display:flex;justify-content:space-between;gap:1rem;font-size:0.85rem;">'
        f'<span style="opacity:0.75;">{markup(head)}</span><strong>{markup(value)}</strong></div>{body}</div>'
    )


def _message(episode: ShownEpisode) -> str:
    if not episode.speaker:
        return ""
    dot = f'<span aria-hidden="true" style="color:{agent_color(episode.speaker)};">●</span>'
    name = f"<strong>{markup(plain_line(episode.speaker, 40))}</strong>"
    return f'<div style="margin-top:0.25rem;">{_clamped_markup(f"{dot} {name} {markup(episode.message)}", 3)}</div>'


def _clamped(text: str, lines: int) -> str:
    return _clamped_markup(markup(text), lines)


def _clamped_markup(inner: str, lines: int) -> str:
    """At most so many lines are shown, with an ellipsis."""
    style = f"display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:{lines};overflow:hidden;"
    return f'<div style="{style}white-space:pre-line;overflow-wrap:anywhere;">{inner}</div>'


def _level(line: str) -> str:
    parts = line.split(maxsplit=2)
    return parts[1] if len(parts) > 1 else ""


def _brief(line: str) -> str:
    """The line with the time of day instead of the full time."""
    moment, _, rest = line.partition(" ")
    try:
        return f"{datetime.fromisoformat(moment).astimezone():%H:%M:%S} {rest}"
    except ValueError:
        return line
