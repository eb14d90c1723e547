"""Which runs to see, and in which order."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from dashboard.queries.runs import ORDERS, RunSummary, matching
from dashboard.views.runs.states import mark_of, name_of
from langmarl.store import STATES


def chosen_runs(runs: list[RunSummary]) -> list[RunSummary]:
    """Draw the filter, and give the runs that pass it. What was chosen stays when a person leaves and comes back."""
    counts = Counter(run.state for run in runs)
    present = [state for state in STATES if counts[state]]
    hidden = sum(run.is_archived for run in runs)
    search, order, archive = st.columns([3, 1.4, 1.2], vertical_alignment="bottom")
    text = search.text_input(
        "Filter",
        key="runs-filter",
        placeholder="name, experiment, environment, model …",
        type="search",
        persist_state="session",
    )
    order.selectbox("Order", list(ORDERS), key="runs-order", on_change=_keep_order, persist_state="session")
    archived = archive.toggle(f"Archived ({hidden})", key="runs-archived", disabled=not hidden, persist_state="session")
    states = st.pills(
        "State",
        present,
        selection_mode="multi",
        format_func=lambda state: f"{mark_of(state)} {name_of(state)} ({counts[state]})",
        key="runs-states",
        label_visibility="collapsed",
        persist_state="session",
    )
    return matching(runs, states=states or (), text=text or "", archived=archived)


def _keep_order() -> None:
    st.session_state["runs.order"] = ORDERS[st.session_state["runs-order"]]
