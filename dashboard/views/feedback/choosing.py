"""Which iteration, episode and agent is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dashboard.charts.credit import credit_figure
from dashboard.formats import reward
from dashboard.queries.feedback import (
    Episode,
    EpisodeSummary,
    Filter,
    IterationOverview,
    Standing,
    matching,
    read_overview,
)
from dashboard.text import plain_line, show_message
from dashboard.views.bound import AddressChoices
from langmarl.store import RunDirectory

_FILTERS = ("feedback-least", "feedback-most", "feedback-agents", "feedback-words", "feedback-problems")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person is looking at.

    Attributes:
        iteration: Which iteration.
        episode: Which of its episodes.
        agent: Whose credit.
        agents: All agents of the iteration.
        team: Whether one assessment stands for all of them.
    """

    iteration: int
    episode: Episode
    agent: str
    agents: list[str]
    team: bool


def choose(run: RunDirectory, iterations: Sequence[int], choices: AddressChoices) -> Choice | None:
    """Draw what is to be chosen, the heat map included; None where nothing is left to choose."""
    iteration = _iteration(iterations, choices)
    overview = read_overview(run, iteration)
    if not overview.episodes:
        show_message("No episode of this iteration has ended yet.", "info", remedy="Choose another iteration.")
        return None
    shown = _filtered(run, overview)
    if not shown:
        show_message("No episode passes the filters.", "info")
        st.button("Show all episodes", on_click=_clear_filters, key="feedback-clear")
        return None
    agents = _shown_agents(overview)
    if not agents:
        show_message("No episode of this iteration names an agent.", "warning")
        return None
    picker = st.container(horizontal=True, vertical_alignment="bottom")
    episode = choices.current("episode", [each.episode for each in overview.episodes], shown[0].episode)
    if episode not in [each.episode for each in shown]:
        episode = shown[0].episode
        choices.choose("episode", episode)
    agent = choices.current("agent", overview.agents, agents[0])
    if agent not in agents:
        agent = agents[0]
        choices.choose("agent", agent)
    _pickers(picker, shown, agents, choices)
    _heat_map(overview, shown, agents, Choice(iteration, episode, agent, overview.agents, overview.team), choices)
    return Choice(iteration, episode, agent, overview.agents, overview.team)


def _iteration(iterations: Sequence[int], choices: AddressChoices) -> int:
    if len(iterations) == 1:
        st.text(f"There is one iteration so far, {iterations[0]}.")
        return iterations[0]
    return st.select_slider(
        "Iteration",
        iterations,
        **choices.bind("iteration", "feedback-iteration", iterations, iterations[-1], {"latest": iterations[-1]}),
    )


def _filtered(run: RunDirectory, overview: IterationOverview) -> list[EpisodeSummary]:
    with st.container(horizontal=True, vertical_alignment="bottom", key="feedback-filters"):
        least = _bound("Reward from", "feedback-least")
        most = _bound("Reward to", "feedback-most")
        agents = st.multiselect(
            "Agents",
            overview.agents,
            format_func=plain_line,
            placeholder="all",
            key="feedback-agents",
            persist_state="session",
            width=240,
        )
        words = st.text_input(
            "Words",
            key="feedback-words",
            placeholder="in task, messages or feedback",
            persist_state="session",
            width=260,
        )
        problems = st.toggle("Only problems", key="feedback-problems", persist_state="session")
    wanted = Filter(least, most, agents, words or "", problems)
    shown = matching(run, overview, wanted)
    if wanted != Filter(agents=agents):
        st.text(f"{len(shown)} of {len(overview.episodes)} episodes pass the filters.")
    return shown


def _bound(name: str, key: str) -> float | None:
    return st.number_input(
        name, value=None, step=0.1, format="%.3g", placeholder="any", key=key, persist_state="session", width=130
    )


def _clear_filters() -> None:
    empty: dict[str, Any] = dict(zip(_FILTERS, (None, None, [], "", False), strict=True))
    st.session_state.update(empty)


def _shown_agents(overview: IterationOverview) -> list[str]:
    wanted = st.session_state.get("feedback-agents") or []
    return [agent for agent in overview.agents if agent in wanted] or overview.agents


def _pickers(
    place: st.delta_generator.DeltaGenerator,
    shown: Sequence[EpisodeSummary],
    agents: Sequence[str],
    choices: AddressChoices,
) -> None:
    by_episode = {each.episode: each for each in shown}

    def name(episode: Episode) -> str:
        summary = by_episode[episode]
        notes = [f"reward {reward(summary.reward)}"] if summary.reward is not None else []
        notes += ["failed"] if summary.failed else []
        notes += ["damaged"] if summary.damaged else []
        unparsed = any(summary.standing(agent) is Standing.UNPARSED for agent in agents)
        notes += ["answer not usable"] if unparsed else []
        return f"{plain_line(episode, 30)} · {', '.join(notes)}" if notes else plain_line(episode, 30)

    episodes = list(by_episode)
    with place:
        st.selectbox(
            "Episode",
            episodes,
            format_func=name,
            width=300,
            **choices.bind("episode", "feedback-episode", episodes, episodes[0]),
        )
        st.selectbox(
            "Agent",
            agents,
            format_func=plain_line,
            width=220,
            **choices.bind("agent", "feedback-agent", agents, agents[0]),
        )


def _heat_map(
    overview: IterationOverview,
    shown: Sequence[EpisodeSummary],
    agents: Sequence[str],
    choice: Choice,
    choices: AddressChoices,
) -> None:
    # A chart keeps what was clicked. Under a name of its own, each choice begins with nothing clicked.
    chosen = [each.episode for each in shown].index(choice.episode), list(agents).index(choice.agent)
    key = f"feedback-chart-{overview.iteration}-{chosen[0]}-{chosen[1]}"
    with st.container(key="feedback-map"):
        st.plotly_chart(
            credit_figure(shown, agents, choice.episode, choice.agent),
            theme="streamlit",
            key=key,
            on_select=lambda: choose_clicked(key, shown, agents, choices),
            selection_mode="points",
            config={"displayModeBar": False},
            alt=_description(overview, shown, choice),
        )
        if choice.team:
            st.text("The critic gave one assessment for the whole team, so all agents have the same credit.")
        st.text("Click a cell to see its episode below.")


def choose_clicked(key: str, shown: Sequence[EpisodeSummary], agents: Sequence[str], choices: AddressChoices) -> None:
    """Take over the cell, or the bar of an episode, that was clicked in the chart ``key``."""
    points = st.session_state[key]["selection"]["points"]
    places = next((point["customdata"] for point in points if point.get("customdata")), None)
    if places is None:
        return
    column, row = places
    choices.choose("episode", shown[column].episode)
    if row is not None:
        choices.choose("agent", agents[row])


def _description(overview: IterationOverview, shown: Sequence[EpisodeSummary], choice: Choice) -> str:
    return plain_line(
        f"Credit of each agent in {len(shown)} episodes of iteration {overview.iteration}; chosen: episode "
        f"{choice.episode}, {choice.agent}.",
        200,
    )
