"""What the critic said, the gradient made of it, the merged gradient, and the policy that came of it."""

from __future__ import annotations

import streamlit as st

from dashboard.links import run_link
from dashboard.queries.feedback import EpisodeDetail, Judgement, Lesson, read_lesson
from dashboard.queries.policies import read_policies
from dashboard.text import markup, plain_line, show_message, show_text
from dashboard.theme import BLUE, VERMILLION, agent_color
from dashboard.views.chips import agent_chip
from dashboard.views.feedback.choosing import Choice
from dashboard.worddiff import count_words, diff_words, inline_html, without_same
from langmarl.store import RunDirectory
from langmarl.store.layout import TEAM

STAGES = ("Critic", "Gradient", "Merged", "Policy")
_MOST_SHOWN = 20_000
_HEIGHT = 520
_WORDS = "white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5;margin:0.4rem 0;"


def show_judgement(run: RunDirectory, choice: Choice, detail: EpisodeDetail) -> None:
    """Four stages from the critic's words to the policy, one click from each other."""
    st.subheader("What was learnt from it", anchor=False)
    stage = st.segmented_control(
        "Stage",
        STAGES,
        required=True,
        default=STAGES[0],
        key="feedback-stage",
        label_visibility="collapsed",
        persist_state="session",
    )
    if stage == STAGES[0] or stage is None:
        _critic(choice, detail)
        return
    lesson = read_lesson(run, choice.iteration, choice.episode, choice.agent)
    for problem in lesson.problems:
        show_message(problem, "warning")
    st.html(agent_chip(choice.agent, agent_color(choice.agent), _about(lesson)))
    if stage == STAGES[1]:
        _gradient(choice, detail, lesson)
    elif stage == STAGES[2]:
        _merged(lesson)
    else:
        _policy_change(run, choice, lesson)


def _about(lesson: Lesson) -> str:
    return "the notes are about the whole team" if lesson.subject == TEAM else ""


def _critic(choice: Choice, detail: EpisodeDetail) -> None:
    if detail.raw_response is None:
        show_message(_why_not_judged(detail), "info")
        return
    if detail.critic_problem is not None:
        show_message(
            f"The critic's answer could not be used as it is: {detail.critic_problem[:2_000]}",
            "warning",
            remedy="Its reply stands below. An agent without an assessment gets no gradient from this episode.",
        )
    known = [*detail.judgements] or choice.agents
    for agent in sorted(known, key=lambda name: name != choice.agent):
        st.html(_judgement_card(agent, detail.judgements.get(agent), len(detail.steps), chosen=agent == choice.agent))


def _why_not_judged(detail: EpisodeDetail) -> str:
    if detail.failure is not None:
        return "The episode failed, so there was nothing to judge."
    return "The critic has not judged this episode: it is not its turn yet, or it is outside of the mini-batch."


def _judgement_card(agent: str, said: Judgement | None, steps: int, *, chosen: bool) -> str:
    color = agent_color(agent)
    style = f"border:1px solid rgba(128,128,128,0.35);border-left:4px solid {color};border-radius:6px;"
    style += f"padding:0.6rem 0.9rem;margin-bottom:0.6rem;{'' if chosen else 'opacity:0.85;'}"
    name = f"<strong>{markup(plain_line(agent))}</strong>"
    if said is None:
        missing = (
            '<span style="border:1px dashed currentColor;border-radius:10px;padding:0 0.5em;">no usable answer</span>'
        )
        return f'<div style="{style}">{name} {missing}</div>'
    words = said.feedback[:_MOST_SHOWN] + ("…" if len(said.feedback) > _MOST_SHOWN else "")
    return (
        f'<div style="{style}"><div style="display:flex;gap:0.8em;align-items:center;flex-wrap:wrap;">{name}'
        f"{_credit_bar(said.credit)}</div>"
        f'<div style="{_WORDS}">{markup(words)}</div>'
        f"{_evidence(said, steps)}</div>"
    )


def _credit_bar(credit: float) -> str:
    """The number, and a bar that goes left from the middle for blame and right for merit."""
    color = VERMILLION if credit < 0 else BLUE
    left = 50 + 50 * min(credit, 0)
    bar = (
        '<span aria-hidden="true" style="position:relative;display:inline-block;width:110px;height:10px;'
        'background:rgba(128,128,128,0.2);border-radius:3px;">'
        f'<span style="position:absolute;left:{left:.0f}%;width:{50 * abs(credit):.0f}%;height:10px;'
        f'background:{color};border-radius:2px;"></span>'
        '<span style="position:absolute;left:50%;width:1px;height:10px;background:currentColor;"></span></span>'
    )
    return f"<span>credit <strong>{credit:+.2f}</strong></span>{bar}"


def _evidence(said: Judgement, steps: int) -> str:
    if not said.evidence:
        return '<div style="opacity:0.7;">rests on no step in particular</div>'
    links = ", ".join(
        f'<a href="#step-{step}">{step}</a>' if 0 <= step < steps else str(step) for step in said.evidence[:50]
    )
    return f'<div style="opacity:0.85;">▲ rests on step{"s" if len(said.evidence) > 1 else ""} {links}</div>'


def _gradient(choice: Choice, detail: EpisodeDetail, lesson: Lesson) -> None:
    if lesson.note is not None:
        show_text(lesson.note[:_MOST_SHOWN], height=_HEIGHT if len(lesson.note) > 3_000 else None)
    elif lesson.note_problem is not None:
        show_message(f"There is no usable note: {lesson.note_problem[:2_000]}", "warning")
    elif detail.raw_response is not None and detail.judgements.get(choice.agent) is None:
        show_message("The critic's answer could not be used for this agent, so no gradient was made of it.", "warning")
    else:
        show_message("No gradient was made of this episode.", "info")


def _merged(lesson: Lesson) -> None:
    if lesson.merged is not None:
        count = len(lesson.merged_from)
        st.text(f"Made of the notes on {count} episode{'' if count == 1 else 's'} of this iteration.")
        show_text(lesson.merged[:_MOST_SHOWN], height=_HEIGHT if len(lesson.merged) > 3_000 else None)
    elif lesson.merged_problem is not None:
        show_message(f"There is no merged gradient: {lesson.merged_problem[:2_000]}", "warning")
    else:
        show_message("The notes of this iteration have not been merged.", "info")


def _policy_change(run: RunDirectory, choice: Choice, lesson: Lesson) -> None:
    old, new = choice.iteration, choice.iteration + 1
    if lesson.accepted is False:
        show_message(f"The new policy was refused: {(lesson.reason or 'no reason was recorded')[:2_000]}.", "warning")
    if new not in run.checkpoints.iterations():
        show_message("This iteration is not finished: its policies are not written yet.", "info")
        return
    before = read_policies(run, old).texts.get(choice.agent) if old in run.checkpoints.iterations() else None
    after = read_policies(run, new).texts.get(choice.agent)
    if before is None or after is None:
        show_message("One of the two policies cannot be read.", "warning")
        return
    if before == after:
        st.text(f"The policy is the same in checkpoints {old} and {new}.")
    else:
        blocks = diff_words(before[:_MOST_SHOWN], after[:_MOST_SHOWN])
        words = count_words(blocks)
        st.text(f"+{words.added:,} words, −{words.removed:,} words from checkpoint {old} to {new}")
        st.html(inline_html(without_same(blocks), max_height=_HEIGHT))
    run_link(
        "policies",
        run.run_id,
        text="Compare on the Policies page",
        agent=choice.agent,
        help="Whole policies, side by side.",
        **{"from": old, "to": new},
    )
