"""What went wrong with the last thing a person asked for; shown until the next one."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.text import show_error
from langmarl.errors import LangMARLError

_PROBLEM = "runs.problem"


def attempt(action: Callable[[], object]) -> bool:
    """Do what was asked for; whether it went well. A mistake is kept for :func:`show_problem`."""
    st.session_state.pop(_PROBLEM, None)
    try:
        action()
    except LangMARLError as error:
        st.session_state[_PROBLEM] = error
        return False
    return True


def show_problem() -> None:
    """Draw the last problem, if the last action had one."""
    problem = st.session_state.get(_PROBLEM)
    if problem is not None:
        show_error(problem)
