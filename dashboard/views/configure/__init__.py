"""The Configure page: a config without reading documentation."""

from __future__ import annotations

import streamlit as st

from dashboard.draft import get_draft, keep_in_address
from dashboard.views.configure.form import draw_form
from dashboard.views.configure.importing import draw_import
from dashboard.views.configure.side import draw_side

# Beside a long form the panel stays in view; it scrolls by itself where the window is low.
_STICKY = """<style>
@media (min-width: 641px) {
  [data-testid="stColumn"]:has(> div .st-key-configure-side) {
    position: sticky; top: 4rem; align-self: flex-start; max-height: calc(100vh - 5rem); overflow-y: auto;
  }
}
.st-key-configure-form input:placeholder-shown { text-overflow: ellipsis; }
</style>"""


def show() -> None:
    """The form, and beside it the file it makes, what is wrong with it, and what the run will take."""
    st.title("Configure", anchor=False)
    st.html(_STICKY)
    draft = get_draft()
    keep_in_address()
    reading = draft.reading
    form, side = st.columns([8, 5], gap="large")
    with form, st.container(key="configure-form"):
        draw_import()
        draw_form(draft, reading)
    with side, st.container(key="configure-side"):
        draw_side(draft, reading)
