"""The dashboard's entry: imported, it is the server; run by Streamlit, it draws a page and the frame around it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard import server
from dashboard.login import require_login
from dashboard.navigation import shown_pages
from dashboard.text import show_error
from dashboard.theme import PAGE_STYLE
from langmarl.errors import LangMARLError
from langmarl.llm.offline.turns import TURNS


def draw() -> None:
    """The frame, and in it the page that the address names; runs that compute in this process give way to it."""
    with TURNS.precedence():
        _draw()


def _draw() -> None:
    st.set_page_config(page_title="LangMARL", page_icon="🧭", layout="wide")
    st.html(PAGE_STYLE)
    require_login()
    chosen = st.navigation(shown_pages())
    try:
        chosen.run()
    except LangMARLError as error:
        show_error(error)


if server.is_drawing():
    draw()
else:
    app = st.App(
        Path(__file__).resolve(),
        lifespan=server.lifespan,
        routes=server.ROUTES,
        middleware=server.MIDDLEWARE,
        on_script_error=server.report_script_error,
    )
