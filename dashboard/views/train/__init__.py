"""The Train page: launch a run and control it."""

from __future__ import annotations

import streamlit as st

from dashboard.draft import get_draft, keep_in_address
from dashboard.links import RUN, set_param
from dashboard.views.train.at_work import draw_at_work
from dashboard.views.train.draft_launch import draw_draft
from dashboard.views.train.outcome import show_outcome
from dashboard.views.train.run_control import draw_run

_SOURCE = "train-source"
_DRAFT, _RUN = "The config from Configure", "A run that is there"


def show() -> None:
    """On the left a config and whether it can start; on the right the runs at work."""
    st.title("Train", anchor=False)
    get_draft()  # before the address is changed: a refresh finds the draft by it
    if RUN in st.query_params:
        st.session_state[_SOURCE] = _RUN
    launch, work = st.columns([8, 5], gap="large")
    with launch:
        source = st.segmented_control(
            "What to train",
            (_DRAFT, _RUN),
            default=None if _SOURCE in st.session_state else _DRAFT,
            required=True,
            key=_SOURCE,
            persist_state="session",
            on_change=_leave_run,
        )
        show_outcome()
        if source == _RUN:
            draw_run()
        else:
            keep_in_address()
            draw_draft()
    with work:
        draw_at_work()


def _leave_run() -> None:
    if st.session_state[_SOURCE] != _RUN:
        set_param(RUN, None)
