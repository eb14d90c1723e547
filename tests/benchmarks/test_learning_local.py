import json

import pytest

from benchmarks.learning_local_parts.intervals import bootstrap, paired_difference
from benchmarks.learning_local_parts.questions import shortened, write_questions
from langmarl import UserMistake


def question(number, passages=10):
    titles = [f"Title {place}" for place in range(passages)]
    return {
        "_id": f"q{number}",
        "question": "Which?",
        "answer": "that",
        "supporting_facts": [["Title 3", 0], ["Title 7", 1], ["Title 3", 2]],
        "context": [[title, [f"A sentence of {title}."]] for title in titles],
    }


def titles_of(row):
    return [title for title, _ in row["context"]]


def test_a_shortened_question_keeps_its_gold_passages_and_as_many_others_as_asked():
    titles = titles_of(shortened(question(1), 2, seed=0))
    assert {"Title 3", "Title 7"} <= set(titles)
    assert len(titles) == len(set(titles)) == 4


def test_the_order_follows_from_the_seed_and_the_question():
    orders = [titles_of(shortened(question(number), 2, seed=0)) for number in range(20)]
    assert orders == [titles_of(shortened(question(number), 2, seed=0)) for number in range(20)]
    assert orders != [titles_of(shortened(question(number), 2, seed=1)) for number in range(20)]
    assert {order.index("Title 3") for order in orders} == {0, 1, 2, 3}


def test_a_question_with_too_few_passages_keeps_all():
    assert sorted(titles_of(shortened(question(1, passages=9), 20, seed=0))) == [f"Title {n}" for n in range(9)]


def test_the_first_questions_are_held_out_and_the_others_train(tmp_path):
    data = tmp_path / "hotpot.json"
    data.write_text(json.dumps([question(number) for number in range(5)]))
    files = write_questions(data, tmp_path / "questions", held_out=2, distractors=2, seed=0)
    parts = [[row["_id"] for row in json.loads(file.read_text())] for file in (files.held_out, files.training)]
    assert parts == [["q0", "q1"], ["q2", "q3", "q4"]]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "cannot be read"),
        ("no JSON", "no JSON"),
        ('{"a": 1}', "not HotPotQA's"),
        ('[{"_id": "q"}]', "not HotPotQA's"),
        (json.dumps([question(1)]), "holds 1 questions"),
    ],
)
def test_data_that_cannot_be_used_is_refused(tmp_path, content, words):
    data = tmp_path / "hotpot.json"
    if content is not None:
        data.write_text(content)
    with pytest.raises(UserMistake, match=words):
        write_questions(data, tmp_path / "questions", held_out=2, distractors=2, seed=0)


def test_an_interval_holds_the_mean_and_narrows_with_more_questions():
    few, many = bootstrap([0.0, 1.0] * 15, 2000), bootstrap([0.0, 1.0] * 150, 2000)
    assert few.low < few.mean == 0.5 < few.high
    assert 0.14 < (few.high - few.low) / 2 < 0.2
    assert many.high - many.low < few.high - few.low


def test_an_interval_is_the_same_every_time():
    values = [0.1, 0.7, 0.4, 0.9]
    assert bootstrap(values, 500) == bootstrap(values, 500)


def test_the_mean_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no mean"):
        bootstrap([], 100)


def test_a_difference_is_paired_and_leaves_out_questions_that_failed():
    constant = paired_difference([0.0, 0.5, None, 0.2], [0.1, 0.6, 0.9, None], 500)
    assert constant.mean == pytest.approx(0.1)
    assert constant.low == pytest.approx(constant.high)
