"""Widgets whose value stands in the page's address, so that a link shows what its sender saw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from dashboard.links import set_param
from dashboard.text import show_message

_Option = TypeVar("_Option")


@dataclass(frozen=True, slots=True)
class AddressChoices:
    """The choices that one page offers for one run.

    The address decides; where it is silent, what was chosen for this run earlier in this session; else the default.

    Attributes:
        page: The page's name, which prefixes what is kept in the session.
        run_id: The run that the choices belong to.
    """

    page: str
    run_id: str

    def current(
        self, name: str, options: Sequence[_Option], default: _Option, aliases: Mapping[str, _Option] | None = None
    ) -> _Option:
        """What is chosen now; says so where the address names something that is not there.

        Args:
            name: The parameter of the address.
            options: What may be chosen; told apart by their text.
            default: What is chosen where nobody chose.
            aliases: More texts that the address may hold, and what they stand for.
        """
        by_text = {**(aliases or {}), **{str(option): option for option in options}}
        wanted = st.query_params.get(name)
        if wanted in by_text:
            return by_text[wanted]
        if wanted is not None:
            show_message(f"The address asks for {name} {wanted!r}, which this run does not have.", "warning")
            return default
        return by_text.get(st.session_state.get(self._memory(name), ""), default)

    def bind(
        self,
        name: str,
        key: str,
        options: Sequence[_Option],
        default: _Option,
        aliases: Mapping[str, _Option] | None = None,
    ) -> dict[str, Any]:
        """Arguments for the widget that offers ``options``: its key, and what keeps its choice in the address.

        Args:
            name: As in :meth:`current`, like those after ``key``.
            key: Of the widget.
            options: What it offers.
            default: What it shows first.
            aliases: More texts that the address may hold.
        """
        chosen = self.current(name, options, default, aliases)
        if st.session_state.get(key) != chosen:
            st.session_state[key] = chosen
        return {"key": key, "on_change": self._keep, "args": (name, key)}

    def choose(self, name: str, value: object) -> None:
        """Choose without a widget; for callbacks. An empty value is left out of the address."""
        set_param(name, value or None if isinstance(value, str) else value)
        st.session_state[self._memory(name)] = str(value)

    def _keep(self, name: str, key: str) -> None:
        self.choose(name, st.session_state[key])

    def _memory(self, name: str) -> str:
        return f"{self.page}.{self.run_id}.{name}"
