"""A chat request, read: which role it plays in a run, and the material that it brings."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langmarl.prompts.sections import Section, find
from langmarl.usage import Role


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What the model needs of a request's body.

    Attributes:
        system: Text of the system (or developer) messages, joined.
        user: Text of the other messages, joined.
        schema: Name of the JSON schema asked for; ``json_object`` where any JSON will do; None for plain text.
        fields: Names of the top-level properties of that schema, with their types.
        max_tokens: Limit on the reply; None for none.
    """

    system: str
    user: str
    schema: str | None = None
    fields: Mapping[str, str] | None = None
    max_tokens: int | None = None

    @property
    def role(self) -> Role:
        """The role that the request plays, told by its sections."""
        if self.has("episode") and self.has("policies"):
            return "critic"
        if self.has("assessment"):
            return "gradient"
        if self.has("notes"):
            return "aggregate"
        if self.has("merged_note"):
            return "update"
        if self.has("brief") and self.has("text"):
            return "judge"
        return "actor"

    def has(self, tag: str) -> bool:
        """Whether the user's text holds a section ``tag``."""
        return f"<{tag}>" in self.user or f"<{tag} " in self.user

    def sections(self, tag: str) -> list[Section]:
        """Every section ``tag`` of the user's text, in order."""
        return find(self.user, tag)

    def text(self, tag: str, default: str = "") -> str:
        """Text of the first section ``tag``."""
        found = self.sections(tag)
        return found[0].text if found else default


def read_request(body: Mapping[str, Any]) -> ChatRequest:
    """Read the body of a ``chat/completions`` request; ``http_api.check`` has been over it."""
    messages = body["messages"]
    system = [_text(m.get("content")) for m in messages if m.get("role") in ("system", "developer")]
    user = [_text(m.get("content")) for m in messages if m.get("role") not in ("system", "developer")]
    wanted = body.get("response_format") or {}
    schema = wanted.get("json_schema") or {}
    properties = (schema.get("schema") or {}).get("properties") or {}
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    return ChatRequest(
        system="\n\n".join(system),
        user="\n\n".join(user),
        schema=schema.get("name", "json") if wanted.get("type") == "json_schema" else _plain_json(wanted),
        fields={name: str(spec.get("type", "string")) for name, spec in properties.items()},
        max_tokens=limit if isinstance(limit, int) else None,
    )


def _plain_json(wanted: Mapping[str, Any]) -> str | None:
    return "json_object" if wanted.get("type") == "json_object" else None


def _text(content: Any) -> str:
    """Text of a message's content: a string, or a list of parts of which the text parts count."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content if isinstance(part, dict))
    return "" if content is None else json.dumps(content, ensure_ascii=False)
