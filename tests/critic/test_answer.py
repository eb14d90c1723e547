import json

import pytest

from langmarl.critic.answer import answer_schema, describe_format, read_answer

AGENTS = ["agent_1", "agent_2"]
GOOD = {"credit": 0.5, "feedback": "Keep it.", "evidence": [0]}


def read(text, subjects=AGENTS, team=False):
    return read_answer(text, subjects, 2, team=team)


def test_a_plain_answer_gives_every_agent_its_assessment():
    answer = read(json.dumps({"agents": {"agent_1": GOOD, "agent_2": {**GOOD, "credit": -1}}}))
    assert answer.problem is None
    assert answer.assessments["agent_2"]["credit"] == -1


@pytest.mark.parametrize(
    "text",
    [
        "Here you are:\n```json\n" + json.dumps({"agents": {"agent_1": GOOD, "agent_2": GOOD}}) + "\n```\nDone.",
        json.dumps({"agent_1": GOOD, "agent_2": GOOD}),
        "{'agents': {'agent_1': {'credit': 0.5, 'feedback': 'Keep it.', 'evidence': [0],},"
        " 'agent_2': {'credit': '0.5', 'feedback': 'Keep it.', 'evidence': []}}}",
    ],
    ids=["fenced", "without the outer key", "python style"],
)
def test_form_is_forgiven(text):
    answer = read(text)
    assert answer.problem is None
    assert answer.assessments["agent_1"]["credit"] == 0.5


@pytest.mark.parametrize(
    ("assessment", "words"),
    [
        (None, "missing"),
        ({**GOOD, "credit": 7}, "from -1 to 1"),
        ({**GOOD, "credit": "high"}, "from -1 to 1"),
        ({**GOOD, "credit": True}, "from -1 to 1"),
        ({**GOOD, "credit": float("nan")}, "from -1 to 1"),
        ({**GOOD, "feedback": "  "}, "feedback is empty"),
    ],
)
def test_an_unusable_assessment_costs_its_agent_only(assessment, words):
    answer = read(json.dumps({"agents": {"agent_1": GOOD, "agent_2": assessment}}))
    assert answer.assessments["agent_1"] is not None
    assert answer.assessments["agent_2"] is None
    assert "agent_2" in answer.problem
    assert words in answer.problem


@pytest.mark.parametrize("text", ["", "The first agent did well.", "[1, 2]", '"agents"', '{"agents": 3}'])
def test_prose_gives_no_assessment_at_all(text):
    answer = read(text)
    assert answer.assessments == {"agent_1": None, "agent_2": None}
    assert answer.problem


def test_half_an_answer_is_not_mended_into_half_a_judgement():
    whole = json.dumps({"agents": {"agent_1": GOOD, "agent_2": {**GOOD, "feedback": "Stop guessing; quote."}}})
    for length in range(len(whole) - 1):
        answer = read(whole[:length])
        assert answer.assessments == {"agent_1": None, "agent_2": None}, whole[:length]


def test_evidence_that_is_no_step_is_dropped():
    answer = read(json.dumps({"agents": {"agent_1": {**GOOD, "evidence": [1, 9, -1, "x", 1]}, "agent_2": GOOD}}))
    assert answer.assessments["agent_1"]["evidence"] == [1]


def test_a_team_answer_is_read_as_one():
    answer = read(json.dumps({"team": GOOD}), ["team"], team=True)
    assert answer.assessments == {"team": GOOD}


def test_the_example_in_the_prompt_has_the_shape_of_the_schema():
    for team in (False, True):
        example = describe_format(AGENTS, team=team).split("\n", 1)[1]
        for placeholder, value in (("<number from -1 to 1>", "0"), ("<words>", "w"), ("<step numbers>", "0")):
            example = example.replace(placeholder, value)
        schema = answer_schema(AGENTS, 4, team=team)
        assert set(json.loads(example)) == set(schema["required"])


def test_the_schema_bounds_what_a_model_may_list_and_asks_for_words_before_numbers():
    schema = answer_schema(AGENTS, 4, team=True)["properties"]["team"]["properties"]
    assert list(schema) == ["feedback", "credit", "evidence"]
    assert schema["evidence"]["maxItems"] == 4
    assert (schema["evidence"]["items"]["minimum"], schema["evidence"]["items"]["maximum"]) == (0, 3)
    assert (schema["credit"]["minimum"], schema["credit"]["maximum"]) == (-1, 1)
    assert answer_schema(AGENTS, 0, team=True)  # an episode that was lost before its first step
