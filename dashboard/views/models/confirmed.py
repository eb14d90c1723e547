"""Which keys may go to which endpoints, beyond those that presets name."""

from __future__ import annotations

import streamlit as st

from dashboard import trust
from dashboard.text import show_error, show_text
from langmarl.errors import LangMARLError

_PROBLEM = "models.withdraw-problem"


def show_confirmed() -> None:
    """What was confirmed on this machine, each with a button that withdraws it."""
    st.subheader("Endpoints confirmed for a key", anchor=False)
    problem = st.session_state.get(_PROBLEM)
    if problem is not None:
        show_error(problem)
    uses = trust.confirmed_endpoints()
    if not uses:
        st.text("None. A key goes only to the endpoints that presets name; any other one asks you first.")
        return
    for place, use in enumerate(uses):
        words, action = st.columns([5, 1], vertical_alignment="center")
        with words:
            show_text(f"{use.key_variable} → {use.base_url}")
        action.button("Withdraw", key=f"models-withdraw-{place}", on_click=_withdraw, args=(use,))


def _withdraw(use: trust.KeyUse) -> None:
    st.session_state.pop(_PROBLEM, None)
    try:
        trust.withdraw(use)
    except LangMARLError as error:
        st.session_state[_PROBLEM] = error
