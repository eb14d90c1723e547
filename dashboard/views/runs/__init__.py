"""The Runs page: everything at a glance."""

from __future__ import annotations

import streamlit as st

from dashboard import context
from dashboard.links import run_link
from dashboard.queries.runs import run_summaries, unreadable_runs
from dashboard.text import show_message
from dashboard.views.runs.details import show_details
from dashboard.views.runs.filters import chosen_runs
from dashboard.views.runs.first_visit import leave_for_started_run, show_first_visit
from dashboard.views.runs.problem import show_problem
from dashboard.views.runs.refresh import refresh_when_changed
from dashboard.views.runs.table import show_table


def show() -> None:
    """All runs of the experiment folder; on a first visit, the way to the first one."""
    leave_for_started_run()
    title, more = st.columns([4, 1], vertical_alignment="bottom")
    title.title("Runs", anchor=False)
    show_problem()
    folder = context.experiments_dir()
    has_folder = folder.is_dir()  # looking must not make it
    index = context.reconciled_index() if has_folder else None
    version = index.version() if index else ""
    runs = run_summaries(index, st.session_state.get("runs.order", "-created_ns")) if index else []
    if runs:
        with more, st.container(horizontal=True, horizontal_alignment="right"):
            run_link("configure", text="New run", help="Put a config together")
        selected = show_table(chosen_runs(runs))
        if selected is not None:
            show_details(selected)
    else:
        show_first_visit()
    _show_unreadable([run.run_id for run in runs])
    refresh_when_changed(version)


def _show_unreadable(known: list[str]) -> None:
    broken = unreadable_runs(context.experiments_dir(), known)
    if broken:
        listing = "\n".join(f"• {run.name}: {run.reason}" for run in broken[:5])
        rest = f"\n… and {len(broken) - 5} more" if len(broken) > 5 else ""
        show_message(
            f"{len(broken)} run director{'ies' if len(broken) > 1 else 'y'} cannot be read and "
            f"{'are' if len(broken) > 1 else 'is'} left out:\n{listing}{rest}",
            "warning",
            remedy="Restore the file from a copy, or move the directory away. The other runs are not affected.",
        )
