"""The table of presets."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dashboard.formats import UNKNOWN
from dashboard.queries.models import ModelRow, model_rows

_MARKS = {"set": "🟢 set", "not set": "⚪ not set", "not needed": "– not needed"}
_ROW_PX, _MAX_PX = 35, 440


def show_catalog() -> None:
    """Filter and table."""
    rows = model_rows()
    words, usable = st.columns([3, 1], vertical_alignment="bottom")
    text = words.text_input(
        "Filter",
        key="models-filter",
        placeholder="name, provider, key variable …",
        type="search",
        persist_state="session",
    )
    only_usable = usable.toggle(
        "Only usable now",
        key="models-usable",
        help="Those whose key is set, or that need none",
        persist_state="session",
    )
    shown = [row for row in rows if row.matches(text or "") and not (only_usable and row.key == "not set")]
    if not shown:
        st.text("No model fits the filter.")
        return
    st.dataframe(
        pd.DataFrame([_cells(row) for row in shown]),
        key="models-table",
        hide_index=True,
        height=min(_MAX_PX, _ROW_PX * (len(shown) + 1) + 3),
        column_config=_columns(),
        placeholder=UNKNOWN,
        alt="Table of models with prices and keys",
    )
    st.text(
        "Prices are US dollars for a million tokens. A key is set in the environment or in a .env file before the "
        "dashboard starts; it is never shown."
    )


def _cells(row: ModelRow) -> dict[str, Any]:
    return {
        "preset": row.preset,
        "provider": row.provider,
        "input": row.input_price,
        "output": row.output_price,
        "cached": row.cached_input_price,
        "source": row.price_source,
        "context": row.context,
        "key": _MARKS[row.key],
        "variable": row.key_variable or "–",
        "model": row.model,
        "endpoint": row.endpoint or "OpenAI's own",
        "description": row.description,
    }


def _columns() -> dict[str, Any]:
    text, number = st.column_config.TextColumn, st.column_config.NumberColumn
    return {
        "preset": text("Preset", width=170, help="The name that a config gives"),
        "provider": text("Provider", width=100),
        "input": number("Input", width=75, format="$%.3g", help="US dollars for a million input tokens"),
        "output": number("Output", width=75, format="$%.3g", help="US dollars for a million output tokens"),
        "cached": number("Cached", width=75, format="$%.3g", help="US dollars for a million cached input tokens"),
        "source": text("Price from", width=100, help="The preset itself, the genai-prices data set, or a local model"),
        "context": number("Context", width=80, format="compact", help="Tokens of a request and its reply together"),
        "key": text("Key", width=110),
        "variable": text("Key variable", width=170),
        "model": text("Model", width=200, help="Its name at the endpoint"),
        "endpoint": text("Endpoint", width=250),
        "description": text("Description", width=350),
    }
