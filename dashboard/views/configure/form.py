"""The form itself: every field of the config's class, in groups."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st
from pydantic_core import to_jsonable_python

from dashboard.draft import Draft
from dashboard.forms.fields import FormField
from dashboard.forms.groups import MODELS, Group, grouped
from dashboard.forms.reading import ConfigReading
from dashboard.text import label, plain_line, show_text
from dashboard.views.configure.editing import MISSING, Setter, choose_environment, remove, rename, value_at
from dashboard.views.configure.fields import (
    Slot,
    draw_field,
    draw_fields,
    fault_line,
    faults_at,
    put_shown,
    show_faults,
)
from dashboard.views.configure.model_picker import draw_model
from langmarl.config.registry import DEFAULT_ENV
from langmarl.envs import list_envs

_MOST_UNKNOWN = 20
_HAS_INNER_FAULTS = ("texts", "json", "group")


def draw_form(draft: Draft, reading: ConfigReading) -> None:
    """Draw every group, and what the file has beyond them."""
    _draw_unknown(draft, reading)
    for number, group in enumerate(grouped(reading.model)):
        with st.container(border=True, key=f"configure-group-{number}"):
            st.subheader(group.title, anchor=False)
            if group.title == MODELS:
                _draw_models(group, draft, reading)
            else:
                _draw_group(group, draft, reading)


def _draw_group(group: Group, draft: Draft, reading: ConfigReading) -> None:
    slots = [_slot(field, draft, reading) for field in group.fields if field.name != "env"]
    if any(field.name == "env" for field in group.fields):
        left, right = st.columns(2)
        with left:
            _draw_environment(next(f for f in group.fields if f.name == "env"), draft, reading)
        if slots and slots[0].field.name == "task_type":
            with right:
                draw_field(slots.pop(0))
    draw_fields(slots)


def _draw_models(group: Group, draft: Draft, reading: ConfigReading) -> None:
    for field in group.fields:
        path = (field.name,)
        draw_model(field, path, value_at(draft.data, path), faults_at(reading.faults, path, inside=True))


def _draw_environment(field: FormField, draft: Draft, reading: ConfigReading) -> None:
    slot = _slot(field, draft, reading)
    if slot.faults:
        draw_field(slot)  # what the file says, as text, with the suggestion beneath
        return
    put_shown(slot.key, draft.data.get("env", DEFAULT_ENV))
    st.selectbox(
        label(field.label),
        list_envs(),
        key=slot.key,
        help=slot.help,
        format_func=plain_line,
        on_change=lambda: choose_environment(st.session_state[slot.key]),
    )
    show_faults(slot.faults, slot)


def _slot(field: FormField, draft: Draft, reading: ConfigReading) -> Slot:
    path = (field.name,)
    faults = faults_at(reading.faults, path, inside=field.kind in _HAS_INNER_FAULTS)
    return Slot(field, path, value_at(draft.data, path), _effective(field, reading), faults, Setter(path))


def _effective(field: FormField, reading: ConfigReading) -> Any:
    if reading.sound is None or field.name in reading.refused:
        return field.default
    return to_jsonable_python(getattr(reading.sound, field.name, field.default), fallback=str)


def _draw_unknown(draft: Draft, reading: ConfigReading) -> None:
    """Settings that the class does not know: reported, and kept until a person decides."""
    unknown = [name for name in draft.data if name not in reading.model.model_fields]
    reported = {name: faults_at(reading.faults, (name,), inside=True) for name in unknown}
    if not any(reported.values()):
        return
    with st.container(border=True, key="configure-unknown"):
        st.subheader("Unknown settings", anchor=False)
        show_text("No setting is called so. They are kept until you rename them or take them out.")
        for number, (name, faults) in enumerate(list(reported.items())[:_MOST_UNKNOWN]):
            _draw_one_unknown(number, name, [fault.suggestion for fault in faults if fault.suggestion], draft)
        if len(unknown) > _MOST_UNKNOWN:
            show_text(f"… and {len(unknown) - _MOST_UNKNOWN} more")


def _draw_one_unknown(number: int, name: str, suggestions: list[str], draft: Draft) -> None:
    line, buttons = st.columns([3, 2], vertical_alignment="center")
    with line:
        hint = f" Did you mean {suggestions[0]}?" if suggestions else ""
        fault_line(f"{name}: there is no setting of this name.{hint}")
    with buttons, st.container(horizontal=True, key=f"configure-unknown-{number}"):
        if suggestions and value_at(draft.data, (suggestions[0],)) is MISSING:
            st.button(
                f"Rename to {label(suggestions[0])}",
                key=f"configure-unknown-{number}-rename",
                on_click=partial(rename, (name,), suggestions[0]),
            )
        st.button(
            "Take it out",
            key=f"configure-unknown-{number}-remove",
            on_click=partial(remove, (name,)),
        )
