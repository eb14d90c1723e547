"""What came of the last thing that a person asked for on this page; shown until the next one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboard import context
from dashboard.links import run_link
from dashboard.text import show_error, show_message
from langmarl.errors import LangMARLError

_OUTCOME = "train.outcome"
_TO_DRAW = "train.outcome-to-draw"


def attempt(action: Callable[[], str | None]) -> None:
    """Do what was asked for; keep the run that it started, or what was wrong."""
    st.session_state.pop(_OUTCOME, None)
    st.session_state[_TO_DRAW] = True
    try:
        started = action()
        if context.experiments_dir().is_dir():
            context.index().reconcile()  # what was done is seen at once, not at the next look
    except LangMARLError as error:
        st.session_state[_OUTCOME] = error
    else:
        if started is not None:
            st.session_state[_OUTCOME] = started


def stop_button(run_id: str, key: str) -> None:
    """A button that ends a run after the calls in flight."""
    supervisor = context.supervisor()
    stopping = supervisor.is_stopping(run_id)
    st.button(
        "Stopping …" if stopping else "Stop",
        key=key,
        icon="⏹️",
        help="End it after the calls in flight; it can be resumed",
        disabled=stopping,
        on_click=attempt,
        args=(partial(supervisor.stop, run_id),),
    )


def has_new_outcome() -> bool:
    """Whether something was asked for since the outcome was drawn."""
    return bool(st.session_state.get(_TO_DRAW))


def show_outcome() -> None:
    """Draw the outcome, if there is one to draw."""
    st.session_state[_TO_DRAW] = False
    outcome = st.session_state.get(_OUTCOME)
    if isinstance(outcome, LangMARLError):
        show_error(outcome)
    elif outcome is not None:
        _show_started(outcome)


def _show_started(run_id: str) -> None:
    place = context.supervisor().positions().get(run_id)
    waits = f"{run_id} waits in the queue, as number {place}." if place else f"{run_id} has been started."
    show_message(waits, "success")
    with st.container(key="train-started"):
        run_link("live", run_id, text="Watch it on the Live page")
