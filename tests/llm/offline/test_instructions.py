"""The grammar that policies are read by: negation, contrast, who is addressed, what wins."""

from __future__ import annotations

import pytest

from langmarl.envs.language.rendering import base_policy
from langmarl.llm.offline.instructions import Cue, Habit, Seat, concept, phrases, read_habits, read_seat
from langmarl.llm.offline.tasks import SKILLS, skill

FIRST, LAST, ALONE = Seat("agent_1", 1, 2), Seat("agent_2", 2, 2), Seat("agent_1", 1, 1)
LAMP = Habit("lamp", "The lamp is lit.", (Cue((concept("lamp"),)), Cue((concept("darkness"),), -1)))
SHELF = Habit("shelf", "Books go on the shelf.", (Cue((concept("put stack"), concept("shelf")), near=6),))
BELL = Habit("bell", "The bell is rung.", (Cue((phrases("front bell"),), unless=concept("photograph")),))


def told(text: str, seat: Seat = FIRST) -> bool | None:
    return read_habits(text, [LAMP], seat)["lamp"]


@pytest.mark.parametrize(
    "text",
    [
        "Light the lamp.",
        "You must not forget to light the lamp.",
        "Never leave out the lamp.",
        "Don't hesitate to light the lamps.",
        "Do not read, but light the lamp.",
        "Light the lamp rather than the stove.",
        "Not only sweep the floor but also light the lamp.",
        "Do not leave before lighting the lamp.",
        "Darkness should be avoided.",
        "Darkness is not wanted.",
        "Work without darkness.",
        "Instead of the stove, light the lamp.",
        "You shouldn't sit in darkness.",
        "Nothing but the lamp is lit.",
        "- **Light the lamp**",
        "A lamp is what I want, not a candle.",
        "Too much darkness spoils the eyes.",
        "The lamp mustn't be forgotten.",
    ],
)
def test_the_habit_is_asked_for(text: str) -> None:
    assert told(text) is True


@pytest.mark.parametrize(
    "text",
    [
        "Do not light the lamp.",
        "Never light any lamps.",
        "Light the stove instead of the lamp.",
        "Leave the lamp out.",
        "A lamp is unnecessary.",
        "Lamps should not be used.",
        "There is no need to light a lamp.",
        "Avoid stoves, candles or lamps.",
        "Refrain from lighting the lamp.",
        "You needn't light the lamp.",
        "Don't just light the lamp.",
        "Darkness is welcome.",
        "Prefer a candle over a lamp.",
        "Stop lighting the lamp.",
        "Light anything but the lamp.",
        "I do not want a stove, a candle or a lamp.",
        "It is pointless to light the lamp.",
    ],
)
def test_the_habit_is_asked_against(text: str) -> None:
    assert told(text) is False


def test_what_is_not_mentioned_is_neither() -> None:
    assert told("Sweep the floor.") is None


def test_reasons_are_not_instructions() -> None:
    assert told("Sweep the floor because the lamp gives little light.") is None


def test_the_later_instruction_wins() -> None:
    assert told("Light the lamp. Do not light the lamp.") is False
    assert told("Do not light the lamp. Light the lamp.") is True


def test_a_clause_is_negated_by_itself() -> None:
    assert told("Do not sweep, and light the lamp.") is True
    assert told("Sweep the floor and do not light the lamp.") is False


@pytest.mark.parametrize(
    "text",
    [
        "Agent 2 should light the lamp.",
        "Agent 2: light the lamp.",
        "Whoever speaks last should light the lamp.",
        "Your teammate must light the lamp.",
        "If you speak last, light the lamp.",
        "Agent 2 should come in. It should light the lamp.",
        "Sweep the floor, and the last agent should light the lamp.",
        "## For Agent 2\n- Come in.\n- Light the lamp.",
        "Unless you speak first, light the lamp.",
    ],
)
def test_a_word_to_the_last_agent_is_for_the_last_agent_alone(text: str) -> None:
    assert told(text, FIRST) is None
    assert told(text.replace("Your teammate", "Agent 2"), LAST) is True


@pytest.mark.parametrize(
    "text", ["Both agents should light the lamp.", "Everyone must light the lamp.", "Light the lamp."]
)
def test_a_word_to_all_is_for_each(text: str) -> None:
    assert told(text, FIRST) is told(text, LAST) is True


def test_an_agent_alone_is_first_and_last() -> None:
    assert told("If you speak first, light the lamp.", ALONE) is True
    assert told("Whoever speaks last should light the lamp.", ALONE) is True


def test_the_words_of_a_cue_must_stand_near_each_other() -> None:
    far = "Put the kettle on the stove and the cups that you find in the kitchen beside the shelf"
    assert read_habits("Stack the books on the shelf.", [SHELF], FIRST)["shelf"] is True
    assert read_habits(far, [SHELF], FIRST)["shelf"] is None


def test_a_cue_is_silent_where_its_exception_stands() -> None:
    assert read_habits("Ring the front bell.", [BELL], FIRST)["bell"] is True
    assert read_habits("Photograph the front bell.", [BELL], FIRST)["bell"] is None


@pytest.mark.parametrize("name", SKILLS)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_base_policy_asks_for_no_habit(name: str, count: int) -> None:
    for number in range(1, count + 1):
        policy = base_policy(name, number, count)
        told_there = read_habits(policy, skill(name).habits, read_seat(policy))
        assert set(told_there.values()) == {None}, told_there


def test_hints_count_only_where_no_cue_of_any_habit_fits() -> None:
    glow = Habit("glow", "Something glows.", (Cue((concept("glow"),)),), hints=(Cue((concept("stove"),)),))
    assert read_habits("Heat the stove.", [LAMP, glow], FIRST) == {"lamp": None, "glow": True}
    assert read_habits("Put the lamp by the stove.", [LAMP, glow], FIRST) == {"lamp": True, "glow": None}


def test_the_seat_is_read_from_the_policy() -> None:
    assert read_seat("You are Agent 2 of 3 in a team that sings.") == Seat("agent_2", 2, 3)
    assert read_seat("You are the only agent of a team that sings.") == ALONE
    assert read_seat("Sing.") == ALONE
