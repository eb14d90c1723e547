"""The table of runs."""

from __future__ import annotations

import zlib
from typing import Any

import pandas as pd
import streamlit as st

from dashboard import context
from dashboard.formats import UNKNOWN
from dashboard.links import RUN, current_run_id, remember_run, set_param
from dashboard.queries.runs import RunSummary
from dashboard.text import plain_line
from dashboard.views.runs.states import mark_of, name_of

_ROW_PX, _MAX_PX = 35, 388


def show_table(runs: list[RunSummary]) -> RunSummary | None:
    """Draw the table and give the run whose row is selected: the address's, else the first."""
    with st.container(key="runs-table"):
        if not runs:
            st.text("No run fits the filter.")
            return None
        chosen = st.dataframe(
            _frame(runs),
            key=_table_key(runs),
            hide_index=True,
            height=min(_MAX_PX, _ROW_PX * (len(runs) + 1) + 3),
            column_config=_columns(runs),
            placeholder=UNKNOWN,
            on_select="rerun",
            selection_mode="single-row-required",
            selection_default={"selection": {"rows": [_first_selected(runs)]}},
            alt="Table of runs",
        )
    rows = chosen.selection.rows
    selected = runs[rows[0]] if rows and rows[0] < len(runs) else runs[0]
    if rows and (RUN in st.query_params or rows[0] != 0):
        set_param(RUN, selected.run_id)
        remember_run(selected.run_id)
    return selected


def _table_key(runs: list[RunSummary]) -> str:
    """Another table for other rows: the selection goes by position, and would otherwise slip to another run."""
    return f"runs-rows-{zlib.crc32(' '.join(run.run_id for run in runs).encode('utf-8', 'surrogatepass')):08x}"


def _first_selected(runs: list[RunSummary]) -> int:
    wanted = current_run_id()
    return next((place for place, run in enumerate(runs) if run.run_id == wanted), 0)


def _frame(runs: list[RunSummary]) -> pd.DataFrame:
    positions = context.supervisor().positions()
    return pd.DataFrame([_cells(run, positions) for run in runs])


def _cells(run: RunSummary, positions: dict[str, int]) -> dict[str, Any]:
    place = f" (no. {positions[run.run_id]})" if run.run_id in positions else ""
    return {
        "state": f"{mark_of(run.state)} {name_of(run.state)}{place}{' 🗄' if run.is_archived else ''}",
        "experiment": plain_line(run.experiment),
        "done": run.iterations_done,
        "planned": run.num_iterations,
        "best": run.best_reward,
        "last": run.last_reward,
        "rewards": run.rewards,
        "tokens": run.total_tokens,
        "cost": run.cost_usd,
        "started": run.started,
        "environment": plain_line(run.environment),
        "paradigm": plain_line(run.paradigm),
        "models": plain_line(run.models),
        "run": plain_line(run.run_id, 200),
    }


def _columns(runs: list[RunSummary]) -> dict[str, Any]:
    rewards = [reward for run in runs for reward in run.rewards]
    low, high = min([0.0, *rewards]), max([1.0, *rewards])
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "state": text("State", width=130),
        "experiment": text("Experiment", width=150),
        "environment": text("Environment", width=110),
        "paradigm": text("Paradigm", width=110),
        "models": text("Models", width=110, help="One name where all roles use the same model"),
        "done": number("Done", width=60, help="Finished iterations"),
        "planned": number("Of", width=50, help="Iterations that the run is to have"),
        "best": number("Best", width=70, format="%.3f", help="Highest mean reward of an iteration"),
        "last": number("Last", width=70, format="%.3f", help="Mean reward of the latest iteration"),
        "rewards": st.column_config.LineChartColumn(
            "Reward", width=110, y_min=low, y_max=high, help="Mean reward by iteration"
        ),
        "tokens": number("Tokens", width=80, format="compact", help="Of all calls, held-out evaluation included"),
        "cost": number("Cost", width=80, format="$%.4f", help="US dollars; unknown where a model has no price"),
        "started": st.column_config.DatetimeColumn("Started", width=130, format="YYYY-MM-DD HH:mm"),
        "run": text("Run", width=230, help="The name of its directory"),
    }
