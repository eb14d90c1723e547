"""How a widget's value gets into the draft: the setters that widgets call when a person changes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dashboard.draft import Draft, get_draft, keep_draft
from dashboard.forms.model_values import CUSTOM, ModelValue, chosen, overridden, without_field
from dashboard.forms.secrets import key_faults
from langmarl.errors import Fault

MISSING = object()
"""Stands for a setting that the file does not have."""

_NOTES = "configure.notes"
_PREVIOUS = "configure.previous"

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setter:
    """Puts a new value of one setting into the draft.

    Attributes:
        path: The setting's place.
        in_model: Whether it is a field of an LLM, whose file form follows rules of its own.
    """

    path: Path
    in_model: bool = False

    def __call__(self, value: Any) -> None:
        """Set it; ``MISSING`` takes it out."""
        forget_note(self.path)
        refusals = [] if value is MISSING else list(key_faults({self.path[-1]: value}))
        if refusals:
            note(self.path, f"{refusals[0].message} So what was typed was not kept.")
            return
        draft = get_draft()
        if self.in_model:
            keep_draft(_with_model_field(draft, self.path, value))
        elif value is MISSING:
            keep_draft(draft.without(self.path))
        else:
            keep_draft(draft.with_value(self.path, value))


def value_at(data: Any, path: Path) -> Any:
    """The setting at ``path``; ``MISSING`` where there is none. A preset's name has no parts."""
    for name in path:
        if not isinstance(data, dict) or name not in data:
            return MISSING
        data = data[name]
    return data


def choose_model(path: Path, choice: str | None) -> None:
    """Take another model for a role; a custom endpoint is remembered for when the person comes back to it."""
    draft = get_draft()
    before = value_at(draft.data, path)
    memory = f"custom {'.'.join(path)}"
    if before is not MISSING and ModelValue.of(before).choice == CUSTOM:
        draft = replace(draft, parked={**draft.parked, memory: before})
    value = chosen(None if before is MISSING else before, choice)
    if choice == CUSTOM and memory in draft.parked:
        value = draft.parked[memory]
    keep_draft(draft.without(path) if value is None else draft.with_value(path, value))


def choose_environment(env: str) -> None:
    """Take another environment; settings that it does not know are remembered."""
    keep_draft(get_draft().with_environment(env))


def rename(path: Path, name: str) -> None:
    """Give a setting its right name."""
    keep_draft(get_draft().renamed(path, name))


def remove(path: Path) -> None:
    """Take a setting out."""
    keep_draft(get_draft().without(path))


def replace_draft(draft: Draft) -> None:
    """Take another draft as a whole, so that it can be undone."""
    st.session_state[_PREVIOUS] = get_draft()
    st.session_state.pop(_NOTES, None)
    keep_draft(draft)


def can_undo() -> bool:
    """Whether there is a draft that was replaced."""
    return _PREVIOUS in st.session_state


def undo_replacement() -> None:
    """Back to the draft before the last replacement."""
    keep_draft(st.session_state.pop(_PREVIOUS))


def note(path: Path, message: str, typed: str = "") -> None:
    """Remember what is wrong with something that could not be taken into the draft, and what was typed."""
    st.session_state.setdefault(_NOTES, {})[path] = (message, typed)


def forget_note(path: Path) -> None:
    """Something sound was typed."""
    st.session_state.get(_NOTES, {}).pop(path, None)


def noted_fault(path: Path) -> Fault | None:
    """What is wrong with what was typed last, where it could not be taken into the draft."""
    found = st.session_state.get(_NOTES, {}).get(path)
    return None if found is None else Fault(".".join(path), found[0])


def noted_text(path: Path) -> str | None:
    """What was typed then."""
    found = st.session_state.get(_NOTES, {}).get(path)
    return None if found is None else found[1]


def callback(key: str, setter: Callable[[Any], None], convert: Callable[[Any], Any] = lambda value: value) -> None:
    """For a widget's ``on_change``: hand its value, converted, to the setter."""
    setter(convert(st.session_state[key]))


def _with_model_field(draft: Draft, path: Path, value: Any) -> Draft:
    place, field = path[:-1], path[-1]
    before = value_at(draft.data, place)
    given = None if before is MISSING else before
    after = without_field(given, field) if value is MISSING else overridden(given, field, value)
    return draft.with_value(place, after)
