"""The optimizer works on the critic's words alone."""

from __future__ import annotations

import pytest

from langmarl.llm.offline.optimizer import NOTHING, Note, gradient_note, merge_notes, rewrite
from langmarl.llm.offline.words import stems

ADVICE = "The kettle boiled over. You should watch the kettle while it heats. Next time, never leave the kitchen."


def test_a_note_says_what_the_critic_advised_and_nothing_else() -> None:
    assert gradient_note(ADVICE) == "Watch the kettle while it heats. Never leave the kitchen."


@pytest.mark.parametrize(
    ("words", "note"),
    [
        ("This agent should not whistle.", "Do not whistle."),
        ("It must label its jars.", "Label your jars."),
        ("Keep stirring slowly.", "Keep stirring slowly."),
        ("You need to taste the soup before serving.", "Taste the soup before serving."),
        ("When the lid rattles, you should lower the flame.", "When the lid rattles, lower the flame."),
        ("The team ought to share one knife.", "Share one knife."),
        ("The spoon should be of wood.", "The spoon should be of wood."),
        ("You should have tasted the soup.", "You should have tasted the soup."),
    ],
)
def test_advice_is_turned_into_instructions(words: str, note: str) -> None:
    assert gradient_note(words) == note


@pytest.mark.parametrize("words", ["", "   ", "The kettle boiled over.", "The soup was good and everybody liked it."])
def test_without_advice_there_is_nothing_to_say(words: str) -> None:
    assert gradient_note(words) == NOTHING
    assert merge_notes([Note(gradient_note(words), -1.0)] * 5) == NOTHING
    assert rewrite("", NOTHING, 4000) == ""


def test_every_word_of_a_note_comes_from_the_critic() -> None:
    assert set(stems(gradient_note(ADVICE))) <= set(stems(ADVICE))


def test_what_many_notes_say_is_kept_and_what_one_says_is_dropped() -> None:
    notes = [Note("Watch the kettle while it heats.", -0.5)] * 3
    notes += [Note("Watch the kettle closely.", -0.5), Note("Buy a canary.", -0.5)]
    merged = merge_notes(notes)
    assert "Watch the kettle while it heats. (4 of 5 notes)" in merged
    assert "canary" not in merged


def test_of_two_contrary_notes_the_one_with_more_support_stays() -> None:
    merged = merge_notes([Note("Salt the soup.", -0.5)] * 3 + [Note("Do not salt the soup.", -0.5)] * 2)
    assert "Salt the soup." in merged
    assert "Do not salt" not in merged


def test_lost_episodes_weigh_more_than_won_ones() -> None:
    notes = [Note("Sing at work.", 0.9)] * 5 + [Note("Sharpen the knives.", -0.9)] * 4
    assert merge_notes(notes).index("Sharpen") < merge_notes(notes).index("Sing")


def test_a_rewrite_adds_what_is_new_and_repeats_nothing() -> None:
    learned = rewrite(
        "- Watch the kettle while it heats.", "- Watch the kettle. (3 of 5 notes)\n- Salt the soup.", 4000
    )
    assert learned == "- Watch the kettle while it heats.\n- Salt the soup."


def test_a_rewrite_drops_what_the_note_contradicts() -> None:
    assert (
        rewrite("- Salt the soup.\n- Stir slowly.", "Do not salt the soup.", 4000)
        == "- Stir slowly.\n- Do not salt the soup."
    )


def test_at_the_limit_the_oldest_gives_way() -> None:
    learned = rewrite("- Watch the kettle.\n- Stir slowly.", "Salt the soup at the very end.", 50)
    assert learned == "- Stir slowly.\n- Salt the soup at the very end."
    assert len(learned) <= 50
