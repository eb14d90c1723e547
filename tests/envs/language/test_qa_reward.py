"""HotPotQA's metric, on answers worked out by hand from the definition in hotpot_evaluate_v1.py."""

import pytest

from langmarl.envs.language.qa_reward import QAReward, exact_match, f1_score, normalize_answer
from langmarl.trajectory import Step, Trajectory

SURPLUS = "every word that is not in the reference answer lowers the score"

BY_HAND = [
    # prediction, answer, EM, F1
    pytest.param("Paris", "Paris", 1, 1.0, id="same"),
    pytest.param("The Eiffel Tower.", "eiffel tower", 1, 1.0, id="article, case and full stop do not count"),
    pytest.param("an apple a day", "apple day", 1, 1.0, id="articles inside"),
    pytest.param("Eiffel Tower in Paris", "Eiffel Tower", 0, 2 / 3, id="P 2/4, R 2/2"),
    pytest.param("Paris, France", "Paris", 0, 2 / 3, id="P 1/2, R 1/1"),
    pytest.param("London", "Paris", 0, 0.0, id="nothing in common"),
    pytest.param("Yes.", "yes", 1, 1.0, id="yes"),
    pytest.param("yes, they are", "yes", 0, 0.0, id="a longer yes is all or nothing"),
    pytest.param("no", "yes", 0, 0.0, id="no for yes"),
    pytest.param("no", "no one", 0, 0.0, id="no against a text that holds it"),
    pytest.param("No one", "no one", 1, 1.0, id="no one is an ordinary answer"),
    pytest.param("noanswer", "no answer given", 0, 0.0, id="noanswer"),
    pytest.param("", "Paris", 0, 0.0, id="empty"),
    pytest.param("The", "a", 1, 0.0, id="both empty after normalisation: equal, but no word in common"),
    pytest.param("New York New York", "New York", 0, 2 / 3, id="a word counts as often as in both: P 2/4, R 2/2"),
    pytest.param("December 12, 1984", "12 December 1984", 0, 1.0, id="the order of words does not count for F1"),
    pytest.param("U.S.A.", "USA", 1, 1.0, id="full stops inside"),
    pytest.param("well-known author", "well known author", 0, 0.4, id="a hyphen joins: P 1/2, R 1/3"),
    pytest.param("“Paris”", "Paris", 0, 0.0, id="only ASCII punctuation goes"),
    pytest.param("1,234 people", "1234", 0, 2 / 3, id="a comma inside a number: P 1/2, R 1/1"),
    pytest.param(
        "Barack Obama was the 44th president", "the 44th President of the United States", 0, 0.4, id="P 2/5, R 2/5"
    ),
    pytest.param("theatre and  anthem", "the atre", 0, 0.0, id="articles go as whole words only"),
]


@pytest.mark.parametrize(("prediction", "answer", "em", "f1"), BY_HAND)
def test_scores_as_worked_out_by_hand(prediction, answer, em, f1):
    assert exact_match(prediction, answer) == em
    assert f1_score(prediction, answer) == pytest.approx(f1)


def test_normalisation_takes_its_steps_in_the_official_order():
    # Punctuation goes before articles, so "a-" turns into an article and goes too.
    assert normalize_answer("A- The  Cat's \n pyjamas!") == "cats pyjamas"


def test_reward_is_f1_and_exact_match_is_reported():
    score = QAReward().score({"answer": "Paris"}, " Paris, France\n")
    assert score.reward == pytest.approx(2 / 3)
    reason = f"the final message has every word of the reference answer, and 1 other word: {SURPLUS}"
    assert score.details == {"em": 0.0, "f1": pytest.approx(2 / 3), "reason": reason, "predicted": "Paris, France"}


@pytest.mark.parametrize(
    ("prediction", "answer", "reason"),
    [
        ("The Paris.", "Paris", "the final message is the reference answer and nothing else"),
        ("London", "Paris", "the final message has no word of the reference answer"),
        ("", "Paris", "the final message has no word of the reference answer"),
        (
            "1984 December",
            "December 1984",
            "the final message has every word of the reference answer, in another order",
        ),
        ("New York", "New York City", "the final message has 2 of the 3 words of the reference answer"),
        (
            "the mayor of New York is Ed",
            "New York City",
            f"the final message has 2 of the 3 words of the reference answer, and 4 other words: {SURPLUS}",
        ),
        ("yes, they are", "yes", "yes and no count only where they are the whole message, and it is something else"),
        ("no", "no one", "yes and no count only where they are the whole message, and it is something else"),
    ],
)
def test_the_reward_is_explained_without_a_word_of_the_answer(prediction, answer, reason):
    assert QAReward().score({"answer": answer}, prediction).details["reason"] == reason


def test_compute_scores_the_last_message_of_an_episode():
    steps = [Step("agent_1", "", "London"), Step("agent_2", "", "Paris")]
    assert QAReward().compute(Trajectory({"answer": "Paris"}, steps, 0.0)) == 1.0
    assert QAReward().compute(Trajectory({"answer": "Paris"}, [], 0.0)) == 0.0
