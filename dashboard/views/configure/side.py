"""Beside the form: whether the config can run, what the run will take, and the file."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboard.draft import Draft
from dashboard.forms.json_text import config_text
from dashboard.forms.reading import ConfigReading
from dashboard.forms.secrets import without_keys
from dashboard.links import run_link
from dashboard.text import show_code, show_message
from dashboard.views.configure.forecast_panel import draw_forecast
from langmarl.errors import Fault

_MOST_FAULTS = 8
_LONGEST_SHOWN = 20_000


def draw_side(draft: Draft, reading: ConfigReading) -> None:
    """Draw the panel."""
    if reading.config is not None:
        show_message("This config can run.", "success")
        with st.container(key="configure-to-train"):
            run_link("train", text="Check and start it on the Train page")
        st.subheader("Forecast", anchor=False)
        draw_forecast(reading.config, "configure")
    else:
        _show_faults(reading.faults)
    st.subheader("The file", anchor=False)
    _draw_export(draft, reading)
    _draw_text(draft)


def _show_faults(faults: Sequence[Fault]) -> None:
    lines = [f"• {fault}" for fault in faults[:_MOST_FAULTS]]
    if len(faults) > _MOST_FAULTS:
        lines.append(f"… and {len(faults) - _MOST_FAULTS} more")
    show_message("To correct before it can run:\n" + "\n".join(lines), "error")


def _draw_export(draft: Draft, reading: ConfigReading) -> None:
    ready = reading.config is not None
    st.download_button(
        "Download",
        config_text(draft.data) if ready else "",
        file_name=f"{reading.config.exp_name}.json" if reading.config is not None else "config.json",
        mime="application/json",
        key="configure-export",
        icon="📤",
        on_click="ignore",
        disabled=not ready,
        help="The file that langmarl train reads" if ready else "Once nothing is left to correct",
    )


def _draw_text(draft: Draft) -> None:
    text = config_text(without_keys(draft.data)).rstrip("\n")
    with st.container(key="configure-json"):
        if len(text) > _LONGEST_SHOWN:
            st.caption(f"The first {_LONGEST_SHOWN:,} of {len(text):,} characters; the download has all.")
        show_code(text[:_LONGEST_SHOWN], height=380 if text.count("\n") > 14 or len(text) > 1200 else None)
