"""The checks before a run starts, each with its remedy and, where there is one, a button for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dashboard.preflight import Check, Preflight, models_in_use, probe_key, test_call
from dashboard.text import label, markup
from dashboard.trust import KeyUse, PathQuestion, allow_path, confirm
from dashboard.views.train.outcome import attempt
from langmarl.config import BaseConfig, LLMConfig
from langmarl.llm.probe import ProbeResult

_PROBES = "train.probes"
_MARKS = {"ok": "✓", "problem": "✕", "question": "?", "open": "○"}
_COLORS = {"ok": "#009E73", "problem": "#D55E00", "question": "#B97F00", "open": "#8C8C8C"}
_WORDS = {
    "ok": "in order",
    "problem": "to be mended",
    "question": "needs your consent",
    "open": "not known, or to note",
}


def probes() -> dict[str, ProbeResult | str]:
    """The results of this tab's test calls."""
    results: dict[str, ProbeResult | str] = st.session_state.setdefault(_PROBES, {})
    return results


def draw_checks(found: Preflight, config: BaseConfig) -> None:
    """Draw every check."""
    with st.container(key="train-checks", gap="xxsmall"):
        for check in found.checks:
            act = _action(check, found, config)
            if act is None:
                _draw_line(check)
                continue
            line, button = st.columns([5, 2], vertical_alignment="center")
            with line:
                _draw_line(check)
            with button:
                act()


def _action(check: Check, found: Preflight, config: BaseConfig) -> Callable[[], None] | None:
    """What draws the button of a check; None where it has none."""
    models = {f"answers-{number}": used.model for number, used in enumerate(models_in_use(config))}
    endpoints = {f"endpoint-{number}": use for number, use in enumerate(found.endpoints)}
    paths = {f"path-{number}": question for number, question in enumerate(found.paths)}
    if check.key in endpoints:
        return partial(_draw_confirmation, check, endpoints[check.key])
    if check.key in paths and paths[check.key].can_be_allowed:
        return partial(_draw_consent, check, paths[check.key])
    if check.key in models and not models[check.key].is_offline:
        return partial(_draw_test_call, check, models[check.key], blocked=bool(found.endpoints))
    return None


def _draw_line(check: Check) -> None:
    color = _COLORS[check.state]
    mark = (
        f'<span role="img" aria-label="{_WORDS[check.state]}" title="{_WORDS[check.state]}" '
        f'style="color:{color};font-weight:700;">{_MARKS[check.state]}</span>'
    )
    remedy = f'<div style="opacity:0.8;font-size:0.9rem;">{markup(check.remedy)}</div>' if check.remedy else ""
    st.html(
        f'<div class="langmarl-check" data-state="{check.state}" style="display:flex;gap:0.6rem;">{mark}'
        f'<div style="overflow-wrap:anywhere;"><b>{markup(check.title)}</b>: {markup(check.detail)}{remedy}</div></div>'
    )


def _draw_confirmation(check: Check, use: KeyUse) -> None:
    st.button(
        "Send it there",
        key=f"train-{check.key}-confirm",
        help=label(f"Let the key in {use.key_variable} go to {use.base_url}, from now on, on this machine", 300),
        on_click=attempt,
        args=(partial(confirm, use),),
    )


def _draw_consent(check: Check, question: PathQuestion) -> None:
    st.button(
        "Allow this path",
        key=f"train-{check.key}-allow",
        help="Let imported configs use it, from now on, on this machine",
        on_click=attempt,
        args=(partial(allow_path, question.text),),
    )


def _draw_test_call(check: Check, model: LLMConfig, *, blocked: bool) -> None:
    st.button(
        "Test call",
        key=f"train-{check.key}-test",
        help="Ask it for one word; costs a few tokens",
        disabled=blocked,
        on_click=_test,
        args=(model,),
    )


def _test(model: LLMConfig) -> None:
    probes()[probe_key(model)] = test_call(model)
