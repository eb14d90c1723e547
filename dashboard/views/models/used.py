"""What all runs of the experiment folder have used, by model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.formats import UNKNOWN
from dashboard.queries.models import ModelUsage, usage_by_model
from dashboard.text import plain_line
from langmarl.store.creation import run_folders


def show_used(folder: Path) -> None:
    """A table by model, once somebody asks: with many runs it takes a moment."""
    st.subheader("Used so far", anchor=False)
    wanted = st.toggle(
        "Add up all runs of this folder", key="models-used", help="Reads every run once", persist_state="session"
    )
    if not wanted:
        return
    with st.spinner("Reading the runs …"):
        used = usage_by_model(run_folders(folder))
    if not used:
        st.text("No run has finished an iteration yet.")
        return
    st.dataframe(
        pd.DataFrame([_cells(each) for each in used]),
        key="models-used-table",
        hide_index=True,
        column_config=_columns(),
        placeholder=UNKNOWN,
        alt="Table of calls, tokens and cost by model",
    )


def _cells(used: ModelUsage) -> dict[str, Any]:
    usage = used.usage
    return {
        "model": plain_line(used.model),
        "runs": used.runs,
        "calls": usage.calls,
        "input": usage.input_tokens,
        "output": usage.output_tokens,
        "cost": usage.cost_usd,
        "retries": usage.retries,
        "errors": usage.failures,
    }


def _columns() -> dict[str, Any]:
    number = st.column_config.NumberColumn
    return {
        "model": st.column_config.TextColumn("Model", width=220, help="Its name at the endpoint"),
        "runs": number("Runs", width=70),
        "calls": number("Calls", width=90, format="localized"),
        "input": number("Input tokens", width=120, format="localized"),
        "output": number("Output tokens", width=120, format="localized"),
        "cost": number("Cost", width=100, format="$%.4f", help="US dollars; unknown where a price is unknown"),
        "retries": number("Retries", width=80),
        "errors": number("Errors", width=80),
    }
