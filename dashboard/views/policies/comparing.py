"""Each agent's policy at two checkpoints, what changed, and why it did or did not."""

from __future__ import annotations

import streamlit as st

from dashboard.links import run_link
from dashboard.queries.policies import History, Update, policies_archive, read_proposal
from dashboard.text import plain_line, show_code, show_message, show_text
from dashboard.theme import agent_color
from dashboard.views.chips import agent_chip
from dashboard.views.policies.choosing import LAYOUTS, Choice
from dashboard.worddiff import (
    count_words,
    diff_words,
    inline_html,
    side_by_side_html,
    without_same,
)
from langmarl.store import RunDirectory
from langmarl.store.layout import safe_name

MOST_SHOWN = 200_000
"""Characters of one policy that are compared and shown; the download has the rest."""
_HEIGHT = 560


def compare(run: RunDirectory, history: History, choice: Choice) -> None:
    """One box an agent."""
    for problem in dict.fromkeys([*choice.before.problems, *choice.after.problems]):
        show_message(problem, "warning")
    for agent in choice.agents:
        with st.container(border=True, key=f"policies-agent-{choice.every_agent.index(agent)}"):
            _agent(run, history, choice, agent)
    if choice.after.texts:
        st.download_button(
            f"Download all policies of checkpoint {choice.new}",
            data=lambda: policies_archive(run.run_id, choice.new, choice.after.texts),
            file_name=f"{run.run_id}_checkpoint_{choice.new}.zip",
            mime="application/zip",
            key="policies-download-all",
            on_click="ignore",
            icon="⬇️",
        )


def _agent(run: RunDirectory, history: History, choice: Choice, agent: str) -> None:
    before, after = choice.before.texts.get(agent), choice.after.texts.get(agent)
    shown_before, shown_after = (before or "")[:MOST_SHOWN], (after or "")[:MOST_SHOWN]
    blocks = diff_words(shown_before, shown_after)
    words = count_words(blocks)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.html(agent_chip(agent, agent_color(agent), _headline(choice, before, after, words.added, words.removed)))
        if after is not None:
            _download(run.run_id, choice, agent, after)
    _outcome(run, history, choice, agent)
    if max(len(before or ""), len(after or "")) > MOST_SHOWN:
        show_message(f"Only the first {MOST_SHOWN:,} characters are compared.", "warning", remedy="Download the rest.")
    if choice.layout == LAYOUTS[2]:
        show_code(shown_after, height=_HEIGHT if len(shown_after) > 4_000 else None)
        return
    if choice.only_changes:
        blocks = without_same(blocks)
    titles = (f"Checkpoint {choice.old}", f"Checkpoint {choice.new}")
    if choice.layout == LAYOUTS[0]:
        st.html(side_by_side_html(blocks, *titles, max_height=_HEIGHT))
    else:
        st.html(inline_html(blocks, max_height=_HEIGHT))


def _headline(choice: Choice, before: str | None, after: str | None, added: int, removed: int) -> str:
    if before is None or after is None:
        missing = choice.old if before is None else choice.new
        return f"no readable policy in checkpoint {missing}"
    length = f"{len(before):,} → {len(after):,} characters"
    if before == after:
        return f"the same in checkpoints {choice.old} and {choice.new} · {len(after):,} characters"
    return f"+{added:,} words · −{removed:,} words · {length}"


def _download(run_id: str, choice: Choice, agent: str, text: str) -> None:
    st.download_button(
        "Download",
        data=text.encode("utf-8", "surrogatepass"),
        file_name=f"{run_id}_checkpoint_{choice.new}_{safe_name(agent)}.txt",
        mime="text/plain",
        key=f"policies-download-{choice.every_agent.index(agent)}",
        on_click="ignore",
        help="This agent's policy of the newer checkpoint, byte for byte.",
        icon="⬇️",
    )


def _outcome(run: RunDirectory, history: History, choice: Choice, agent: str) -> None:
    """The update that led to the newer checkpoint: accepted, or why not."""
    iteration = choice.new - 1
    update = history.update(iteration, agent) if iteration >= 0 else None
    if update is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        show_text(outcome_sentence(update))
        run_link(
            "feedback",
            run.run_id,
            text="What led to it",
            iteration=iteration,
            agent=agent,
            help="The episodes, the critic's words and the gradients of that iteration.",
        )
    if update.outcome == "refused":
        _proposal(run, choice, agent, iteration)


def outcome_sentence(update: Update) -> str:
    """One sentence on an update."""
    sentences = {
        "accepted": f"✓ The update of iteration {update.iteration} was accepted.",
        "refused": f"✕ The update of iteration {update.iteration} was refused: {update.why}.",
        "reverted": f"↩ Instead of an update, iteration {update.iteration} went {update.why}.",
    }
    return plain_line(sentences[update.outcome], 600)


def _proposal(run: RunDirectory, choice: Choice, agent: str, iteration: int) -> None:
    place = choice.every_agent.index(agent)
    refused = st.expander("The policy that was refused", key=f"policies-refused-{place}", on_change="rerun")
    if not refused.open:
        return
    with refused:
        proposal = read_proposal(run, iteration, agent)
        if proposal.problem is not None:
            show_message(proposal.problem, "warning")
        elif proposal.text is None:
            st.text("The model gave no policy.")
        else:
            blocks = diff_words(choice.after.texts.get(agent, "")[:MOST_SHOWN], proposal.text[:MOST_SHOWN])
            words = count_words(blocks)
            st.text(f"Against the policy that stayed: +{words.added:,} words, −{words.removed:,} words.")
            st.html(inline_html(blocks, max_height=_HEIGHT))
