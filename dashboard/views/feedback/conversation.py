"""An episode as a conversation: who said what, in order, as plain text."""

from __future__ import annotations

import streamlit as st

from dashboard.formats import reward
from dashboard.queries.feedback import EpisodeDetail
from dashboard.text import markup, plain_line, show_message, show_text
from dashboard.theme import OCHRE, agent_color, translucent
from langmarl.trajectory import Step

MOST_SHOWN = 8_000
"""Characters of one message; the download has the rest."""
STEPS_A_PAGE = 40

_BUBBLE = "border-radius:6px;padding:0.5rem 0.9rem;margin:0 0 0.6rem 0;background:rgba(128,128,128,0.09);"
_WORDS = "white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5;"
_SCROLL = "max-height:420px;overflow-y:auto;"
_BADGE = f"border:1px solid {OCHRE};border-radius:10px;padding:0 0.5em;margin-left:0.6em;font-size:0.85em;"


def show_conversation(detail: EpisodeDetail, agent: str) -> None:
    """The messages of one episode; the steps that the critic's words rest on are marked.

    Args:
        detail: The episode.
        agent: Whose evidence is marked strongly; that of the others is named.
    """
    earned = f" · reward {reward(detail.reward)}" if detail.reward is not None else ""
    outcome = "".join(f" · {plain_line(name, 30)} {plain_line(value, 60)}" for name, value in detail.outcome.items())
    st.subheader("What happened", anchor=False)
    show_text(f"Episode {plain_line(detail.episode, 30)}{earned}{outcome}")
    if detail.question is not None:
        st.html(_task_bubble(detail.question))
    if detail.failure is not None:
        show_message(detail.failure[:5_000], "error", remedy="This episode gave nothing to learn from.")
        return
    if not detail.steps and not detail.problems:
        st.text("Nobody said anything in this episode.")
    for number in _page(detail):
        _show_step(detail, number, agent)


def evidence_of(detail: EpisodeDetail, number: int) -> list[str]:
    """The agents of whom the critic's words rest on step ``number``."""
    return [agent for agent, said in detail.judgements.items() if said is not None and number in said.evidence]


def _page(detail: EpisodeDetail) -> range:
    steps = len(detail.steps)
    if steps <= STEPS_A_PAGE:
        return range(steps)
    pages = -(-steps // STEPS_A_PAGE)
    page = st.pagination(pages, key=f"feedback-page-{pages}")
    first = (page - 1) * STEPS_A_PAGE
    last = min(first + STEPS_A_PAGE, steps)
    st.text(f"Steps {first} to {last - 1} of 0 to {steps - 1}")
    return range(first, last)


def _show_step(detail: EpisodeDetail, number: int, agent: str) -> None:
    step = detail.steps[number]
    st.html(_step_bubble(step, number, evidence_of(detail, number), agent))
    if len(step.action) > MOST_SHOWN:
        st.download_button(
            f"Download the whole message ({len(step.action):,} characters)",
            data=step.action.encode("utf-8", "surrogatepass"),
            file_name=f"episode_{number}_message.txt",
            mime="text/plain",
            key=f"feedback-download-step-{number}",
            on_click="ignore",
            icon="⬇️",
        )


def _task_bubble(question: str) -> str:
    shown = question[:MOST_SHOWN] + ("…" if len(question) > MOST_SHOWN else "")
    style = f"{_BUBBLE}border-left:4px solid rgba(128,128,128,0.6);"
    return f'<div style="{style}"><strong>Task</strong>{_words(shown)}</div>'


def _step_bubble(step: Step, number: int, evidence: list[str], agent: str) -> str:
    color = agent_color(step.agent_id)
    style = f"{_BUBBLE}border-left:4px solid {color};background:{translucent(color, 0.08)};"
    if agent in evidence:
        style += f"outline:2px solid {OCHRE};outline-offset:-1px;"
    head = (
        f'<div><span aria-hidden="true" style="color:{color};">●</span> '
        f"<strong>{markup(plain_line(step.agent_id))}</strong>"
        f'<span style="opacity:0.7;"> · step {number}</span>{_badge(evidence, agent)}</div>'
    )
    cut = f"\n… {len(step.action) - MOST_SHOWN:,} more characters" if len(step.action) > MOST_SHOWN else ""
    return (
        f'<div id="step-{number}" style="{style}">{head}{_words(step.action[:MOST_SHOWN] + cut)}'
        f"{_observation(step)}</div>"
    )


def _badge(evidence: list[str], agent: str) -> str:
    if not evidence:
        return ""
    names = ", ".join(plain_line(name, 30) for name in sorted(evidence, key=lambda name: name != agent)[:4])
    more = f" and {len(evidence) - 4} more" if len(evidence) > 4 else ""
    return f'<span style="{_BADGE}">▲ evidence on {markup(names)}{more}</span>'


def _words(text: str) -> str:
    return f'<div style="{_WORDS}{_SCROLL if len(text) > 1_500 else ""}" tabindex="0">{markup(text)}</div>'


def _observation(step: Step) -> str:
    if not step.observation:
        return ""
    cut = f"\n… {len(step.observation) - MOST_SHOWN:,} more characters" if len(step.observation) > MOST_SHOWN else ""
    summary = f"What {markup(plain_line(step.agent_id))} saw"
    body = markup(step.observation[:MOST_SHOWN] + cut)
    return (
        f'<details style="margin-top:0.4rem;"><summary style="opacity:0.75;cursor:pointer;">{summary}</summary>'
        f'<div style="{_WORDS}{_SCROLL}opacity:0.85;" tabindex="0">{body}</div></details>'
    )
