import pytest

from langmarl.policy import LEARNED_HEADING, Policy, initial_policies, same_in_substance


@pytest.mark.parametrize("learned", ["", "- Be short.", "Line one.\n\nLine two, with $ and é."])
def test_a_policy_survives_its_text(learned):
    policy = Policy("You are Agent 1 of 2.", learned)
    assert Policy.parse(policy.text) == policy


def test_an_untrained_policy_is_its_base_alone():
    assert Policy("You are Agent 1.").text == "You are Agent 1."


def test_a_heading_inside_the_learned_part_belongs_to_it():
    policy = Policy("Base.", f"One.\n\n{LEARNED_HEADING}\nTwo.")
    assert Policy.parse(policy.text).base == "Base."


def test_initial_text_becomes_the_learned_part_on_the_environments_base():
    policies = initial_policies({"agent_1": "Base 1.", "agent_2": "Base 2."}, {"agent_2": "Quote."})
    assert policies == {"agent_1": "Base 1.", "agent_2": f"Base 2.\n\n{LEARNED_HEADING}\nQuote."}


def test_a_whole_policy_replaces_the_base_as_well():
    whole = f"Other base.\n\n{LEARNED_HEADING}\nQuote."
    assert initial_policies({"agent_1": "Base."}, {"agent_1": whole}) == {"agent_1": whole}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("- Be short.\n- Quote!", "be short; quote", True),
        ("Be short.", "Be very short.", False),
        ("", "…", True),
    ],
)
def test_sameness_ignores_form_but_not_words(one, other, same):
    assert same_in_substance(one, other) is same
