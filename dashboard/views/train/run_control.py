"""A run that is there: resuming it, with other limits if wanted, or starting its config again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from dashboard import context
from dashboard.draft import set_draft
from dashboard.formats import ago
from dashboard.forms.fields import describe
from dashboard.forms.reading import ConfigReading, read_settings
from dashboard.forms.secrets import key_faults
from dashboard.links import go_to, pick_run, run_link
from dashboard.preflight import preflight
from dashboard.queries.launches import ACTIVE, SameRun, launch_token, resume_token
from dashboard.text import Kind, label, show_error, show_message
from dashboard.trust import require_run, run_path_questions
from dashboard.views.configure.forecast_panel import draw_forecast
from dashboard.views.train.checks import draw_checks, probes
from dashboard.views.train.config_summary import draw_summary
from dashboard.views.train.outcome import attempt, stop_button
from langmarl.config import BaseConfig
from langmarl.errors import LangMARLError
from langmarl.store import RunDirectory, RunState

_LIMITS = ("num_iterations", "max_workers", "max_cost_usd", "max_total_tokens")
_GOING_TO_EDIT = "train.going-to-edit"
_MOST_FAULTS = 10
_KINDS: Mapping[str, Kind] = {"failed": "error", "interrupted": "warning", "completed": "success"}


def draw_run() -> None:
    """Draw the choice of a run, how it is, and what can be done with it."""
    if st.session_state.pop(_GOING_TO_EDIT, False):
        go_to("configure")
    run_id = pick_run("train-run")
    if run_id is None:
        return
    try:
        run = context.store().run(run_id)
        state, data = run.state(), run.config_data()
        questions = run_path_questions(run) if read_settings(data).config is not None else []
    except LangMARLError as error:
        show_error(error)
        return
    with st.container(border=True, key="train-run-state"):
        _draw_state(run, state)
    overrides: dict[str, Any] = {}
    if state.state not in ACTIVE:
        overrides = _draw_limits(run_id, data)
    reading = read_settings({**data, **overrides})
    if reading.config is None:
        _show_faults(reading)
        _draw_edit(data)
        return
    with st.container(border=True, key="train-config"):
        draw_summary(reading.config)
        expected = draw_forecast(reading.config, "train")
        _draw_edit(data)
    if state.state in ACTIVE:
        return
    found = preflight(reading.config, imported=True, forecast=expected, probes=probes(), paths=questions)
    with st.container(border=True):
        st.subheader("Checks", anchor=False)
        draw_checks(found, reading.config)
        _draw_buttons(run, state, reading.config, overrides, is_ready=found.is_ready)


def _draw_state(run: RunDirectory, state: RunState) -> None:
    done = run.iterations_done()
    words = f"{state.state.replace('_', ' ')}, {done} iteration{'' if done == 1 else 's'} done, {ago(state.updated_at)}"
    kind = _KINDS.get(state.state, "info")
    place = context.supervisor().positions().get(run.run_id)
    if place:
        words += f"; number {place} in the queue"
    show_message(f"{words}\n{state.reason}" if state.reason else words, kind)
    with st.container(horizontal=True, key="train-run-actions"):
        run_link("live", run.run_id, text="Watch it on the Live page")
        if state.state in ACTIVE:
            stop_button(run.run_id, "train-run-stop")


def _draw_limits(run_id: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Settings that may change without making it another run; those that were changed."""
    changed: dict[str, Any] = {}
    with st.expander("Go on with other limits", key="train-limits"):
        for column, name in zip(st.columns(len(_LIMITS)), _LIMITS, strict=True):
            with column:
                value = _draw_limit(run_id, name, data.get(name))
            if value != data.get(name):
                changed[name] = value
    return changed


def _draw_limit(run_id: str, name: str, saved: Any) -> Any:
    field = describe(name, BaseConfig.model_fields[name])
    if not field.takes(saved):
        return saved
    kind = int if field.kind == "integer" else float
    key = f"train-limit-{name}-{run_id}"
    if key not in st.session_state:
        st.session_state[key] = None if saved is None else kind(saved)
    return st.number_input(
        label(field.label),
        min_value=None if field.minimum is None else kind(field.minimum),
        value=None if field.nullable else "min",
        step=kind(1),
        format="%d" if kind is int else "%.12g",
        key=key,
        help=label(field.help, 600),
        placeholder="Not set",
        persist_state="session",
    )


def _draw_buttons(
    run: RunDirectory, state: RunState, config: BaseConfig, overrides: dict[str, Any], *, is_ready: bool
) -> None:
    done = run.iterations_done()
    is_complete = state.state == "completed" and done >= config.num_iterations
    with st.container(horizontal=True, key="train-start-buttons"):
        st.button(
            "Resume",
            key="train-resume",
            type="primary",
            icon="▶️",
            disabled=is_complete or not is_ready,
            help="Complete: ask for more iterations first" if is_complete else "Go on from the last finished call",
            on_click=attempt,
            args=(
                partial(context.supervisor().resume, run.run_id, resume_token(run.run_id, state, overrides), overrides),
            ),
        )
        earlier = SameRun(run.run_id, state, done, config.num_iterations)
        st.button(
            "Start again as a new run",
            key="train-fresh",
            icon="🆕",
            disabled=not is_ready,
            help="The same config from the start, beside this run",
            on_click=attempt,
            args=(partial(_start_again, run, config, launch_token(config, fresh=True, earlier=earlier)),),
        )
    if not is_ready:
        st.caption("It can go on once nothing above is to be mended or needs your consent.")


def _start_again(run: RunDirectory, config: BaseConfig, token: str) -> str:
    require_run(run)
    return context.supervisor().start(config, token, fresh=True)


def _draw_edit(data: Mapping[str, Any]) -> None:
    st.button(
        "Use this config in Configure",
        key="train-edit",
        type="tertiary",
        icon="🧩",
        help="Replaces the config that is there now",
        on_click=attempt,
        args=(partial(_edit, data),),
    )


def _edit(data: Mapping[str, Any]) -> None:
    clean = {name: value for name, value in data.items() if not list(key_faults({name: value}))}
    set_draft(clean, imported=True)
    st.session_state[_GOING_TO_EDIT] = True


def _show_faults(reading: ConfigReading) -> None:
    lines = [f"• {fault}" for fault in reading.faults[:_MOST_FAULTS]]
    show_message("The config of this run cannot run here:\n" + "\n".join(lines), "error")
