"""The Feedback page: see what the critic saw, and what was made of what it said."""

from __future__ import annotations

import streamlit as st

from dashboard.context import store
from dashboard.empty import empty_state
from dashboard.links import pick_run
from dashboard.queries.feedback import played_iterations, read_episode
from dashboard.text import show_message
from dashboard.views.bound import AddressChoices
from dashboard.views.feedback.background import show_background
from dashboard.views.feedback.choosing import choose
from dashboard.views.feedback.conversation import show_conversation
from dashboard.views.feedback.judgement import show_judgement


def show() -> None:
    """A heat map of credit; the chosen episode beside what was said and made of it."""
    st.title("Feedback", anchor=False)
    run_id = pick_run("feedback-run")
    if run_id is None:
        return
    run = store().run(run_id)
    iterations = played_iterations(run)
    if not iterations:
        empty_state(
            "This run has no episodes yet",
            "They appear here one by one while the run is going. Start it, or watch it live.",
            "live",
        )
        return
    choice = choose(run, iterations, AddressChoices("feedback", run_id))
    if choice is None:
        return
    detail = read_episode(run, choice.iteration, choice.episode)
    for problem in detail.problems:
        show_message(problem, "warning")
    left, right = st.columns([3, 2], gap="medium")
    with left:
        show_conversation(detail, choice.agent)
    with right:
        show_judgement(run, choice, detail)
    show_background(run, choice, detail)
