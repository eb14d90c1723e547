"""One field of the form: its widget, its help, and beneath it what is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from dashboard.forms.fields import FormField, form_fields
from dashboard.text import label, markup, plain_line
from dashboard.views.configure.editing import MISSING, Setter, callback, note, noted_fault, noted_text, remove, rename
from langmarl.errors import Fault

_LONGEST_RAW = 2000
_MOST_TEXTS = 30
_MOST_FAULTS = 5


@dataclass(frozen=True, slots=True)
class Slot:
    """One field at its place in the draft.

    Attributes:
        field: What it is.
        path: Its place.
        given: What the draft says; ``MISSING`` where it says nothing.
        effective: What holds when the draft says nothing, or what its value was understood as; JSON.
        faults: What is wrong with it.
        setter: Puts a new value into the draft.
    """

    field: FormField
    path: tuple[str, ...]
    given: Any
    effective: Any
    faults: tuple[Fault, ...]
    setter: Setter

    @property
    def key(self) -> str:
        """Of its widget."""
        return widget_key(self.path)

    @property
    def help(self) -> str:
        """For the widget, escaped."""
        return label(self.field.help, 1000)

    @property
    def shown(self) -> Any:
        """The value for the field's own widget; ``MISSING`` where that cannot show it."""
        for value in (self.given, self.effective):
            if value is not MISSING and self.field.takes(value):
                return value
            if value is self.given and self.given is not MISSING and self.faults:
                return MISSING  # what is wrong must be seen as it is
        return MISSING


def widget_key(path: Iterable[str]) -> str:
    """The key of the widget at a place of the draft, made of letters, digits, ``_`` and ``-``."""
    parts = ("".join(char if char.isascii() and (char.isalnum() or char in "_-") else "_" for char in p) for p in path)
    return "configure-" + "-".join(parts)


def faults_at(faults: Iterable[Fault], path: tuple[str, ...], *, inside: bool = False) -> tuple[Fault, ...]:
    """The faults of one place, and with ``inside`` of all below it."""
    name = ".".join(path)
    return tuple(each for each in faults if each.field == name or (inside and each.field.startswith(f"{name}.")))


def draw_fields(slots: Iterable[Slot], columns: int = 2) -> None:
    """Draw fields in rows; those that need the whole width get it."""
    row: list[Slot] = []
    for slot in slots:
        if slot.field.kind in ("texts", "json", "group"):
            _draw_row(row, columns)
            row = []
            draw_field(slot)
        else:
            row.append(slot)
    _draw_row(row, columns)


def draw_field(slot: Slot) -> None:
    """Draw one field, and what is wrong with it beneath."""
    with st.container(key=f"{slot.key}-field", gap=None):
        if slot.field.kind == "group":
            _draw_group(slot)
            return
        readable = slot.shown is not MISSING or slot.field.kind == "choice"
        (_DRAWERS[slot.field.kind] if readable else _draw_raw)(slot)
        noted = noted_fault(slot.path)
        show_faults([*slot.faults, *([noted] if noted else [])], slot)
        if not readable:
            st.button("Use the default", key=f"{slot.key}-default", on_click=partial(slot.setter, MISSING))


def show_faults(faults: Iterable[Fault], slot: Slot) -> None:
    """What is wrong, as text, with a button for each suggestion."""
    found = list(faults)
    for number, fault in enumerate(found[:_MOST_FAULTS]):
        inner = fault.field.removeprefix(".".join(slot.path)).lstrip(".")
        fault_line(f"{inner}: {fault.message}" if inner else fault.message)
        if fault.suggestion is not None:
            _suggest(slot, fault, inner, number)
    if len(found) > _MOST_FAULTS:
        fault_line(f"… and {len(found) - _MOST_FAULTS} more")


def fault_line(message: object) -> None:
    """One line about a fault, as text."""
    style = "border-left:3px solid #D55E00;padding:0.1rem 0.6rem;margin:0.2rem 0 0.4rem;overflow-wrap:anywhere;"
    st.html(f'<div role="alert" class="langmarl-fault" style="{style}">✕ {markup(plain_line(message, 600))}</div>')


def put_shown(key: str, value: Any) -> None:
    """Let a widget show ``value``; for just before it is drawn."""
    if key not in st.session_state or st.session_state[key] != value or type(st.session_state[key]) is not type(value):
        st.session_state[key] = value


def _suggest(slot: Slot, fault: Fault, inner: str, number: int) -> None:
    """A button that does what a fault suggests: another value, or for a name inside an object another name."""
    if inner:
        act = partial(rename, (*slot.path, inner), str(fault.suggestion))
    else:
        act = partial(slot.setter, fault.suggestion)
    st.button(f"Use {label(fault.suggestion)}", key=f"{slot.key}-suggestion-{number}", on_click=act)


def _draw_row(slots: list[Slot], columns: int) -> None:
    for start in range(0, len(slots), columns):
        for column, slot in zip(st.columns(columns), slots[start : start + columns], strict=False):
            with column:
                draw_field(slot)


def _draw_switch(slot: Slot) -> None:
    if slot.field.nullable:
        _draw_options(slot, (True, False), {True: "On", False: "Off"})
        return
    put_shown(slot.key, bool(slot.shown))
    # In line with the boxes beside it, whose labels stand above them.
    st.toggle(
        _name(slot), key=slot.key, help=slot.help, on_change=callback, args=(slot.key, slot.setter), width="stretch"
    )


def _draw_number(slot: Slot) -> None:
    field, value = slot.field, slot.shown
    kind = int if field.kind == "integer" else float
    value = None if value is None else kind(value)
    bounded = value is None or field.is_within(value)
    lower, upper = (None if not bounded or limit is None else kind(limit) for limit in (field.minimum, field.maximum))
    put_shown(slot.key, value)
    st.number_input(
        _name(slot),
        min_value=lower,
        max_value=upper,
        value=None if field.nullable else "min",
        step=1 if kind is int else _step(field),
        format="%d" if kind is int else "%.12g",
        key=slot.key,
        help=slot.help,
        placeholder=_placeholder(field),
        on_change=callback,
        args=(slot.key, slot.setter, _unset_if_none(field)),
    )


def _draw_text(slot: Slot) -> None:
    value = slot.shown
    put_shown(slot.key, value)
    draw = st.text_area if isinstance(value, str) and "\n" in value else st.text_input
    draw(
        _name(slot),
        value=None if slot.field.nullable else "",
        key=slot.key,
        help=slot.help,
        placeholder=_placeholder(slot.field),
        on_change=callback,
        args=(slot.key, slot.setter, _unset_if_empty(slot.field)),
    )


def _draw_choice(slot: Slot) -> None:
    _draw_options(slot, slot.field.options, {})


def _draw_options(slot: Slot, options: tuple[Any, ...], names: Mapping[Any, str]) -> None:
    is_offered = slot.shown is not MISSING
    put_shown(slot.key, slot.shown if is_offered else None)
    st.selectbox(
        _name(slot),
        options,
        index=None if slot.field.nullable or not is_offered else 0,
        key=slot.key,
        help=slot.help,
        format_func=lambda option: names.get(option) or plain_line(option),
        placeholder=_placeholder(slot.field) if is_offered else "None of these is set",
        on_change=callback,
        args=(slot.key, slot.setter, _unset_if_none(slot.field)),
    )


def _draw_texts(slot: Slot) -> None:
    """An object of texts: one box a name, and a row that adds a name."""
    texts: Mapping[str, str] = slot.shown or {}
    st.html(f'<div style="font-size:0.875rem;">{markup(slot.field.label)}</div>')
    if not texts:
        st.caption(_placeholder(slot.field))
    for name, text in list(texts.items())[:_MOST_TEXTS]:
        box, button = st.columns([8, 1], vertical_alignment="bottom")
        key = f"{slot.key}-{widget_key((name,))}"
        put_shown(key, text)
        put = Setter((*slot.path, name))
        box.text_area(label(name), key=key, on_change=callback, args=(key, put))
        button.button("✕", key=f"{key}-remove", help="Take it out", on_click=partial(_remove_text, slot, name))
    if len(texts) > _MOST_TEXTS:
        st.caption(f"… and {len(texts) - _MOST_TEXTS} more, in the JSON beside")
    added = f"{slot.key}-new"
    st.text_input(
        "Add one",
        key=added,
        placeholder="Name, then Enter",
        help=slot.help,
        persist_state="session",
        on_change=partial(_add_text, slot, added),
    )


def _add_text(slot: Slot, key: str) -> None:
    name = (st.session_state[key] or "").strip()
    texts = slot.shown or {}
    if name and name not in texts:
        slot.setter({**texts, name: ""})
        st.session_state[key] = ""


def _remove_text(slot: Slot, name: str) -> None:
    texts = {each: text for each, text in (slot.shown or {}).items() if each != name}
    slot.setter(texts if texts or not slot.field.nullable else MISSING)


def _draw_json(slot: Slot) -> None:
    typed = noted_text(slot.path)
    empty = slot.shown is None
    put_shown(slot.key, typed if typed is not None else "" if empty else json.dumps(slot.shown, ensure_ascii=False))
    st.text_area(
        _name(slot),
        key=slot.key,
        help=slot.help,
        height=80,
        placeholder=f"JSON. {_placeholder(slot.field)}",
        on_change=_take_json,
        args=(slot,),
    )


def _draw_raw(slot: Slot) -> None:
    """A value that the field's own widget cannot show, to be corrected."""
    key, text = f"{slot.key}-raw", _raw_text(None if slot.given is MISSING else slot.given)
    if len(text) > _LONGEST_RAW:
        fault_line(f"{slot.field.label}: a value of {len(text):,} characters")
        return
    put_shown(key, text)
    st.text_input(_name(slot), key=key, help=slot.help, on_change=callback, args=(key, slot.setter, _raw_value))


def _raw_text(value: Any) -> str:
    """What :func:`_raw_value` reads back: a text as it is, unless it reads like something else."""
    if isinstance(value, str) and value.strip() == value and _raw_value(value) == value:
        return value
    return json.dumps(value, ensure_ascii=False)


def _raw_value(typed: str | None) -> Any:
    """JSON where it is some; else the text itself, as on the command line; nothing where nothing was typed."""
    text = (typed or "").strip()
    try:
        return json.loads(text, parse_constant=_no_number) if text else MISSING
    except (ValueError, RecursionError):
        return text


def _take_json(slot: Slot) -> None:
    typed = st.session_state[slot.key] or ""
    if not typed.strip():
        slot.setter(MISSING)
        return
    try:
        value = json.loads(typed, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        note(slot.path, f"is not JSON{where}; the last readable value still holds.", typed)
        return
    slot.setter(value)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number in JSON")


def _draw_group(slot: Slot) -> None:
    """An object with fields of its own."""
    given = slot.given if isinstance(slot.given, dict) else {}
    effective = slot.effective if isinstance(slot.effective, Mapping) else {}
    with st.container(border=True, key=slot.key):
        st.html(f'<div style="font-weight:600;">{markup(slot.field.label)}</div>')
        if slot.field.inner is not None:
            draw_fields(
                Slot(
                    inner,
                    (*slot.path, inner.name),
                    given.get(inner.name, MISSING),
                    effective.get(inner.name, inner.default),
                    faults_at(slot.faults, (*slot.path, inner.name), inside=inner.kind in ("texts", "json", "group")),
                    Setter((*slot.path, inner.name)),
                )
                for inner in form_fields(slot.field.inner)
                if inner.kind != "model"
            )
        show_faults(faults_at(slot.faults, slot.path), slot)
        if given:
            st.button("Take this out", key=f"{slot.key}-remove", on_click=partial(remove, slot.path))


_DRAWERS = {
    "switch": _draw_switch,
    "integer": _draw_number,
    "number": _draw_number,
    "text": _draw_text,
    "choice": _draw_choice,
    "texts": _draw_texts,
    "json": _draw_json,
}


def _name(slot: Slot) -> str:
    return label(slot.field.label)


def _placeholder(field: FormField) -> str:
    if not field.nullable:
        return ""
    return f"Not set: {field.unset_means}" if field.unset_means else "Not set"


def _step(field: FormField) -> float:
    return 0.1 if field.maximum is not None and field.maximum <= 2 else 1.0


def _unset_if_none(field: FormField) -> Any:
    """Clearing a box unsets the field: out of the file where that means the same, else null."""
    return lambda value: MISSING if value is None and field.default is None else value


def _unset_if_empty(field: FormField) -> Any:
    unset = MISSING if field.default is None else None
    return lambda value: unset if field.nullable and value in (None, "") else ("" if value is None else value)
