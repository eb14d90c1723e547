"""The Models page: which models there are, and whether they answer."""

from __future__ import annotations

import streamlit as st

from dashboard import context
from dashboard.views.models.catalog import show_catalog
from dashboard.views.models.confirmed import show_confirmed
from dashboard.views.models.files import show_files
from dashboard.views.models.test_call import show_test_call
from dashboard.views.models.used import show_used


def show() -> None:
    """Presets with prices and keys, models that run here, a test call, confirmed endpoints, and the usage so far."""
    st.title("Models", anchor=False)
    show_catalog()
    show_files()
    show_test_call()
    show_confirmed()
    show_used(context.experiments_dir())
