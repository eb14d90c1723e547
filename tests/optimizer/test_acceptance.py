import pytest

from langmarl.optimizer import refusal_of
from langmarl.policy import Policy

BASE = Policy("You are Agent 1 of 2.")
OLD = BASE.with_learned("- Quote the sentence.")


def refusal(learned, references=(), limit=100, base=BASE):
    return refusal_of(OLD.text, base.with_learned(learned).text, limit=limit, references=references)


def test_a_rewritten_policy_is_accepted():
    assert refusal("- Quote the sentence and its title.") is None


@pytest.mark.parametrize(
    ("learned", "words"),
    [("", "empty"), ("quote the sentence", "says the same"), ("Quote it. " * 20, "at most 100")],
)
def test_what_cannot_be_a_policy_is_refused_with_its_reason(learned, words):
    assert words in refusal(learned).reason


def test_the_base_stays_as_it_is():
    assert "fixed base" in refusal("- Quote it.", base=Policy("You are the boss.")).reason


def test_only_what_a_second_try_can_mend_is_worth_one():
    assert refusal("Quote it. " * 20).worth_retrying
    assert not refusal("").worth_retrying


@pytest.mark.parametrize("reference", ["Marie Curie", "Reykjavík", "12 March 1987"])
def test_an_answer_in_a_policy_is_refused(reference):
    found = refusal(f"- The answer is often {reference.upper()}!", references=["yes", reference])
    assert reference in found.reason
    assert found.worth_retrying


@pytest.mark.parametrize("reference", ["yes", "no", "both", "1987", "quotes"])
def test_everyday_words_are_no_leak(reference):
    assert refusal("- Say yes or no; compare both; years such as 1987 and quotes are fine.", [reference]) is None


def test_what_the_policy_said_before_is_no_leak():
    old = BASE.with_learned("- Ask Marie Curie.").text
    new = BASE.with_learned("- Ask Marie Curie first.").text
    assert refusal_of(old, new, limit=100, references=["Marie Curie"]) is None
