"""The config that a person is putting together: made on the Configure page, launched from the Train page."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from dashboard.forms.reading import ConfigReading, read_settings
from langmarl.config import BaseConfig
from langmarl.errors import Fault

PARAMETER = "draft"
"""In the address: names the draft, so that a refresh brings it back."""

_DRAFT = "configure.draft"
_NAME = "configure.draft-name"
_MOST_KEPT = 200

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """Settings as they were typed or imported, right or wrong; a value, changed by making another.

    Attributes:
        data: The settings, as the file would have them. Not to be changed in place.
        imported: Whether they came from a file, a pasted text or a run, so that somebody else may have written them.
        parked: Settings of other environments, kept for when the person goes back to them.
    """

    data: Mapping[str, Any]
    imported: bool = False
    parked: Mapping[str, Any] = field(default_factory=dict)

    @property
    def reading(self) -> ConfigReading:
        """What the settings come to, read anew."""
        return read_settings(self.data)

    @property
    def config(self) -> BaseConfig | None:
        """The config; None where anything is wrong."""
        return self.reading.config

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that is wrong."""
        return self.reading.faults

    def with_value(self, path: Path, value: Any) -> Draft:
        """One setting replaced or added; ``path`` leads through objects, which are made where missing."""
        return replace(self, data=_with(self.data, path, value))

    def without(self, path: Path) -> Draft:
        """One setting taken out; nothing happens where there is none."""
        return replace(self, data=_without(self.data, path))

    def renamed(self, path: Path, name: str) -> Draft:
        """One setting under another name, in the same place of the order."""
        return replace(self, data=_renamed(self.data, path, name))

    def with_environment(self, env: str) -> Draft:
        """Another environment: settings that only the old one knows are parked, those that the new one knows return."""
        old = read_settings(self.data).model.model_fields
        changed = {**self.data, "env": env}
        new = read_settings({"env": env}).model.model_fields
        leaving = {name: value for name, value in changed.items() if name in old and name not in new}
        returning = {name: value for name, value in self.parked.items() if name in new and name not in changed}
        staying = {name: value for name, value in changed.items() if name not in leaving}
        parked = {name: value for name, value in self.parked.items() if name not in returning}
        return replace(self, data={**staying, **returning}, parked={**parked, **leaving})


def starting_draft() -> Draft:
    """What the form begins with: a team that learns to answer questions, with the model that needs no key."""
    return Draft({"env": "language", "task_type": "qa", "exp_name": "experiment", "llm": "offline"})


def get_draft() -> Draft:
    """The draft of this browser tab; after a refresh, the one that the address names."""
    if _DRAFT not in st.session_state:
        name = st.query_params.get(PARAMETER)
        kept = _shelf().get(name) if name else None
        st.session_state[_DRAFT] = kept or starting_draft()
        if kept is not None:
            st.session_state[_NAME] = name
    draft: Draft = st.session_state[_DRAFT]
    return draft


def set_draft(data: Mapping[str, Any], imported: bool) -> None:
    """Replace the draft as a whole.

    Args:
        data: The settings, as a file has them.
        imported: Whether somebody else may have written them.
    """
    keep_draft(Draft(dict(data), imported))


def keep_draft(draft: Draft) -> None:
    """Make ``draft`` the one of this tab, also after a refresh while the server lives."""
    st.session_state[_DRAFT] = draft
    name = st.session_state.setdefault(_NAME, uuid.uuid4().hex[:16])
    _shelf().put(name, draft)


def keep_in_address() -> None:
    """Let the address name the draft, once it is more than the starting one; for pages that show it."""
    name = st.session_state.get(_NAME)
    if name is not None and st.query_params.get(PARAMETER) != name:
        st.query_params[PARAMETER] = name


class DraftShelf:
    """The drafts of all tabs by name, in this process's memory; the ones not used for longest are forgotten."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drafts: OrderedDict[str, Draft] = OrderedDict()

    def get(self, name: str) -> Draft | None:
        """The draft of this name; None where it is not known (any more)."""
        with self._lock:
            if name in self._drafts:
                self._drafts.move_to_end(name)
            return self._drafts.get(name)

    def put(self, name: str, draft: Draft) -> None:
        """Keep a draft under its name."""
        with self._lock:
            self._drafts[name] = draft
            self._drafts.move_to_end(name)
            while len(self._drafts) > _MOST_KEPT:
                self._drafts.popitem(last=False)


@st.cache_resource(show_spinner=False)
def _shelf() -> DraftShelf:
    return DraftShelf()


def _with(data: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    first, *rest = path
    inside = data if isinstance(data, Mapping) else {}
    return {**inside, first: _with(inside.get(first), tuple(rest), value)}


def _without(data: Any, path: Path) -> Any:
    first, *rest = path
    if not isinstance(data, Mapping) or first not in data:
        return data
    if rest:
        return {**data, first: _without(data[first], tuple(rest))}
    return {name: value for name, value in data.items() if name != first}


def _renamed(data: Any, path: Path, name: str) -> Any:
    first, *rest = path
    if not isinstance(data, Mapping) or first not in data:
        return data
    if rest:
        return {**data, first: _renamed(data[first], tuple(rest), name)}
    return {name if key == first else key: value for key, value in data.items() if key == first or key != name}
