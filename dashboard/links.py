"""Deep links: which run, agent or iteration a page shows stands in its address, survives a refresh, and can be sent."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar
from urllib.parse import urlencode

import streamlit as st

from dashboard.context import experiments_dir, reconciled_index
from dashboard.empty import empty_state
from dashboard.navigation import is_shown, page, page_entry
from dashboard.text import plain_line, show_message
from langmarl.store import LATEST

RUN = "run"
"""The parameter that names the run."""

_LAST_RUN = "links.last_run"
_Value = TypeVar("_Value", str, int, float)


def run_url(page_name: str, run_id: str | None = None, **params: Any) -> str:
    """The address of a page that shows a run, relative to the dashboard's own; parameters that are None are left out.

    For a table's column of links; elsewhere :func:`run_link` or :func:`go_to`.
    """
    query = urlencode(_query(run_id, params))
    return f"/{page_entry(page_name).url_path}" + (f"?{query}" if query else "")


def run_link(
    page_name: str, run_id: str | None = None, *, text: str | None = None, help: str | None = None, **params: Any
) -> None:
    """Draw a link to a page that shows a run; nothing where that page is not there.

    Args:
        page_name: As in ``navigation.PAGES``.
        run_id: The run; None leaves the choice to the page.
        text: What the link says, our own words only; None: the page's title.
        help: More on hovering, our own words only.
        params: More of the address, such as ``agent="agent_1"``; None leaves one out.
    """
    if is_shown(page_name):
        st.page_link(page(page_name), label=text, help=help, query_params=_query(run_id, params))


def go_to(page_name: str, run_id: str | None = None, **params: Any) -> NoReturn:
    """Leave for another page at once; nothing after it is drawn."""
    st.switch_page(page(page_name), query_params=_query(run_id, params))


def current_run_id() -> str | None:
    """The run that the address names; for ``latest`` the newest. None where it names none, or none that exists."""
    wanted = st.query_params.get(RUN)
    run_ids = _run_ids() if wanted else []
    if wanted == LATEST:
        return next(iter(run_ids), None)
    return wanted if wanted in run_ids else None


def pick_run(key: str) -> str | None:
    """Let the person choose a run, newest first, and keep the choice in the address.

    Shows the run of the address, else the one looked at last on any page, else the newest.

    Args:
        key: Of the widget.

    Returns:
        The run's id. None where there is no run (an empty state was drawn), or where the address names one that does
        not exist (a message was drawn, and the choice is open).
    """
    run_ids = _run_ids()
    if not run_ids:
        empty_state("There is no run yet", "Start one on the Runs page: the quickstart needs no key.", "runs")
        return None
    chosen = _chosen(run_ids)
    if st.session_state.get(key) != chosen:
        st.session_state[key] = chosen
    picked = st.selectbox(
        "Run",
        run_ids,
        index=None,
        key=key,
        format_func=plain_line,  # a select box, unlike radio buttons or pills, reads no Markdown
        placeholder="Choose a run",
        on_change=_keep_choice,
        args=(key,),
    )
    if picked is not None:
        remember_run(picked)
        if RUN not in st.query_params:
            st.query_params[RUN] = picked
    return picked


def remember_run(run_id: str) -> None:
    """The run that :func:`pick_run` shows next, on whichever page, where the address names none."""
    st.session_state[_LAST_RUN] = run_id


def param(name: str, default: _Value) -> _Value:
    """A parameter of the address, of the same type as ``default``, which stands for what is absent or unreadable."""
    text = st.query_params.get(name)
    if text is None:
        return default
    try:
        return type(default)(text)
    except ValueError:
        return default


def set_param(name: str, value: object) -> None:
    """Keep something in the address; None removes it."""
    if value is None:
        st.query_params.pop(name, None)
    elif st.query_params.get(name) != str(value):
        st.query_params[name] = str(value)


def _run_ids() -> list[str]:
    """Every run, newest first. Looking for them does not make the experiment folder."""
    return [row.run_id for row in reconciled_index().runs()] if experiments_dir().is_dir() else []


def _query(run_id: str | None, params: dict[str, Any]) -> dict[str, str]:
    everything = {RUN: run_id, **params}
    return {name: str(value) for name, value in everything.items() if value is not None}


def _chosen(run_ids: list[str]) -> str | None:
    wanted = st.query_params.get(RUN)
    if wanted == LATEST:
        return run_ids[0]
    if wanted in run_ids:
        return wanted
    if wanted:
        show_message(f"There is no run {wanted!r} here.", "warning", remedy="Choose another one.")
        return None
    last = st.session_state.get(_LAST_RUN)
    return last if last in run_ids else run_ids[0]


def _keep_choice(key: str) -> None:
    picked = st.session_state.get(key)
    if picked is None:
        st.query_params.pop(RUN, None)
        return
    st.query_params[RUN] = picked
