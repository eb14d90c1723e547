"""The body of a request, and the digest by which a reply to it is found again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from langmarl.config import LLMConfig
from langmarl.llm.quirks import Capabilities


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """The shape that a JSON answer must have.

    Attributes:
        name: Letters, digits and underscores; seen by the model.
        schema: A JSON schema; strict mode wants every property required and ``additionalProperties`` false.
    """

    name: str
    schema: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of a model, before it is put into the form that the model takes.

    Attributes:
        system: The system message; empty: none is sent.
        user: The user message.
        max_tokens: Longest reply, in tokens.
        schema: The shape of the answer; None: free text.
    """

    system: str
    user: str
    max_tokens: int
    schema: JsonSchema | None = None


def build_body(config: LLMConfig, question: Question, capabilities: Capabilities) -> dict[str, Any]:
    """The JSON body to send; ``extra_params`` of the config included."""
    body: dict[str, Any] = {
        "model": config.model_string,
        "messages": _messages(question, system_role=capabilities.system_role),
        capabilities.token_parameter: question.max_tokens,
    }
    if config.temperature is not None and capabilities.temperature:
        body["temperature"] = config.temperature
    if question.schema is not None and capabilities.structured_output != "none":
        body["response_format"] = _response_format(question.schema, capabilities)
    return {**body, **config.extra_params}


def digest(address: str, config: LLMConfig, question: Question) -> str:
    """SHA-256, in hex, of what is asked of whom.

    Follows what the config declares, not what was learned since: a process that starts anew has yet to learn it
    and must find the same replies.
    """
    body = build_body(config, question, Capabilities.declared(config))
    text = json.dumps([config.model_string, address, body], sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _messages(question: Question, *, system_role: bool) -> list[dict[str, str]]:
    if not question.system:
        return [{"role": "user", "content": question.user}]
    if not system_role:
        return [{"role": "user", "content": f"{question.system}\n\n{question.user}"}]
    return [{"role": "system", "content": question.system}, {"role": "user", "content": question.user}]


def _response_format(schema: JsonSchema, capabilities: Capabilities) -> dict[str, Any]:
    if capabilities.structured_output == "json_object":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": schema.name, "schema": schema.schema, "strict": True}}
