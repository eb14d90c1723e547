"""The runs at work and in the queue, and those that just ended; brought up to date while one looks."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard import context
from dashboard.formats import ago, reward
from dashboard.links import RUN, run_link, set_param
from dashboard.queries.launches import RunAtWork, resume_token, runs_at_work, runs_just_ended
from dashboard.text import markup, plain_line
from dashboard.views.train.outcome import attempt, has_new_outcome, stop_button
from langmarl.store import RunState

_EVERY_S = 1.5
_DRAWN = "train.drawn-states"


def draw_at_work() -> None:
    """Draw the lists; the page is drawn again when a run comes, goes or ends."""
    st.session_state[_DRAWN] = _states()
    _draw()


@st.fragment(run_every=_EVERY_S)
def _draw() -> None:
    if has_new_outcome() or _states() != st.session_state.get(_DRAWN):
        st.rerun()
    if not context.experiments_dir().is_dir():
        _draw_none()
        return
    index = context.reconciled_index()
    working, ended = runs_at_work(index), runs_just_ended(index)
    if not working:
        _draw_none()
    else:
        st.subheader("At work", anchor=False)
    for run in working:
        _draw_working(run)
    if ended:
        st.subheader("Ended last", anchor=False)
    for run in ended:
        _draw_ended(run)


def _states() -> list[tuple[str, str]]:
    """What decides how the rest of the page looks."""
    if not context.experiments_dir().is_dir():
        return []
    index = context.reconciled_index()
    return [(run.run_id, run.state) for run in (*runs_at_work(index), *runs_just_ended(index))]


def _draw_none() -> None:
    st.subheader("At work", anchor=False)
    st.text("No run is at work. Start one on the left; up to two go at once, others wait in a queue.")


def _draw_working(run: RunAtWork) -> None:
    supervisor = context.supervisor()
    place = supervisor.positions().get(run.run_id)
    with st.container(border=True, key=f"train-working-{run.run_id}"):
        if place:
            words = f"number {place} in the queue"
        elif run.state == "running" and run.run_id not in supervisor.running():
            words = f"running in another process, {_progress(run)}"
        else:
            words = f"{run.state}, {_progress(run)}"
        _draw_lines(run, words)
        if run.num_iterations:
            st.progress(min(run.iterations_done / run.num_iterations, 1.0))
        with st.container(horizontal=True, vertical_alignment="center"):
            run_link("live", run.run_id, text="Live")
            stop_button(run.run_id, f"train-stop-{run.run_id}")


def _draw_ended(run: RunAtWork) -> None:
    supervisor = context.supervisor()
    with st.container(border=True, key=f"train-ended-{run.run_id}"):
        _draw_lines(run, f"{run.state.replace('_', ' ')} {ago(run.updated_at)}, {_progress(run)}")
        with st.container(horizontal=True, vertical_alignment="center"):
            run_link("live", run.run_id, text="Live")
            st.button(
                "Choose",
                key=f"train-choose-{run.run_id}",
                help="Its config, its checks, and other limits",
                on_click=attempt,
                args=(partial(set_param, RUN, run.run_id),),
            )
            if run.state != "completed":
                state = RunState(run.state, None, None, run.updated_at)  # type: ignore[arg-type]
                st.button(
                    "Resume",
                    key=f"train-resume-{run.run_id}",
                    icon="▶️",
                    help="Go on from the last finished call",
                    on_click=attempt,
                    args=(partial(supervisor.resume, run.run_id, resume_token(run.run_id, state, {})),),
                )


def _draw_lines(run: RunAtWork, words: str) -> None:
    reason = f'<div style="opacity:0.8;font-size:0.9rem;">{markup(plain_line(run.reason, 200))}</div>'
    st.html(
        f'<div style="overflow-wrap:anywhere;"><b>{markup(plain_line(run.run_id, 120))}</b><br>{markup(words)}'
        f"{reason if run.reason else ''}</div>"
    )


def _progress(run: RunAtWork) -> str:
    planned = "?" if run.num_iterations is None else run.num_iterations
    last = "" if run.last_reward is None else f", last reward {reward(run.last_reward)}"
    return f"{run.iterations_done} of {planned} iterations{last}"
