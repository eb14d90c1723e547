"""Starting the config that was made on the Configure page."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard import context
from dashboard.draft import Draft, get_draft
from dashboard.links import run_link
from dashboard.preflight import preflight
from dashboard.queries.launches import SameRun, launch_token, same_run
from dashboard.text import show_message
from dashboard.trust import path_questions
from dashboard.views.configure.forecast_panel import draw_forecast
from dashboard.views.train.checks import draw_checks, probes
from dashboard.views.train.config_summary import draw_summary
from dashboard.views.train.outcome import attempt
from langmarl.config import BaseConfig
from langmarl.errors import UserMistake

_MOST_FAULTS = 10


def draw_draft() -> None:
    """Draw the draft's summary, forecast and checks, and the buttons that start it."""
    draft = get_draft()
    reading = draft.reading
    if reading.config is None:
        lines = [f"• {fault}" for fault in reading.faults[:_MOST_FAULTS]]
        show_message("This config cannot run yet:\n" + "\n".join(lines), "error")
        run_link("configure", text="Correct it on the Configure page")
        return
    config = reading.config
    with st.container(border=True, key="train-config"):
        draw_summary(config)
        expected = draw_forecast(config, "train")
        run_link("configure", text="Change it on the Configure page")
    found = preflight(config, imported=draft.imported, forecast=expected, probes=probes())
    with st.container(border=True):
        st.subheader("Checks", anchor=False)
        draw_checks(found, config)
        _draw_buttons(draft, config, is_ready=found.is_ready)


def _draw_buttons(draft: Draft, config: BaseConfig, *, is_ready: bool) -> None:
    has_folder = context.experiments_dir().is_dir()  # looking must not make it
    earlier = same_run(context.reconciled_index(), config) if has_folder else None
    if earlier is not None:
        show_message(_what_there_is(earlier, config), "info")
    with st.container(horizontal=True, key="train-start-buttons"):
        if earlier is not None and earlier.is_active:
            run_link("live", earlier.run_id, text="Watch it on the Live page")
            return
        goes_on = earlier is not None and not _is_done(earlier, config)
        if earlier is None or goes_on:
            _button("Go on with it" if goes_on else "Start", "train-start", draft, config, earlier, is_ready=is_ready)
        if earlier is not None:
            _button("Start a new run", "train-fresh", draft, config, earlier, is_ready=is_ready, fresh=True)
    if not is_ready:
        st.caption("It can start once nothing above is to be mended or needs your consent.")


def _button(
    name: str,
    key: str,
    draft: Draft,
    config: BaseConfig,
    earlier: SameRun | None,
    *,
    is_ready: bool,
    fresh: bool = False,
) -> None:
    token = launch_token(config, fresh=fresh, earlier=earlier)
    st.button(
        name,
        key=key,
        type="secondary" if fresh and earlier is not None and not _is_done(earlier, config) else "primary",
        icon="🆕" if fresh else "▶️",
        help="From the start, beside the earlier run" if fresh else "Now, or as soon as another run has ended",
        disabled=not is_ready,
        on_click=attempt,
        args=(partial(_start, draft, config, token, fresh=fresh),),
    )


def _start(draft: Draft, config: BaseConfig, token: str, *, fresh: bool) -> str:
    if draft.imported and path_questions(config):
        raise UserMistake("the config names paths that need your consent.", "The checks below ask for it.")
    return context.supervisor().start(config, token, fresh=fresh)


def _is_done(earlier: SameRun, config: BaseConfig) -> bool:
    return earlier.state.state == "completed" and earlier.iterations_done >= config.num_iterations


def _what_there_is(earlier: SameRun, config: BaseConfig) -> str:
    done = f"{earlier.iterations_done} of {config.num_iterations} iterations done"
    if earlier.is_active:
        return f"{earlier.run_id} has these settings and is {earlier.state.state}, {done}."
    if _is_done(earlier, config):
        return f"{earlier.run_id} has these settings and is complete. To go on with it, ask for more iterations."
    state = earlier.state.state.replace("_", " ")
    return f"{earlier.run_id} has these settings ({state}, {done}). It can go on, or a new run can start."
