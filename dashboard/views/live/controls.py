"""Stop and resume."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboard import context, trust
from dashboard.queries.live import RunView
from dashboard.text import show_error
from langmarl.errors import LangMARLError

_PROBLEM = "live.problem"


def show_controls(view: RunView) -> None:
    """The one button that makes sense in the run's state, and what went wrong with the last press of it."""
    if view.state is None:
        return
    with st.container(horizontal=True, horizontal_alignment="right", key="live-controls"):
        if view.is_active:
            _show_stop(view)
        elif view.state.state != "completed":
            _show_resume(view)
    run_id, problem = st.session_state.get(_PROBLEM, (None, None))
    if run_id == view.run_id:
        show_error(problem)


def _show_stop(view: RunView) -> None:
    supervisor = context.supervisor()
    stopping = view.stop_requested or (view.is_ours and supervisor.is_stopping(view.run_id))
    st.button(
        "Stopping …" if stopping else "Stop",
        key="live-stop",
        icon="⏹️",
        help="End it after the calls in flight; it can be resumed",
        disabled=stopping,
        on_click=_attempt,
        args=(view.run_id, partial(supervisor.stop, view.run_id)),
    )


def _show_resume(view: RunView) -> None:
    state = view.state
    # The token stays the same until the run is in another state: a second click, or another tab, starts nothing more.
    token = f"resume {view.run_id} {state.state} {state.updated_at}" if state else ""
    st.button(
        "Resume",
        key="live-resume",
        type="primary",
        icon="▶️",
        help="Go on from the last finished call",
        on_click=_attempt,
        args=(view.run_id, partial(_resume, view.run_id, token)),
    )


def _resume(run_id: str, token: str) -> None:
    trust.require_run(context.store().run(run_id))
    context.supervisor().resume(run_id, token)


def _attempt(run_id: str, action: Callable[[], object]) -> None:
    """Do what was asked for; a mistake stays on the page until the next attempt."""
    st.session_state.pop(_PROBLEM, None)
    try:
        action()
    except LangMARLError as error:
        st.session_state[_PROBLEM] = (run_id, error)
