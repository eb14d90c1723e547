"""The first visit: one button to see a team learn."""

from __future__ import annotations

import uuid

import streamlit as st

from dashboard import context
from dashboard.links import go_to, run_link
from dashboard.navigation import is_shown
from dashboard.shipped import quickstart
from dashboard.views.runs.problem import attempt
from langmarl.config import load_config

_TOKEN = "runs.quickstart-token"
_STARTED = "runs.quickstart-started"


def show_first_visit() -> None:
    """What this is, and the button that trains the quickstart and goes to watch it."""
    with st.container(border=True, key="runs-first-visit"):
        st.subheader("See a team of agents learn", anchor=False)
        st.text(
            "Two agents answer questions from passages. A critic reads every episode and says who earned or lost the "
            "answer; an optimizer rewrites each agent's prompt. Watch the reward rise as the prompts get better."
        )
        st.text(
            "The quickstart uses the built-in offline model, a rule-based stand-in: no key, no network, no cost, "
            "done in under a minute."
        )
        st.button(
            "Run the quickstart",
            key="runs-quickstart",
            type="primary",
            icon="▶️",
            on_click=_start,
        )
        run_link("configure", text="Or put a config of your own together")


def leave_for_started_run() -> None:
    """Go to the Live page where the button has just been pressed; for the beginning of the page."""
    started = st.session_state.pop(_STARTED, None)
    if started is not None and is_shown("live"):
        go_to("live", started)


def _start() -> None:
    token = st.session_state.setdefault(_TOKEN, uuid.uuid4().hex)

    def start() -> None:
        run_id = context.supervisor().start(load_config(quickstart(), to_run=True), token)
        st.session_state.pop(_TOKEN, None)
        st.session_state[_STARTED] = run_id

    attempt(start)
