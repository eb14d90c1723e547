"""Streamlit's own login, where the server's owner has set one up."""

from __future__ import annotations

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError


def require_login() -> None:
    """Draw nothing but a login button for those who are not logged in; nothing at all where no login is set up."""
    if not is_set_up() or st.user.get("is_logged_in", False):
        return
    st.title("LangMARL")
    st.text("Log in to see the runs.")
    st.button("Log in", key="login", type="primary", on_click=st.login)
    st.stop()


def is_set_up() -> bool:
    """Whether ``.streamlit/secrets.toml`` has an ``[auth]`` section."""
    try:
        return "auth" in st.secrets
    except StreamlitSecretNotFoundError:
        return False
