"""The whole run: how long the policies became, and what became of each update."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dashboard.charts.policy_length import policy_length_figure
from dashboard.formats import MISSING, reward
from dashboard.queries.policies import History, policy_lengths
from dashboard.text import plain_line, plot_text
from dashboard.views.policies.choosing import Choice
from langmarl.store import RunDirectory

_MARKS = {"accepted": "✓ accepted", "refused": "✕ refused", "reverted": "↩ reverted"}


def show_evolution(run: RunDirectory, history: History, choice: Choice) -> None:
    """A chart of lengths and a table of updates."""
    if len(history.checkpoints) < 2:
        return
    st.subheader("Length over time", anchor=False)
    lengths = policy_lengths(run, history.checkpoints)
    st.plotly_chart(
        policy_length_figure(lengths, {agent: plot_text(agent, 30) for agent in lengths}),
        theme="streamlit",
        key="policies-length",
        config={"displayModeBar": False},
        alt="Length of each agent's policy in characters, by checkpoint.",
    )
    st.subheader("What became of each update", anchor=False)
    _updates(history, choice.agents)


def _updates(history: History, agents: list[str]) -> None:
    means = {each.checkpoint: each.mean for each in history.rewards}
    rows: list[dict[str, Any]] = [
        {
            "iteration": update.iteration,
            "agent": plain_line(update.agent),
            "outcome": _MARKS[update.outcome],
            "why": plain_line(update.why or MISSING, 500),
            "mean reward": reward(means.get(update.iteration)),
        }
        for update in history.updates(agents)
    ]
    if not rows:
        st.text("No iteration is finished yet.")
        return
    st.dataframe(
        rows,
        hide_index=True,
        height=300,
        key="policies-updates",
        column_config={
            "iteration": st.column_config.NumberColumn("Iteration", format="%d", width="small"),
            "agent": st.column_config.TextColumn("Agent", width="small"),
            "outcome": st.column_config.TextColumn("Outcome", width="small"),
            "why": st.column_config.TextColumn("Why", width="large"),
            "mean reward": st.column_config.TextColumn("Mean reward", width="small"),
        },
    )
