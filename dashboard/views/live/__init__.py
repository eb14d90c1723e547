"""The Live page: watch a run."""

from __future__ import annotations

import streamlit as st

from dashboard import context
from dashboard.links import RUN, pick_run, run_link
from dashboard.queries.live import RunView, watch
from dashboard.text import show_error, show_message
from dashboard.views.live.charts import begin_charts, show_charts
from dashboard.views.live.controls import show_controls
from dashboard.views.live.feed import show_episodes, show_log
from dashboard.views.live.status import show_progress, show_state, show_tiles
from langmarl.errors import LangMARLError, UnknownNameError
from langmarl.store import RunDirectory

EVERY_S = 1.0
"""How often the page looks at the run, in seconds."""

_DRAWN = "live.drawn"

_NO_FLICKER = '<style>[data-testid="stStatusWidget"] { display: none; }</style>'
"""Without the sign that something is running, which would come and go with every look."""


def show() -> None:
    """The run that the address names, or that the person chooses, as it is now."""
    st.html(_NO_FLICKER)
    st.title("Live", anchor=False)
    choice, links = st.columns([2, 1], vertical_alignment="bottom")
    with choice:
        run_id = pick_run("live-run")
    run = _open(run_id)
    if run is None:
        return
    with links, st.container(horizontal=True, horizontal_alignment="right", key="live-links"):
        run_link("policies", run.run_id)
        run_link("feedback", run.run_id)
    begin_charts()
    if watch(run).look().is_active:
        _board_at_work(run, is_at_work=True)
    else:
        _board_at_rest(run, is_at_work=False)
        _draw_again_when_changed(run)


def _open(run_id: str | None) -> RunDirectory | None:
    """The chosen run; else the one of the address where it is too damaged to be listed, but can be opened."""
    wanted = run_id or st.query_params.get(RUN)
    if wanted is None:
        return None
    try:
        return context.store().run(wanted)
    except UnknownNameError:  # the choice has said so
        return None
    except LangMARLError as error:
        show_error(error)
        return None


def _board(run: RunDirectory, is_at_work: bool) -> None:
    """Everything that may change while one looks.

    Args:
        run: The run.
        is_at_work: Whether the page was drawn for a run that somebody works on.
    """
    st.session_state[_DRAWN] = None
    if not run.path.is_dir():
        show_message("The directory of this run is gone.", "error", remedy="Choose another run.")
        return
    view = watch(run).look()
    if view.is_active != is_at_work:
        st.rerun()
    st.session_state[_DRAWN] = view
    state, controls = st.columns([3, 1], vertical_alignment="top")
    with state:
        show_state(view)
    with controls:
        show_controls(view)
    for problem in view.problems:
        show_error(problem)
    show_progress(view)
    show_tiles(view)
    show_charts(view)
    show_episodes(view)
    show_log(view)


_board_at_work = st.fragment(_board, run_every=EVERY_S)
_board_at_rest = st.fragment(_board)


@st.fragment(run_every=EVERY_S)
def _draw_again_when_changed(run: RunDirectory) -> None:
    """Look at a run on which nobody works, which costs far less than to draw it, until there is something new."""
    drawn: RunView | None = st.session_state.get(_DRAWN)
    if drawn is not None and not (run.path.is_dir() and watch(run).look().looks_like(drawn)):
        st.rerun()
