"""From a request to a reply: a pure function, which every way to reach the offline model shares."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langmarl.llm.offline.counting import count_tokens, first_tokens
from langmarl.llm.offline.critic import criticise
from langmarl.llm.offline.instructions import read_habits, read_seat
from langmarl.llm.offline.judge import judge
from langmarl.llm.offline.optimizer import Note, gradient_note, merge_notes, rewrite
from langmarl.llm.offline.request import ChatRequest, read_request
from langmarl.llm.offline.tasks import skill_for
from langmarl.llm.offline.tasks.skill import Message
from langmarl.prompts.sections import find
from langmarl.usage import Role

MODEL = "offline"
"""The name under which the model is asked for, and says who it is."""

SELF_DESCRIPTION = (
    "This is LangMARL's offline model: a rule-based program, not a language model. It can play the roles of a run on "
    "questions over passages, word problems, Python functions and writing tasks; to anything else it gives this reply."
)

_SAID = "\n\nMessages so far:\n\n"
_DEFAULT_LIMIT = 4000
_LIMIT = re.compile(r"\bat most (\d+) characters", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply.

    Attributes:
        text: What the model says.
        finish_reason: ``stop``, or ``length`` where the limit on tokens cut it off.
        prompt_tokens: As ``counting`` counts them.
        completion_tokens: As ``counting`` counts them.
        role: The role that the request played.
    """

    text: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int
    role: Role


def complete(body: Mapping[str, Any]) -> Completion:
    """Answer the body of a ``chat/completions`` request. The same body always gets the same reply."""
    request = read_request(body)
    role = request.role
    text = _ANSWERS[role](request)
    if request.max_tokens is not None and count_tokens(text) > request.max_tokens:
        text, finish_reason = first_tokens(text, request.max_tokens), "length"
    else:
        finish_reason = "stop"
    prompt = count_tokens(request.system) + count_tokens(request.user)
    return Completion(text, finish_reason, prompt, count_tokens(text), role)


def _act(request: ChatRequest) -> str:
    task, _, said = request.user.partition(_SAID)
    skill = skill_for(task)
    if skill is None:
        reply = SELF_DESCRIPTION
    else:
        earlier = [Message(s.attributes.get("agent", ""), s.text) for s in find(said, "message")]
        seat = read_seat(request.system)
        reply = skill.act(task, earlier, seat, read_habits(request.system, skill.habits, seat))
    return _as_json(reply, request) if request.schema else reply


def _as_json(reply: str, request: ChatRequest) -> str:
    """A reply where JSON was asked for: the words in every text field of the schema, neutral values in the others."""
    neutral: dict[str, Any] = {"number": 0, "integer": 0, "boolean": False, "array": [], "object": {}, "null": None}
    fields = request.fields or {"reply": "string"}
    return json.dumps({name: neutral.get(kind, reply) for name, kind in fields.items()}, ensure_ascii=False)


def _gradient(request: ChatRequest) -> str:
    return gradient_note(request.text("assessment"))


def _aggregate(request: ChatRequest) -> str:
    notes = find(request.text("notes"), "note")
    return merge_notes([Note(note.text, _number(note.attributes.get("credit", "0"))) for note in notes])


def _update(request: ChatRequest) -> str:
    limit = _LIMIT.search(request.system)
    return rewrite(request.text("learned"), request.text("merged_note"), int(limit[1]) if limit else _DEFAULT_LIMIT)


def _judge(request: ChatRequest) -> str:
    return judge(request.text("brief"), request.text("text")).to_json()


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


_ANSWERS = {
    "actor": _act,
    "critic": criticise,
    "gradient": _gradient,
    "aggregate": _aggregate,
    "update": _update,
    "judge": _judge,
}
