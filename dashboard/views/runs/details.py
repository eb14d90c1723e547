"""The selected run: how it is, what can be done with it, and where to look next."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard import context
from dashboard.archive import set_archived
from dashboard.formats import ago, dollars, reward, tokens
from dashboard.links import run_link
from dashboard.queries.runs import RunSummary
from dashboard.text import label, show_code, show_message
from dashboard.views.runs.problem import attempt
from dashboard.views.runs.states import mark_of, name_of
from langmarl.store import RunState

_ACTIVE = ("queued", "running")


def show_details(summary: RunSummary) -> None:
    """Draw the panel of one run."""
    with st.container(border=True, key="runs-details"):
        heading, links = st.columns([3, 2], vertical_alignment="center")
        heading.subheader(label(summary.run_id), anchor=False)
        with links, st.container(horizontal=True, horizontal_alignment="right", key="runs-links"):
            run_link("live", summary.run_id)
            run_link("policies", summary.run_id)
            run_link("feedback", summary.run_id)
        state = context.store().run(summary.run_id).state()
        _show_figures(summary, state)
        _show_reason(state)
        with st.container(horizontal=True, key="runs-actions"):
            _show_actions(summary, state)
        with st.expander("Where it is on disk", key="runs-path"):
            show_code(summary.path)


def _show_figures(summary: RunSummary, state: RunState) -> None:
    planned = "?" if summary.num_iterations is None else summary.num_iterations
    figures = {
        "State": f"{mark_of(state.state)} {name_of(state.state)}",
        "Iterations": f"{summary.iterations_done} of {planned}",
        "Best reward": reward(summary.best_reward),
        "Last reward": reward(summary.last_reward),
        "Tokens": tokens(summary.total_tokens),
        "Cost (USD)": dollars(summary.cost_usd),
        "In this state": ago(state.updated_at),
    }
    widths = [1.7, *[1.0] * (len(figures) - 1)]
    for column, (name, value) in zip(st.columns(widths), figures.items(), strict=True):
        column.caption(name)
        column.text(value)


def _show_reason(state: RunState) -> None:
    if state.reason:
        kind = {"failed": "error", "interrupted": "warning"}.get(state.state, "info")
        show_message(state.reason, kind, remedy=state.remedy if state.state == "failed" else None)


def _show_actions(summary: RunSummary, state: RunState) -> None:
    if state.state in _ACTIVE:
        _show_stop(summary.run_id)
    elif state.state != "completed":
        # The token stays the same until the run is in another state: a second click on the same button starts nothing.
        token = f"resume {summary.run_id} {state.state} {state.updated_at}"
        st.button(
            "Resume",
            key="runs-resume",
            type="primary",
            icon="▶️",
            help="Go on from the last finished call",
            on_click=attempt,
            args=(partial(context.supervisor().resume, summary.run_id, token),),
        )
    if state.state not in _ACTIVE:
        st.button(
            "Back from the archive" if summary.is_archived else "Archive",
            key="runs-archive",
            icon="🗄️",
            help="Hide it from this table; nothing is moved or deleted",
            on_click=attempt,
            args=(partial(set_archived, summary.path, not summary.is_archived),),
        )


def _show_stop(run_id: str) -> None:
    supervisor = context.supervisor()
    stopping = supervisor.is_stopping(run_id)
    st.button(
        "Stopping …" if stopping else "Stop",
        key="runs-stop",
        icon="⏹️",
        help="End it after the calls in flight; it can be resumed",
        disabled=stopping,
        on_click=attempt,
        args=(partial(supervisor.stop, run_id),),
    )
