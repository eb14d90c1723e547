"""The models that run in this process: their files."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.formats import UNKNOWN
from dashboard.queries.model_files import ModelFileRow, model_file_rows
from dashboard.text import show_error
from langmarl.errors import LangMARLError

_ROW_PX, _MAX_PX = 35, 300


def show_files() -> None:
    """A table of what is on disk and what can be pulled."""
    st.subheader("On this computer", anchor=False)
    try:
        rows = model_file_rows()
    except LangMARLError as error:
        show_error(error)
        return
    st.dataframe(
        pd.DataFrame([_cells(row) for row in rows]),
        key="models-files",
        hide_index=True,
        height=min(_MAX_PX, _ROW_PX * (len(rows) + 1) + 3),
        column_config=_columns(),
        placeholder=UNKNOWN,
        alt="Table of model files",
    )
    st.text(
        "Real language models in this process, without a key and without cost. A config names any other GGUF file as "
        "local:<path>. Speeds are measured each time a model is loaded."
    )


def _cells(row: ModelFileRow) -> dict[str, object]:
    return {
        "preset": row.preset,
        "state": "🟢 on disk" if row.pull is None else "⚪ not here",
        "size": row.size_bytes / 1e9,
        "reading": row.reading,
        "writing": row.writing,
        "pull": row.pull or "–",
        "file": row.file,
    }


def _columns() -> dict[str, object]:
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    return {
        "preset": text("Preset", width=220, help="The name that a config gives"),
        "state": text("State", width=110),
        "size": number("Size", width=80, format="%.2f GB"),
        "reading": number("Reads", width=90, format="%.0f tok/s", help="Tokens a second of one call on this machine"),
        "writing": number("Writes", width=90, format="%.0f tok/s", help="Tokens a second of one call on this machine"),
        "pull": text("To fetch it", width=310),
        "file": text("File", width=330),
    }
