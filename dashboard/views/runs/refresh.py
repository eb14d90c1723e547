"""Bringing the page up to date when a run comes, goes or changes, also one that the shell started."""

from __future__ import annotations

import streamlit as st

from dashboard import context

_EVERY_S = 2.0


@st.fragment(run_every=_EVERY_S)
def refresh_when_changed(drawn: str) -> None:
    """Look at the index now and then, and draw the page again only where it is not as drawn.

    Args:
        drawn: The index's version that the page shows; empty where there was no folder yet.
    """
    if not context.experiments_dir().is_dir():
        return
    if context.reconciled_index().version() != drawn:
        st.rerun()
