"""A test call: one short question that shows whether a model can be reached, how fast it answers, what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from dashboard import trust
from dashboard.formats import dollars, duration
from dashboard.queries.models import key_presence
from dashboard.text import show_code, show_error, show_message
from langmarl.config import LLMConfig, list_available_models
from langmarl.errors import LangMARLError
from langmarl.llm.probe import ProbeResult, probe

_OTHER = "another endpoint …"
_RESULT = "models.test-result"
_PATIENCE_S = 30.0


@dataclass(frozen=True, slots=True)
class _Result:
    """What the last test call brought: ``found`` is a result, or the error."""

    model: LLMConfig
    found: ProbeResult | LangMARLError


def show_test_call() -> None:
    """Choose a model, confirm where its key would go, call it, see the result."""
    st.subheader("Test call", anchor=False)
    with st.container(border=True, key="models-test"):
        try:
            model = _chosen_model()
        except LangMARLError as error:
            show_error(error)
            return
        if model is None:
            return
        question = trust.unconfirmed_use(model)
        if question is not None:
            _ask(question)
        pressed = st.button(
            "Make a test call",
            key="models-test-call",
            icon="📡",
            disabled=question is not None,
            help="One short question; costs a few tokens",
        )
        if pressed and question is None:
            with st.spinner("Waiting for the answer …"):
                st.session_state[_RESULT] = _Result(model, _call(model))
        result: _Result | None = st.session_state.get(_RESULT)
        if result is not None and result.model == model:
            _show_result(result)


def _chosen_model() -> LLMConfig | None:
    """The model to call; None while the form is not filled in.

    Raises:
        ConfigError: What was filled in cannot be.
    """
    choice = st.selectbox("Model", [*list_available_models(), _OTHER], key="models-test-model", persist_state="session")
    if choice != _OTHER:
        model = LLMConfig.from_preset(choice)
        if key_presence(model) == "not set":
            st.text(f"The variable {model.api_key_env_var} is not set, so this call will be refused.")
        return model
    given = _own_endpoint()
    return LLMConfig.from_dict(given, source="this form") if given["base_url"] and given["model_string"] else None


def _own_endpoint() -> dict[str, Any]:
    address, name, variable = st.columns(3)
    base_url = address.text_input(
        "Address (base_url)", key="models-test-address", placeholder="http://localhost:8000/v1", persist_state="session"
    )
    model = name.text_input("Model's name there", key="models-test-name", persist_state="session")
    key = variable.text_input(
        "Variable that holds the key",
        key="models-test-variable",
        placeholder="none",
        help="The name of an environment variable, not the key itself; empty where no key is needed",
        persist_state="session",
    )
    return {"base_url": base_url.strip(), "model_string": model.strip(), "api_key_env_var": key.strip() or None}


def _ask(question: trust.KeyUse) -> None:
    show_message(
        f"This would send the key in {question.key_variable} to {question.base_url}: {question.why}.",
        "warning",
        remedy="Allow it only if you know whom this address belongs to. It is remembered on this machine and can be "
        "withdrawn below.",
    )
    st.button("Allow this", key="models-test-allow", on_click=_allow, args=(question,))


def _allow(question: trust.KeyUse) -> None:
    try:
        trust.confirm(question)
    except LangMARLError as error:
        show_error(error)


def _call(model: LLMConfig) -> ProbeResult | LangMARLError:
    try:
        patient = min(_PATIENCE_S, model.request_timeout_s)
        return probe(model.model_copy(update={"request_timeout_s": patient}))
    except LangMARLError as error:
        return error


def _show_result(result: _Result) -> None:
    if isinstance(result.found, LangMARLError):
        show_error(result.found)
        return
    usage = result.found.usage
    show_message(
        f"{result.model.name} answered after {duration(result.found.latency_s)}: {usage.input_tokens} tokens in, "
        f"{usage.output_tokens} out, cost {dollars(usage.cost_usd)}.",
        "success",
    )
    show_code(result.found.reply_text or "(an empty reply)", height=80)
