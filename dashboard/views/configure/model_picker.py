"""The model of a role: a preset or a custom endpoint, what it costs, whether its key is there, and what to change."""

from __future__ import annotations

import os
from functools import cache, partial
from typing import Any

import streamlit as st
from pydantic_core import to_jsonable_python

from dashboard.forms.fields import FormField, form_fields
from dashboard.forms.model_values import CUSTOM, ModelValue, effective
from dashboard.text import label, markup, plain_line
from dashboard.views.configure.editing import MISSING, Setter, choose_model
from dashboard.views.configure.fields import (
    Slot,
    draw_fields,
    fault_line,
    faults_at,
    put_shown,
    show_faults,
    widget_key,
)
from langmarl.config import LLMConfig, list_available_models, price_of
from langmarl.config.presets import presets
from langmarl.errors import Fault

_FOR_A_PRESET = ("temperature", "max_tokens")
_FOR_A_CUSTOM_ONE = (
    "base_url",
    "model_string",
    "api_key_env_var",
    "max_tokens",
    "temperature",
    "input_price_per_million",
    "output_price_per_million",
)
_NEVER_DRAWN = ("preset",)


def draw_model(field: FormField, path: tuple[str, ...], given: Any, faults: tuple[Fault, ...]) -> None:
    """Draw the picker of one role.

    Args:
        field: The config's field.
        path: Its place in the draft.
        given: What the draft says; ``MISSING`` where it says nothing.
        faults: What is wrong with it or inside it.
    """
    value = None if given is MISSING else given
    model = ModelValue.of(value)
    with st.container(border=True, key=f"{widget_key(path)}-field"):
        slot = Slot(field, path, given, None, faults_at(faults, path), Setter(path))
        _draw_choice(field, path, model)
        if not model.readable:
            shown = value if isinstance(value, str) else "something that is no model"
            fault_line(f"The file says: {shown}")
        show_faults(slot.faults, slot)
        found = effective(value)
        if found is not None:
            _draw_facts(found)
        if model.readable and model.choice is not None:
            _draw_settings(path, model, found, faults)


def _draw_choice(field: FormField, path: tuple[str, ...], model: ModelValue) -> None:
    key = widget_key(path)
    options = [*presets(), CUSTOM]
    choice = model.choice if model.readable and (model.choice is None or model.choice in options) else None
    put_shown(key, choice)
    st.selectbox(
        label(field.label),
        options,
        index=None,
        key=key,
        help=label(field.help, 1000),
        format_func=_option,
        placeholder=f"Not set: {field.unset_means}" if field.unset_means else "Not set",
        on_change=lambda: choose_model(path, st.session_state[key]),
    )


def _draw_settings(
    path: tuple[str, ...], model: ModelValue, found: LLMConfig | None, faults: tuple[Fault, ...]
) -> None:
    """The fields of the model: the usual ones, those that are given or faulty, and the others on demand."""
    slots = {slot.field.name: slot for slot in _slots(path, model, found, faults)}
    usual = _FOR_A_CUSTOM_ONE if model.choice == CUSTOM else _FOR_A_PRESET
    rest = {name: slot for name, slot in slots.items() if name not in usual}
    draw_fields(slots[name] for name in usual if name in slots)
    box = st.expander("More settings of this model", key=f"{widget_key(path)}-more", on_change="rerun")
    if box.open:
        with box:
            draw_fields(rest.values())
    else:
        draw_fields(slot for slot in rest.values() if slot.given is not MISSING or slot.faults)
    _draw_unknown(path, model, faults)


def _draw_unknown(path: tuple[str, ...], model: ModelValue, faults: tuple[Fault, ...]) -> None:
    """What the file gives inside the model and no model has: reported, and kept until a person decides."""
    for name in model.overrides:
        if name in LLMConfig.model_fields:
            continue
        place = (*path, name)
        key = widget_key(place)
        for fault in faults_at(faults, place, inside=True):
            fault_line(f"{name}: {fault.message}")
            if fault.suggestion is not None:
                st.button(
                    f"Rename to {label(fault.suggestion)}",
                    key=f"{key}-rename",
                    on_click=partial(_rename, path, model, name, fault.suggestion),
                )
        st.button("Take it out", key=f"{key}-remove", on_click=partial(Setter(place, in_model=True), MISSING))


def _rename(path: tuple[str, ...], model: ModelValue, name: str, right: str) -> None:
    Setter((*path, name), in_model=True)(MISSING)
    Setter((*path, right), in_model=True)(model.overrides[name])


def _slots(path: tuple[str, ...], model: ModelValue, found: LLMConfig | None, faults: tuple[Fault, ...]) -> list[Slot]:
    plain = found or _plain(model)
    slots = []
    for field in form_fields(type(plain) if plain is not None else LLMConfig):
        if field.name in _NEVER_DRAWN:
            continue
        place = (*path, field.name)
        holds = field.default if plain is None else to_jsonable_python(getattr(plain, field.name))
        given = model.overrides.get(field.name, MISSING)
        wrong = faults_at(faults, place, inside=field.kind == "json")
        slots.append(Slot(field, place, given, holds, wrong, Setter(place, in_model=True)))
    return slots


def _plain(model: ModelValue) -> LLMConfig | None:
    """The preset without what the file changes in it, where that cannot be read."""
    return LLMConfig.from_preset(str(model.choice)) if model.choice in presets() else None


def _draw_facts(model: LLMConfig) -> None:
    """One line: where it is, what it costs, how much it reads, whether its key is there."""
    facts = " · ".join(markup(fact) for fact in (where(model), price_in_words(model), context(model), key_state(model)))
    st.html(f'<div class="langmarl-facts" style="font-size:0.85rem;opacity:0.8;">{facts}</div>')
    if model.temperature is not None and not model.supports_temperature:
        st.caption("This model takes no temperature; it is not sent.")


def where(model: LLMConfig) -> str:
    """Where a model is served."""
    if model.is_offline:
        return "in this process"
    if model.is_gguf:
        return "in this process, by llama.cpp"
    return model.base_url or "https://api.openai.com/v1"


def price_in_words(model: LLMConfig) -> str:
    """What a million tokens cost, or that it is unknown."""
    price = price_of(model)
    if price is None:
        return "price unknown"
    if price.input_per_million == price.output_per_million == 0:
        return "free"
    return f"{_rate(price.input_per_million)} in, {_rate(price.output_per_million)} out a million tokens"


def context(model: LLMConfig) -> str:
    """How much a request and its reply may hold together."""
    if model.is_offline:
        return "no limit on context"
    return "context unknown" if model.context_window is None else f"context {model.context_window:,} tokens"


def key_state(model: LLMConfig) -> str:
    """Whether the key is there; never the key."""
    if not model.needs_key:
        return "no key needed"
    variable = model.api_key_env_var
    return f"key {variable}: {'set' if os.environ.get(str(variable)) else 'not set'}"


def _option(choice: str) -> str:
    if choice == CUSTOM:
        return "Custom endpoint …"
    variable = presets()[choice]["api_key_env_var"]
    return _preset_option(choice, has_key=variable is None or bool(os.environ.get(variable)))


@cache
def _preset_option(choice: str, *, has_key: bool) -> str:
    price = price_of(LLMConfig.from_preset(choice))
    short = "price unknown"
    if price is not None:
        dear = price.input_per_million or price.output_per_million
        short = f"{_rate(price.input_per_million)} / {_rate(price.output_per_million)}" if dear else "free"
    key = "" if has_key else " · no key set"
    return plain_line(f"{choice} · {short}{key} · {list_available_models()[choice]}", 140)


def _rate(per_million: float) -> str:
    return f"${per_million:.2f}" if round(per_million, 2) == per_million else f"${per_million:.6g}"
