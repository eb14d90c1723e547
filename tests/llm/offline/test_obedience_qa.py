"""Instructions in people's own words change what the reader does, and their negations do not or undo it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.llm.offline.qa_instructions import PAIRS
from tests.llm.offline.reading_tasks import FIRST, HARBOUR, LAST, PASSAGES, say, task

QUOTING = "Quote the exact sentences that hold the evidence."
BARE = "Answer with the bare name or phrase only."
FITTING = "Give the kind of answer that the question asks for."
TRUSTING = "Use the evidence in your teammate's message."
EVIDENCE = (
    'Harrow Museum: "It was founded in 1911 by Edith Vale."\n'
    'Edith Vale: "She was born in Tolsey, where her father kept a ferry."'
)
YES_NO_TASK = task("Is the Harrow Museum a museum of clocks?")
COMPARISON = task("Which museum is older, the Harrow Museum or the Marlow Museum?")
STRANGE = task("Who composed the opera Lantern Hall?", {"Penmoor": HARBOUR})
NAMING = task("Who never sold a clock that could be repaired?")


@dataclass(frozen=True)
class Trial:
    """A situation in which a habit shows.

    Attributes:
        base: The seat.
        context: Other instructions, so that the habit has something to work on.
        task: What is asked.
        shows: Whether a reply shows the habit.
        earlier: Message of the agent before.
    """

    base: str
    context: str
    task: str
    shows: Callable[[str], bool]
    earlier: str | None = None


def quotes(text: str, title: str) -> bool:
    return any(sentence in text for sentence in PASSAGES[title].split(". ")[:1])


TRIALS = {
    "short": Trial(LAST, TRUSTING, task(), lambda text: len(text.split()) <= 4, EVIDENCE),
    "quote": Trial(FIRST, "", task(), lambda text: quotes(text, "Harrow Bridge")),
    "source": Trial(FIRST, QUOTING, task(), lambda text: any(title in text.split('"')[0] for title in PASSAGES)),
    "follow_link": Trial(
        FIRST,
        f"{QUOTING} Start from the most relevant passage.",
        task(),
        lambda text: quotes(text, "Edith Vale") and quotes(text, "Harrow Museum"),
    ),
    "read_all": Trial(FIRST, QUOTING, task(), lambda text: "Harrow Bridge was built" not in text),
    "match_kind": Trial(LAST, f"{TRUSTING} {BARE}", task(), lambda text: text.startswith("Tolsey"), EVIDENCE),
    "yes_no": Trial(LAST, "", YES_NO_TASK, lambda text: text in ("yes", "no")),
    "use_evidence": Trial(LAST, f"{BARE} {FITTING}", task(), lambda text: text.startswith("Tolsey"), EVIDENCE),
    "compare": Trial(
        FIRST, QUOTING, COMPARISON, lambda text: quotes(text, "Harrow Museum") and quotes(text, "Marlow Museum")
    ),
    "defer": Trial(FIRST, "", task(), lambda text: "guess" not in text),
    "check": Trial(
        LAST,
        f"{TRUSTING} {BARE} {FITTING}",
        task(),
        lambda text: text.startswith("Tolsey"),
        f"{EVIDENCE}\nMy guess at the answer is: Harrow",
    ),
    "admit": Trial(LAST, "", STRANGE, lambda text: "unknown" in text),
    "full_name": Trial(
        LAST,
        f"{BARE} {TRUSTING}",
        NAMING,
        lambda text: text == "Edith Vale",
        '"Vale never sold a clock that she could repair."',
    ),
}


def reply(trial: Trial, instruction: str) -> str:
    return say(trial.base, f"{trial.context} {instruction}".strip(), trial.task, trial.earlier)


@pytest.mark.parametrize("habit", sorted(TRIALS))
def test_a_bare_reader_shows_none_of_the_habits(habit: str) -> None:
    assert not TRIALS[habit].shows(reply(TRIALS[habit], ""))


@pytest.mark.parametrize(("habit", "instruction", "negation"), PAIRS)
def test_an_instruction_is_obeyed(habit: str, instruction: str, negation: str) -> None:
    assert TRIALS[habit].shows(reply(TRIALS[habit], instruction))


@pytest.mark.parametrize(("habit", "instruction", "negation"), PAIRS)
def test_its_negation_is_obeyed_too(habit: str, instruction: str, negation: str) -> None:
    assert not TRIALS[habit].shows(reply(TRIALS[habit], negation))


def test_there_are_thirty_instructions_and_more_and_every_habit_is_among_them() -> None:
    assert len(PAIRS) >= 30
    assert {habit for habit, _, _ in PAIRS} == set(TRIALS)


def test_the_later_of_two_contrary_instructions_wins() -> None:
    trial = TRIALS["short"]
    assert trial.shows(reply(trial, "Write in full sentences. Be brief."))
    assert not trial.shows(reply(trial, "Be brief. Write in full sentences."))
