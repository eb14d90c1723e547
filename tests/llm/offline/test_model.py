"""Requests in, replies out: roles, limits, formats, determinism."""

from __future__ import annotations

import json
from typing import Any

import pytest

from langmarl.llm.offline.counting import count_tokens, first_tokens
from langmarl.llm.offline.model import SELF_DESCRIPTION, complete
from langmarl.prompts import load_templates
from langmarl.prompts.sections import wrap
from tests.llm.offline.reading_tasks import FIRST, task


def body(user: str, system: str = "", **more: Any) -> dict[str, Any]:
    return {
        "model": "offline",
        "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
        **more,
    }


SECTIONS = {
    "critic": wrap("task", task()) + wrap("policies", "") + wrap("episode", ""),
    "gradient": wrap("policy", "x", agent="agent_1")
    + wrap("assessment", "You should sing.", credit="-0.5")
    + wrap("episode", ""),
    "aggregate": wrap("notes", wrap("note", "Sing.", episode=1, credit="-0.5")),
    "update": wrap("policy", "x", agent="agent_1") + wrap("learned", "") + wrap("merged_note", "Sing."),
    "judge": wrap("brief", "Writing task: Write a note.") + wrap("text", "A note."),
    "actor": task(),
}


@pytest.mark.parametrize("role", sorted(SECTIONS))
def test_a_request_is_known_by_its_sections(role: str) -> None:
    assert complete(body(SECTIONS[role])).role == role


def test_words_pass_from_the_critic_to_the_policy() -> None:
    note = complete(body(SECTIONS["gradient"])).text
    merged = complete(body(wrap("notes", wrap("note", note, episode=1, credit="-0.50")))).text
    update = wrap("learned", "") + wrap("merged_note", merged)
    assert complete(body(update)).text == "- Sing."


@pytest.mark.parametrize("role", sorted(SECTIONS))
def test_the_same_request_gets_the_same_reply(role: str) -> None:
    assert complete(body(SECTIONS[role])) == complete(body(SECTIONS[role]))


def test_what_it_does_not_know_it_says() -> None:
    assert complete(body("What is the meaning of life?")).text == SELF_DESCRIPTION
    assert "not a language model" in SELF_DESCRIPTION


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_a_reply_is_cut_at_the_limit(name: str) -> None:
    whole = complete(body(task(), FIRST))
    cut = complete(body(task(), FIRST, **{name: 5}))
    assert (whole.finish_reason, cut.finish_reason) == ("stop", "length")
    assert cut.completion_tokens == 5
    assert whole.text.startswith(cut.text)


def test_usage_counts_words_and_marks_of_all_messages() -> None:
    reply = complete(body("Hello, world!", "Be kind."))
    assert reply.prompt_tokens == 4 + 3
    assert reply.completion_tokens == count_tokens(reply.text)


def test_tokens_are_words_numbers_and_marks() -> None:
    assert count_tokens("Don't pay 12.50 €!") == 9
    assert first_tokens("one two, three", 3) == "one two,"
    assert first_tokens("one", 5) == "one"
    assert first_tokens("one", 0) == ""


def test_json_is_given_where_json_is_asked_for() -> None:
    schema = {"properties": {"reply": {"type": "string"}, "score": {"type": "number"}}}
    wanted = {"type": "json_schema", "json_schema": {"name": "any", "schema": schema}}
    assert json.loads(complete(body("Hello", response_format=wanted)).text) == {"reply": SELF_DESCRIPTION, "score": 0}
    assert json.loads(complete(body("Hello", response_format={"type": "json_object"})).text) == {
        "reply": SELF_DESCRIPTION
    }


def test_content_in_parts_is_read() -> None:
    parts = [{"type": "text", "text": task()}]
    whole = {"model": "offline", "messages": [{"role": "user", "content": parts}]}
    assert complete(whole).text == complete(body(task())).text


def test_the_limit_of_a_policy_is_kept() -> None:
    material = {"learned": wrap("learned", "- Watch the kettle."), "merged_note": wrap("merged_note", "Salt the soup.")}
    prompt = load_templates().fill("update", agent="agent_1", policy="", **material, limit=20)
    system, user = {"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}
    assert complete({"model": "offline", "messages": [system, user]}).text == "- Salt the soup."
