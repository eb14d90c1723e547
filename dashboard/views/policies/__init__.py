"""The Policies page: see how each prompt evolved."""

from __future__ import annotations

import streamlit as st

from dashboard.context import store
from dashboard.empty import empty_state
from dashboard.links import pick_run
from dashboard.queries.policies import read_history
from dashboard.text import show_message
from dashboard.views.bound import AddressChoices
from dashboard.views.policies.choosing import choose
from dashboard.views.policies.comparing import compare
from dashboard.views.policies.evolution import show_evolution


def show() -> None:
    """Two checkpoints compared, and how the policies went from each to the next."""
    st.title("Policies", anchor=False)
    run_id = pick_run("policies-run")
    if run_id is None:
        return
    run = store().run(run_id)
    history = read_history(run)
    if history.problem is not None:
        show_message(history.problem, "warning", remedy="Rewards and reasons cannot be shown; the policies can.")
    if not history.checkpoints:
        empty_state(
            "This run has no policies yet", "The first checkpoint is written when the run begins. Start it.", "train"
        )
        return
    choice = choose(run, history, AddressChoices("policies", run_id))
    compare(run, history, choice)
    show_evolution(run, history, choice)
