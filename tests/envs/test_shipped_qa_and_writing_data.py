"""The shipped question and writing sets: well-formed, unique, answerable, and no giveaway."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import langmarl

DATA = Path(langmarl.__file__).parent / "envs" / "language" / "data"


def rows(name: str) -> list[dict]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


QA = rows("qa.jsonl")
BRIDGE = [row for row in QA if row["type"] == "bridge"]
COMPARISON = [row for row in QA if row["type"] == "comparison"]
WRITING = rows("writing.jsonl")


def passages(row: dict) -> dict[str, str]:
    return {title: "".join(sentences) for title, sentences in row["context"]}


def holds(text: str, words: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None


def named(row: dict, text: str) -> list[str]:
    """Titles of the row's passages that ``text`` names, with or without their generic first word."""
    lower = text.lower()
    return [title for title in passages(row) if holds(lower, title.lower().removeprefix("river "))]


def test_there_are_enough_questions_of_both_types():
    assert len(QA) >= 44
    assert 0.2 <= len(COMPARISON) / len(QA) <= 0.3
    assert len(BRIDGE) + len(COMPARISON) == len(QA)


@pytest.mark.parametrize("field", ["id", "question"])
def test_no_question_occurs_twice(field):
    assert max(Counter(row[field] for row in QA).values()) == 1


def test_every_row_has_the_shape_of_hotpotqas_distractor_setting():
    for row in QA:
        assert set(row) == {"id", "question", "answer", "type", "context"}
        assert row["question"].endswith("?")
        assert 5 <= len(row["context"]) <= 6
        assert len(passages(row)) == len(row["context"])
        for _, sentences in row["context"]:
            assert 3 <= len(sentences) <= 5
            assert all(sentence.strip().endswith(".") for sentence in sentences)
            # As HotPotQA does it: a passage is its sentences put together as they are.
            assert not sentences[0].startswith(" ")
            assert all(sentence.startswith(" ") for sentence in sentences[1:])


def test_a_bridge_answer_stands_in_exactly_one_passage_which_the_question_does_not_name():
    for row in BRIDGE:
        holding = [title for title, text in passages(row).items() if holds(text, row["answer"])]
        assert len(holding) == 1, row["question"]
        assert holding[0] not in named(row, row["question"])


def test_a_bridge_question_names_a_passage_that_leads_to_the_one_with_the_answer():
    for row in BRIDGE:
        texts = passages(row)
        target = next(title for title, text in texts.items() if holds(text, row["answer"]))
        first = [title for title in named(row, row["question"]) if target in named(row, texts[title])]
        assert first, row["question"]


def test_bridge_questions_have_distractors_that_share_their_words():
    common = "the a an of in to is was by for with which what who where when how many did does do that has had"
    for row in BRIDGE:
        wanted = set(re.findall(r"\w+", row["question"].lower())) - set(common.split())
        sharing = [t for t, text in passages(row).items() if wanted & set(re.findall(r"\w+", text.lower()))]
        # Both gold passages and one more at the least.
        assert len(sharing) >= 3, row["question"]


def test_no_answer_is_given_away_by_its_question():
    for row in BRIDGE:
        assert row["answer"].lower() not in row["question"].lower()


def test_comparisons_name_both_sides_and_answer_with_one_of_them_or_yes_or_no():
    for row in COMPARISON:
        sides = named(row, row["question"])
        assert len(sides) >= 2, row["question"]
        short = {side.removeprefix("River ") for side in sides}
        assert row["answer"] in {"yes", "no", *sides, *short}


def test_yes_and_no_both_occur():
    assert {"yes", "no"} <= {row["answer"] for row in COMPARISON}


def test_the_passages_that_matter_are_not_always_in_the_same_place():
    places = Counter(
        next(index for index, (_, s) in enumerate(row["context"]) if holds("".join(s), row["answer"])) for row in BRIDGE
    )

    assert len(places) >= 5
    assert max(places.values()) < len(BRIDGE) / 2


def test_a_passage_reads_the_same_wherever_it_occurs():
    seen: dict[str, str] = {}
    for row in QA:
        for title, text in passages(row).items():
            assert seen.setdefault(title, text) == text


def test_answers_are_of_several_kinds():
    numbers = [row for row in QA if re.match(r"\d", row["answer"])]
    names = [row for row in QA if row["answer"][0].isupper()]
    things = [row for row in BRIDGE if row["answer"][0].islower()]

    assert min(len(numbers), len(names), len(things)) >= 4


def test_writing_briefs_are_complete_and_unique():
    assert len(WRITING) >= 20
    assert len({row["id"] for row in WRITING}) == len({row["prompt"] for row in WRITING}) == len(WRITING)
    for row in WRITING:
        assert set(row) == {"id", "prompt", "requirements"}
        assert row["prompt"].endswith(".")
        assert len(row["requirements"]) >= 3
        assert len(set(row["requirements"])) == len(row["requirements"])
