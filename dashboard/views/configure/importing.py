"""Taking in a config from a file or a pasted text: whole, or not at all."""

from __future__ import annotations

import streamlit as st

from dashboard.draft import Draft, get_draft, starting_draft
from dashboard.forms.json_text import LARGEST_IMPORT, read_import
from dashboard.text import show_message
from dashboard.views.configure.editing import can_undo, replace_draft, undo_replacement
from langmarl.errors import ConfigError, Fault

_UPLOAD, _PASTE = "configure-import-file", "configure-import-text"
_OUTCOME = "configure.import-outcome"
_MOST_FAULTS = 10


def draw_import() -> None:
    """Draw the ways in, and what came of the last attempt."""
    with st.expander("Import a config, or start over", icon="📥", key="configure-import"):
        upload, paste = st.columns(2, gap="medium")
        with upload:
            st.file_uploader(
                f"A JSON file, up to {LARGEST_IMPORT // 1_000_000} MB", type="json", key=_UPLOAD, on_change=_take_file
            )
        with paste:
            st.text_area("Or paste its text", key=_PASTE, height=98, persist_state="session", placeholder="{ … }")
        with st.container(horizontal=True, key="configure-import-actions"):
            st.button("Import the text", key="configure-import-paste", on_click=_take_text)
            st.button("Start over", key="configure-start-over", on_click=_start_over)
    with st.container(key="configure-import-outcome"):
        _show_outcome()
        if can_undo():
            st.button("Undo: back to the config before", key="configure-undo", icon="↩️", on_click=_undo)


def _take_file() -> None:
    file = st.session_state[_UPLOAD]
    if file is not None:
        _take(file.getvalue(), "the file")


def _take_text() -> None:
    _take(st.session_state.get(_PASTE) or "", "the pasted text")


def _take(content: bytes | str, source: str) -> None:
    try:
        data = read_import(content, source)
    except ConfigError as error:
        st.session_state[_OUTCOME] = (source, error.faults)
        return
    replace_draft(Draft(data, imported=True, parked=get_draft().parked))
    st.session_state[_OUTCOME] = (source, ())


def _start_over() -> None:
    replace_draft(starting_draft())
    st.session_state.pop(_OUTCOME, None)


def _undo() -> None:
    undo_replacement()
    st.session_state.pop(_OUTCOME, None)


def _show_outcome() -> None:
    source, refusals = st.session_state.get(_OUTCOME, (None, ()))
    if source is None:
        return
    if refusals:
        show_message(f"Nothing was imported: {source} cannot be taken in.\n{_listing(refusals)}", "error")
        return
    faults = len(get_draft().faults)
    if faults:
        many = f"{faults} things are" if faults > 1 else "one thing is"
        remedy = "Each is marked at its field; the rest is as it was in the file."
        show_message(f"Imported, and {many} to correct.", "warning", remedy=remedy)
    else:
        show_message("Imported: every setting is in the form.", "success")


def _listing(faults: tuple[Fault, ...]) -> str:
    lines = [f"• {fault}" for fault in faults[:_MOST_FAULTS]]
    rest = len(faults) - _MOST_FAULTS
    return "\n".join([*lines, *([f"… and {rest} more"] if rest > 0 else [])])
