"""The critic finds who lost the answer, and says so in words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from langmarl.envs.language.rendering import base_policy
from langmarl.llm.offline.model import complete
from langmarl.prompts.sections import wrap
from tests.llm.offline.reading_tasks import PASSAGES, task

QUOTES = (
    'Harrow Museum: "It was founded in 1911 by Edith Vale."\n'
    'Edith Vale: "She was born in Tolsey, where her father kept a ferry."'
)


def critic_body(
    messages: list[str], reward: float, *, team: bool = False, task_text: str | None = None
) -> dict[str, Any]:
    agents = [f"agent_{number}" for number in range(1, len(messages) + 1)]
    policies = [wrap("policy", base_policy("qa", n, len(agents)), agent=agent) for n, agent in enumerate(agents, 1)]
    said = [
        wrap("message", text, agent=agent, step=n) for n, (agent, text) in enumerate(zip(agents, messages, strict=True))
    ]
    sections = [
        wrap("task", task_text or task()),
        wrap("reference", "Tolsey"),
        wrap("outcome", f"reward: {reward}\nem: 0"),
        wrap("policies", "\n".join(policies)),
        wrap("episode", "\n".join(said)),
    ]
    name = "credit_team" if team else "credit_per_agent"
    wanted = {"type": "json_schema", "json_schema": {"name": name, "schema": {"properties": {}}}}
    return {
        "model": "offline",
        "response_format": wanted,
        "messages": [{"role": "user", "content": "\n\n".join(sections)}],
    }


def judged(messages: list[str], reward: float) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(complete(critic_body(messages, reward)).text)["agents"]
    return found


def test_evidence_that_never_came_up_is_the_first_agents_fault() -> None:
    found = judged(["Something about a bridge.", "1803"], 0.0)
    assert found["agent_1"]["credit"] < found["agent_2"]["credit"] or found["agent_1"]["credit"] < -0.3
    assert "quote" in found["agent_1"]["feedback"].lower() or "exact sentences" in found["agent_1"]["feedback"]


def test_an_answer_buried_in_words_is_the_last_agents_fault() -> None:
    answer = "From all that I have read about this lady and her clocks, it would seem that she was born in Tolsey."
    found = judged([QUOTES, answer], 0.1)
    assert found["agent_1"]["credit"] > 0 > found["agent_2"]["credit"]
    assert "name or phrase" in found["agent_2"]["feedback"]


def test_evidence_passed_over_is_the_last_agents_fault() -> None:
    found = judged([QUOTES, "1954"], 0.0)
    assert found["agent_1"]["credit"] > 0 > found["agent_2"]["credit"]
    assert "evidence" in found["agent_2"]["feedback"]


def test_stopping_half_way_is_told_apart_from_reading_the_wrong_passage() -> None:
    half = judged(['Harrow Museum: "It was founded in 1911 by Edith Vale."', "Edith Vale"], 0.0)
    wrong = judged(['Harrow Bridge: "Harrow Bridge was built of oak in 1803."', "1803"], 0.0)
    assert "second passage" in half["agent_1"]["feedback"]
    assert "relevant" in wrong["agent_1"]["feedback"]


def test_a_won_episode_gives_credit_to_all() -> None:
    assert all(found["credit"] > 0 for found in judged([QUOTES, "Tolsey"], 1.0).values())


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_every_agent_of_a_team_of_any_size_is_assessed(count: int) -> None:
    found = judged(["Something about a bridge."] * count, 0.0)
    assert list(found) == [f"agent_{number}" for number in range(1, count + 1)]
    for view in found.values():
        assert -1 <= view["credit"] <= 1
        assert view["feedback"].strip()
        assert all(0 <= step < count for step in view["evidence"])


def test_advice_holds_nothing_of_the_answer() -> None:
    for messages in (
        ["A bridge.", "1803"],
        [QUOTES, "1954"],
        [QUOTES, "I think that it was Tolsey, all in all, where she was born"],
    ):
        for view in judged(messages, 0.0).values():
            assert "Tolsey" not in view["feedback"]
            assert not any(title in view["feedback"] for title in PASSAGES)


def test_the_team_is_assessed_as_one_where_that_is_asked_for() -> None:
    reply = json.loads(complete(critic_body(["A bridge.", "1803"], 0.25, team=True)).text)
    assert list(reply) == ["team"]
    assert reply["team"]["credit"] == -0.5
    assert "should" in reply["team"]["feedback"]
    assert "You" not in reply["team"]["feedback"]


def test_a_task_it_does_not_know_gets_no_advice() -> None:
    reply = json.loads(complete(critic_body(["left", "right"], 3.0, task_text="Push the pistons.")).text)
    assert all("should" not in view["feedback"] and view["credit"] == 0 for view in reply["agents"].values())
