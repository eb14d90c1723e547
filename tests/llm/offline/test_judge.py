"""The offline judge gives any text a fair score by its rules, whoever wrote it."""

from __future__ import annotations

import json

import pytest

from langmarl.llm.offline.judge import judge
from langmarl.llm.offline.tasks.writing.brief import Kind, read_requirement
from tests.llm.offline.briefs import render, shipped_briefs

# Texts written by hand for the shipped briefs, by the first words of their task.
BY_HAND = {
    "Write a notice for the residents": """Dear residents,

The lift is being repaired and will be out of service from Monday to Thursday. If you need a hand with shopping or a
pram, please ring our caretaker, Mrs Oduya, on 555-0142. She is happy to help.

Thank you for your patience,
Your house management""",
    "Write a thank-you note": """Hello Sam,

Thank you so much for looking after Biscuit and Juno! I laughed out loud at your photo of Juno asleep in the sink. It
was lovely to know that they were in such kind hands.

Love,
Petra""",
    "Write a short product description": """You bought too much again? Then hitch this trailer to your bicycle. It
weighs only 6.8 kilograms and carries a load of up to 40 kilograms: for example, two crates of water and a week of
groceries. When you get home, it folds flat in ten seconds and hangs behind your door.""",
    "Write an apology e-mail": """Dear Mr Paul,

We apologise for the late arrival of your garden chairs. One of our lorries broke down near the depot, and your order
had to wait for another. We would like to refund the delivery charge of 9 euros; it will reach your account this week.

Yours sincerely,
Garden & Oak""",
    "Write a short unrhymed poem": """Fog folds the harbour into wool;
a gull asks where the water went,
and a bell replies, twice.""",
    "Write a safety instruction": """1. Put on a helmet and fasten the strap.
2. Step into your harness and pull it tight.
3. Do the partner check: look at each other's buckles and knots.
4. If a hold is loose, leave the wall and call a trainer.
Climb only when your partner says go.""",
    "Write a description of a walk": """You start at the ruined mill, where the path drops to the river Isk, and cross
halfway by the chain ferry. The round of 8 kilometres takes you about two and a half hours at an easy pace. In spring
you can see, for example, kingfishers carrying fish to their nests in the steep bank.""",
    "Write a reply to a guest": """Dear Ms Roth,

I am sorry that your soup was cold. The kitchen now warms the bowls before serving. I would be glad to invite you to a
dessert, free of charge, on your next visit.

Kind regards,
Karim Aziz, head chef""",
    "Write four lines of verse": """Your garden hums from May to fall,
and honey shines along the wall;
with love we bring this small bouquet
to you, dear heart, on your birthday.""",
    "Write a short news item": """Goat takes the slow train

A stray goat was found in a railway carriage at Elmbridge station on Tuesday. The guard, Yusuf Hale, noticed it when it
began to eat a timetable. The animal was handed over to its owner the same evening.""",
}
LAZY = [
    "I don't know.",
    "Sure! Here is a draft of the text.",
    "This is a text about the topic.",
    "Dear reader, thank you very much. Please be kind. Best regards",
    "In today's world, there are many aspects to consider, and each of them plays an important role.",
    "word word word word word word word word word word word word word word",
]


def task(opening: str) -> str:
    return next(brief for brief in shipped_briefs() if brief.startswith(f"Writing task: {opening}"))


@pytest.mark.parametrize("opening", BY_HAND)
def test_a_good_text_by_a_person_scores_high(opening):
    found = judge(task(opening), BY_HAND[opening])

    assert found.score >= 0.9, found.reasons


@pytest.mark.parametrize("text", LAZY)
def test_a_lazy_text_scores_low_on_every_shipped_brief(text):
    for brief in shipped_briefs():
        assert judge(brief, text).score < 0.5, brief


def test_a_text_for_another_brief_scores_low():
    for opening, text in BY_HAND.items():
        for other in BY_HAND:
            if other != opening:
                assert judge(task(other), text).score < 0.65, (opening, other)


@pytest.mark.parametrize("text", ["", "   \n "])
def test_an_empty_text_scores_nothing(text):
    assert all(judge(brief, text).score == 0 for brief in shipped_briefs())


def test_copying_the_requirements_is_not_writing():
    for brief in shipped_briefs():
        plan = "What the text needs:\n" + brief.partition("Requirements:\n")[2]
        assert judge(brief, plan).score < 0.2


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (lambda text: "Sure! Here is a draft of the notice:\n\n" + text, "itself"),
        (lambda text: text + "\n\nLet me know if you would like any changes.", "itself"),
        (
            lambda text: text + "\n\nThe lift is being repaired and will be out of service from Monday to Thursday.",
            "repeats",
        ),
        (
            lambda text: text.replace("The lift", "In today's fast-paced world, it matters. As we all know, the lift"),
            "stock",
        ),
        (lambda text: text.replace("555-0142", "the usual number"), "her number"),
        (lambda text: text.replace("Dear residents,", ""), "greet"),
        (
            lambda text: text + " The stairs are open as usual." + " The stairs were swept on Sunday night" * 12,
            "too long",
        ),
        (lambda text: text.replace("Thank you for your patience,\nYour house management", ""), "closing"),
    ],
)
def test_each_flaw_costs_and_is_named(spoil, word):
    brief = task("Write a notice for the residents")
    good = BY_HAND["Write a notice for the residents"]
    spoiled = judge(brief, spoil(good))

    assert spoiled.score < judge(brief, good).score
    assert word in spoiled.reasons


def test_the_same_text_always_gets_the_same_score_and_a_valid_reply():
    brief = shipped_briefs()[0]
    first, second = judge(brief, LAZY[3]), judge(brief, LAZY[3])

    assert first == second
    assert json.loads(first.to_json()) == {"score": first.score, "reasons": first.reasons}
    assert 0 <= first.score <= 1


def test_the_wording_is_free_as_long_as_the_facts_are_there():
    brief = render("Write a note about the trip.", ["Give the distance, 12 kilometres", "Mention the old stone bridge"])

    assert judge(brief, "We walked twelve km in all and rested on the bridge of old stones by the river.").score >= 0.9
    assert judge(brief, "We walked a long way in all and rested on a bench near the river for a while.").score < 0.5


def test_a_brief_without_requirements_is_judged_by_its_subject_and_conduct():
    brief = "Writing task: Write a note about the broken gate in the garden."

    assert judge(brief, "The gate in the garden is broken, so please lift it when you open it.").score >= 0.9
    assert judge(brief, "Dinner will be served at eight, and there is going to be rice with fish.").score < 0.5


@pytest.mark.parametrize(
    ("requirement", "kinds"),
    [
        ("No more than 80 words", [Kind.LENGTH]),
        ("Use fewer than fifty words.", [Kind.LENGTH]),
        ("Write between 20 and 30 words", [Kind.LENGTH]),
        ("Exactly three sentences", [Kind.LENGTH]),
        ("Begin with a greeting and end with a sign-off", [Kind.GREETING, Kind.CLOSING]),
        ("Do not use exclamation marks", [Kind.BAN]),
        ("Don't mention the price", [Kind.BAN]),
        ('Avoid the word "very"', [Kind.BAN]),
        ("Keep a formal and polite tone", [Kind.TONE, Kind.TONE]),
        ("Be friendly", [Kind.TONE]),
        ("Say that the dog is friendly", [Kind.CONTENT]),
        ("Include a question for the reader", [Kind.LAYOUT]),
        ("Use bullet points", [Kind.LAYOUT]),
        ("End with a clear call to action", [Kind.ACTION]),
        ("Include the address of the school, 4 Mill Lane", [Kind.CONTENT]),
        ("Mention the opening hours", [Kind.CONTENT]),
        ("The text must speak of courage", [Kind.CONTENT]),
    ],
)
def test_requirements_are_read_from_everyday_words(requirement, kinds):
    assert [demand.kind for demand in read_requirement(requirement).demands] == kinds


@pytest.mark.parametrize(
    ("requirement", "length", "met"),
    [
        ("At most 10 words", 10, True),
        ("At most 10 words", 13, False),
        ("Under 10 words", 10, False),
        ("At least 10 words", 9, False),
        ("Between 9 and 12 words", 12, True),
        ("About 20 words", 23, True),
        ("About 20 words", 30, False),
    ],
)
def test_limits_of_length_are_kept_to_the_word(requirement, length, met):
    brief = render("Write a note about the cat.", ["Mention the cat", requirement])
    text = " ".join(["The", "cat", "sleeps", *(f"item{number}" for number in range(length - 3))]) + "."

    assert ("too" in judge(brief, text).reasons) is not met
