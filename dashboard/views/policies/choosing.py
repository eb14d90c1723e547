"""Which two checkpoints are compared, of which agents, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dashboard.charts.checkpoint_reward import checkpoint_reward_figure
from dashboard.queries.policies import History, Policies, read_policies, thinned
from dashboard.text import plain_line
from dashboard.views.bound import AddressChoices
from langmarl.store import RunDirectory
from langmarl.store.layout import in_natural_order

PREVIOUS = "previous"
ALL_AGENTS = ""
LAYOUTS = ("Side by side", "Inline", "Text")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person wants to see.

    Attributes:
        old: The earlier checkpoint of the comparison.
        new: The later one.
        before: The policies of ``old``.
        after: The policies of ``new``.
        every_agent: All agents of the two.
        agents: Those to show.
        layout: One of :data:`LAYOUTS`.
        only_changes: Whether to leave out what stayed the same.
    """

    old: int
    new: int
    before: Policies
    after: Policies
    every_agent: list[str]
    agents: list[str]
    layout: str
    only_changes: bool


def choose(run: RunDirectory, history: History, choices: AddressChoices) -> Choice:
    """Draw what is to be chosen, the slider through the checkpoints with the reward beneath it."""
    checkpoints = history.checkpoints
    controls = st.container(horizontal=True, vertical_alignment="bottom")
    new = _slider(history, choices)
    old = _compare_with(controls, history, choices, new)
    if history.rewards and len(checkpoints) > 1:
        st.plotly_chart(
            checkpoint_reward_figure(thinned(history.rewards), checkpoints, old, new),
            theme="streamlit",
            key="policies-reward",
            config={"displayModeBar": False},
            alt=f"Mean reward by checkpoint; {old} and {new} are marked as old and new.",
        )
    before, after = read_policies(run, old), read_policies(run, new)
    every_agent = in_natural_order(before.texts.keys() | after.texts.keys())
    agents = _agents(controls, every_agent, choices)
    with controls:
        layout = st.segmented_control(
            "Show",
            LAYOUTS,
            required=True,
            default=LAYOUTS[0],
            key="policies-layout",
            persist_state="session",
        )
        only_changes = st.toggle("Only changes", key="policies-only-changes", persist_state="session")
    return Choice(old, new, before, after, every_agent, agents, layout or LAYOUTS[0], only_changes)


def _slider(history: History, choices: AddressChoices) -> int:
    checkpoints = history.checkpoints
    if len(checkpoints) == 1:
        st.text(f"There is one checkpoint so far, {checkpoints[0]}: the policies that training starts from.")
        return checkpoints[0]
    aliases = {"latest": checkpoints[-1], "first": checkpoints[0]}
    if history.best in checkpoints:
        aliases["best"] = history.best
    best = f" The best one so far is {history.best}." if history.best is not None else ""
    return st.select_slider(
        "Checkpoint",
        checkpoints,
        help="Checkpoint k holds the policies that iteration k acts under; 0 is the start." + best,
        **choices.bind("to", "policies-to", checkpoints, checkpoints[-1], aliases),
    )


def _compare_with(place: st.delta_generator.DeltaGenerator, history: History, choices: AddressChoices, new: int) -> int:
    checkpoints = history.checkpoints
    if len(checkpoints) == 1:
        return new
    rewards = {each.checkpoint: each.mean for each in history.rewards}

    def name(option: int | str) -> str:
        if option == PREVIOUS:
            return "the one before"
        notes = ["the start"] if option == 0 else []
        notes += ["the best"] if option == history.best else []
        mean = rewards.get(option) if isinstance(option, int) else None
        notes += [] if mean is None else [f"reward {mean:.3f}"]
        return f"{option} ({', '.join(notes)})" if notes else str(option)

    options: list[int | str] = [PREVIOUS, *checkpoints]
    with place:
        picked = st.selectbox(
            "Compare with",
            options,
            format_func=name,
            width=210,
            **choices.bind("from", "policies-from", options, checkpoints[0]),
        )
    return _before(checkpoints, new) if picked == PREVIOUS else int(picked)


def _before(checkpoints: Sequence[int], new: int) -> int:
    earlier = [checkpoint for checkpoint in checkpoints if checkpoint < new]
    return earlier[-1] if earlier else new


def _agents(place: st.delta_generator.DeltaGenerator, agents: list[str], choices: AddressChoices) -> list[str]:
    if len(agents) < 2:
        return agents
    options = [ALL_AGENTS, *agents]
    with place:
        picked = st.selectbox(
            "Agent",
            options,
            format_func=lambda agent: plain_line(agent) or "all agents",
            width=140,
            **choices.bind("agent", "policies-agent", options, ALL_AGENTS),
        )
    return [picked] if picked else agents
