"""The offline writer: obeys instructions in a person's own words, and its critic tells who lost what."""

from __future__ import annotations

from itertools import pairwise
from statistics import mean

import pytest

from langmarl.llm.offline.instructions import read_habits, read_seat
from langmarl.llm.offline.judge import judge
from langmarl.llm.offline.optimizer import Note, gradient_note, merge_notes, rewrite
from langmarl.llm.offline.tasks.skill import EpisodeCase, Message
from langmarl.llm.offline.tasks.writing import SKILL
from tests.llm.offline.briefs import shipped_briefs

LIFT = (
    "Writing task: Write a notice for the residents of an apartment house about the lift, which is being repaired.\n\n"
    "Requirements:\n"
    "- Mention that the lift is out of service from Monday to Thursday\n"
    "- Name the caretaker, Mrs Oduya, and her number, 555-0142\n"
    "- Start with a greeting and finish with a closing line\n"
    "- At most 90 words\n"
    "- Friendly tone\n"
    "- No exclamation marks\n"
    "- Give a concrete example\n"
    "- Address the reader as you\n"
    "- End with a call to action"
)
OUTLINE = Message(
    "agent_1",
    "What the text needs:\n- the lift is out of service from Monday to Thursday\n- the caretaker: Mrs Oduya\n"
    "- her number: 555-0142",
)


def base(position: int, of: int) -> str:
    turn = "speaking first" if position == 1 else "speaking last"
    return f"You are Agent {position} of {of}, {turn}, in a team that writes short texts to a brief."


def policy(position: int, of: int, *instructions: str) -> str:
    return base(position, of) + "\n\n# Learned instructions\n" + "\n".join(f"- {line}" for line in instructions)


def message(policy_text: str, task: str = LIFT, earlier: list[Message] | None = None) -> str:
    seat = read_seat(policy_text)
    return SKILL.act(task, earlier or [], seat, read_habits(policy_text, SKILL.habits, seat))


def written(*instructions: str, earlier: list[Message] | None = None) -> str:
    """What the last of two agents writes under these instructions."""
    return message(policy(2, 2, *instructions), earlier=earlier)


def says(*parts: str):
    return lambda text: all(part in text for part in parts)


def lacks(*parts: str):
    return lambda text: not any(part in text for part in parts)


def at_most(words: int):
    return lambda text: len(text.split()) <= words


COVERED = says("out of service")
VAGUE = lacks("Mrs Oduya", "555-0142")

IN_A_PERSONS_WORDS = [
    ("Go through the requirements one by one and cover each of them.", COVERED),
    ("Tick off every point of the brief.", COVERED),
    ("Whatever is asked for has to be dealt with: answer each demand in turn.", COVERED),
    ("Keep your text within the permitted word count; never exceed the limit.", at_most(90)),
    ("Respect the maximum length.", at_most(90)),
    ("Keep it short.", at_most(90)),
    ("Start with a salutation and sign off politely.", says("Dear residents,", "Kind regards,")),
    ("Greet people before you come to the matter.", says("Dear residents,")),
    ("Strike the tone that was requested.", says("kindness")),
    ("Send nothing but the finished text, without any preamble.", lacks("draft", "version", "attempt", "text:")),
    ("Don't announce what you wrote and don't offer changes.", lacks("draft", "version", "attempt", "text:")),
    ("Use everything Agent 1 has laid out.", lambda text: True),
    ("Say everything only once.", lacks("So this notice")),
    ("Avoid repeating yourself.", lacks("So this notice")),
    ("Cut all filler.", lacks("In today's", "Needless to say", "goes without saying")),
    ("Steer clear of platitudes and stock phrases.", lacks("In today's", "As we all know")),
    ("Close by telling people what to do next.", says("Please ")),
    ("The last sentence must be a call to action.", says("Please ")),
    ("Obey the bans and use the layout that is requested.", lacks("!")),
    ("Talk to the reader directly.", says("You will find")),
    ("Give a concrete example whenever one is wanted.", says("For example")),
]


@pytest.mark.parametrize(("instruction", "obeyed"), IN_A_PERSONS_WORDS)
def test_an_instruction_in_a_persons_own_words_is_obeyed(instruction, obeyed):
    if instruction.startswith("Use everything"):
        assert says("Mrs Oduya", "555-0142", "out of service")(written(instruction, earlier=[OUTLINE]))
        assert VAGUE(written(earlier=[OUTLINE]))
        return
    assert obeyed(written(instruction))
    assert not obeyed(written()), "the bare policy already does this"


CHANGED_MINDS = [
    ("Cover every requirement.", "Do not bother with the requirements.", COVERED),
    ("Never exceed the word limit.", "Don't worry about the word limit.", at_most(90)),
    ("Open with a greeting.", "Skip the greeting.", says("Dear residents,")),
    ("Match the tone.", "Pay no attention to the tone.", says("kindness")),
    ("No preamble.", "Introduce your text with a short comment.", lacks("text:")),
    ("Never repeat yourself.", "Repeat the main message.", lacks("So this notice")),
    ("Avoid filler.", "Pad the text with some filler.", lacks("In today's")),
    ("End with a call to action.", "Do not end with a call to action.", says("Please ")),
    ("Keep to the requested layout.", "Disregard the layout.", lacks("!")),
    ("Address your readers as you.", "Do not address the reader.", says("You will find")),
    ("Give an example.", "No examples.", says("For example")),
]


@pytest.mark.parametrize(("instruction", "negation", "obeyed"), CHANGED_MINDS)
def test_a_later_negation_takes_an_instruction_back(instruction, negation, obeyed):
    assert obeyed(written(instruction))
    assert not obeyed(written(instruction, negation))
    assert obeyed(written(negation, instruction))


def test_details_are_given_only_when_asked_for():
    told = written("Cover every requirement.", "Always put in the names, dates and numbers.")
    untold = written("Cover every requirement.")
    told_not = written(
        "Cover every requirement.", "Build on your teammate's outline.", "Stay vague.", earlier=[OUTLINE]
    )

    assert "Mrs Oduya" in told
    assert VAGUE(untold)
    assert VAGUE(told_not)


def test_told_to_ignore_the_teammate_the_writer_drops_its_outline():
    assert "555-0142" in written("Build on the outline of your teammate.", earlier=[OUTLINE])
    assert "555-0142" not in written("Ignore your teammate's outline.", earlier=[OUTLINE])
    assert "555-0142" not in written("Start from scratch.", earlier=[OUTLINE])


def test_told_against_the_tone_the_writer_strikes_the_opposite_one():
    assert "consequences" in written("Pay no attention to the tone.")


@pytest.mark.parametrize(
    "instruction",
    [
        "List the requirements as an outline instead of drafting the text.",
        "Hand over a plan, not a draft.",
        "Break the brief down into bullet points for the writer.",
        "Draw up a checklist of what must be said.",
        "Set out the points that your teammate has to cover.",
    ],
)
def test_the_first_agent_plans_when_told_to(instruction):
    planned = message(policy(1, 2, instruction))

    assert "- the caretaker" in planned
    assert "- " not in message(base(1, 2))


def test_the_first_agent_told_not_to_plan_writes_a_draft():
    assert "This notice is about the lift" in message(policy(1, 2, "Never make an outline; write the text yourself."))


def test_an_outline_holds_names_and_numbers_only_when_told_to():
    bare = message(policy(1, 2, "List the requirements."))
    full = message(policy(1, 2, "List the requirements.", "Copy the names and numbers."))

    assert "555-0142" not in bare
    assert "555-0142" in full


def test_an_agent_in_the_middle_passes_the_outline_on():
    relayed = message(policy(2, 3, "Build on what your teammate has listed."), earlier=[OUTLINE])

    assert "- the caretaker: Mrs Oduya" in relayed


def test_an_agent_alone_forgets_no_point_once_it_plans_first():
    instructions = ("Cover every requirement.", "Give the names and numbers.")
    hasty = message(policy(1, 1, *instructions))
    careful = message(policy(1, 1, *instructions, "Make an outline before you write."))

    assert "555-0142" not in hasty
    assert "555-0142" in careful
    assert "Dear" not in careful, "an outline made in silence changes nothing else"


def test_every_habit_moves_the_judges_score_on_some_shipped_brief():
    everything = {habit.name: True for habit in SKILL.habits if habit.name not in ("outline", "build")}
    seat = read_seat(base(1, 1))
    for habit in everything:
        without = {**everything, "outline": True, habit: None}
        changed = [
            judge(task, SKILL.act(task, [], seat, {**everything, "outline": True})).score
            - judge(task, SKILL.act(task, [], seat, without)).score
            for task in shipped_briefs()
        ]
        assert max(changed) > 0, habit


def test_only_writing_briefs_are_recognised():
    assert SKILL.recognizes(LIFT)
    assert not SKILL.recognizes("Question: Who wrote it?\n\nPassages:\n[1] A letter\nWriting task: none.")


# ------------------------------------------------------------------------------------------------------- the critic


def case(messages: list[Message], agents: int = 2) -> EpisodeCase:
    found = judge(LIFT, messages[-1].text)
    policies = {f"agent_{place}": base(place, agents) for place in range(1, agents + 1)}
    return EpisodeCase(LIFT, None, found.score, {"reasons": found.reasons}, policies, messages)


GOOD = (
    "Dear residents,\n\nYou will have noticed that the lift is out of service from Monday to Thursday. If you need a "
    "hand, for example with shopping or a heavy pram, our caretaker, Mrs Oduya, is happy to help you. Please ring her "
    "on 555-0142.\n\nThank you for your patience,\nYour house management"
)


def test_the_critic_sends_each_agent_its_own_share_of_the_blame():
    findings = SKILL.diagnose(case([Message("agent_1", "I wonder."), Message("agent_2", written())]))

    assert set(findings) == {"agent_1", "agent_2"}
    assert all(-1 <= finding.credit < 0 for finding in findings.values())
    assert "should" in findings["agent_1"].feedback
    assert findings["agent_1"].feedback != findings["agent_2"].feedback
    assert findings["agent_1"].evidence == [0]
    assert findings["agent_2"].evidence == [1]


def test_a_planner_is_not_blamed_for_what_the_writer_dropped():
    findings = SKILL.diagnose(case([OUTLINE, Message("agent_2", written("Send the text only."))]))

    assert findings["agent_1"].credit > 0 > findings["agent_2"].credit


def test_a_complete_text_earns_credit_and_is_told_to_go_on():
    findings = SKILL.diagnose(case([OUTLINE, Message("agent_2", GOOD)]))

    assert findings["agent_2"].credit > 0.9
    assert "keep" in findings["agent_2"].feedback or "go on" in findings["agent_2"].feedback


@pytest.mark.parametrize("agents", [1, 2, 3, 5])
def test_every_agent_of_a_team_of_any_size_gets_a_finding(agents):
    messages = [Message(f"agent_{place}", "Let us see.") for place in range(1, agents + 1)]

    assert len(SKILL.diagnose(case(messages, agents))) == agents


def test_the_critics_advice_holds_no_fact_of_the_brief():
    """The optimizer keeps sentences of advice; what belongs to one brief only must not get into a policy."""
    tasks = shipped_briefs()
    for task in tasks:
        episode = EpisodeCase(task, None, 0.1, {}, {"agent_1": base(1, 2), "agent_2": base(2, 2)})
        episode.messages = [Message("agent_1", "I wonder."), Message("agent_2", message(base(2, 2), task))]
        for finding in SKILL.diagnose(episode).values():
            note = gradient_note(finding.feedback)
            assert note
            assert "“" not in note
            assert "final text says" not in note


# ------------------------------------------------------------------------------------------------------- learning


def train(iterations: int, swapped: bool = False, blank: bool = False) -> list[float]:
    """Mean score after each iteration of a team of two: episodes, notes, merged notes, rewritten policies."""
    learned = {"agent_1": "", "agent_2": ""}
    tasks = shipped_briefs()
    scores: list[float] = []
    for iteration in range(iterations + 1):
        policies = {
            agent: base(place, 2) + (f"\n\n# Learned instructions\n{learned[agent]}" if learned[agent] else "")
            for place, agent in enumerate(learned, 1)
        }
        notes: dict[str, list[Note]] = {agent: [] for agent in learned}
        rewards = []
        for number, task in enumerate(tasks):
            first = Message("agent_1", message(policies["agent_1"], task))
            last = Message("agent_2", message(policies["agent_2"], task, [first]))
            found = judge(task, last.text)
            rewards.append(found.score)
            if number % 4 != iteration % 4:
                continue
            findings = SKILL.diagnose(EpisodeCase(task, None, found.score, {}, policies, [first, last]))
            for agent, other in (("agent_1", "agent_2"), ("agent_2", "agent_1")):
                finding = findings[other if swapped else agent]
                notes[agent].append(Note(gradient_note("" if blank else finding.feedback), finding.credit))
        scores.append(mean(rewards))
        learned = {agent: rewrite(learned[agent], merge_notes(notes[agent]), 4000) for agent in learned}
    return scores


def test_training_on_the_critics_words_raises_the_score_step_by_step():
    scores = train(5)

    assert scores[5] - scores[0] >= 0.4
    assert scores[1] < scores[3] < scores[5]
    assert max(later - earlier for earlier, later in pairwise(scores)) < 0.6


def test_without_the_critics_words_or_with_another_agents_the_gain_is_lost():
    honest = train(5)
    gain = honest[5] - honest[0]

    assert train(5, blank=True)[5] - honest[0] == pytest.approx(0)
    assert train(5, swapped=True)[5] - honest[0] < gain / 2
