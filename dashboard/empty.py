"""What a page says while it has nothing to show: what to do next."""

from __future__ import annotations

import streamlit as st

from dashboard.navigation import is_shown, page, page_entry
from dashboard.text import label


def empty_state(title: str, what_next: str, page_name: str | None = None) -> None:
    """Say that there is nothing yet, and what to do about it.

    Args:
        title: What is missing.
        what_next: What to do next, in one or two sentences.
        page_name: The page where that is done, as in ``navigation.PAGES``; a link to it is drawn. None: no link.
    """
    with st.container(border=True):
        st.subheader(label(title), anchor=False)
        st.text(what_next)
        if page_name is not None and is_shown(page_name):
            st.page_link(page(page_name), label=f"Go to {page_entry(page_name).title}", icon="➡️")
