"""Reads the body of a chat completion, tolerantly: providers differ in everything but the outline."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langmarl.llm.failures import Failure, broken_reply
from langmarl.llm.redaction import mask_key, well_formed
from langmarl.llm.tokens import Tokens, estimated_tokens, reported_tokens

# Reasoning models served raw put their thinking in front of the answer; cut off, it never closes.
_THINKING = re.compile(r"\A\s*<think>(.*?)(?:</think>\s*|\Z)", re.DOTALL)
_CUT_OFF = frozenset({"max_tokens", "MAX_TOKENS", "max_length"})


@dataclass(frozen=True, slots=True)
class Completion:
    """A usable reply.

    Attributes:
        text: The answer; empty where the model gave none.
        thinking: What stood in ``<think>`` in front of the answer; no part of it.
        finish_reason: ``"stop"``, ``"length"`` where the reply was cut off, or another word of the provider's.
        tokens: What it used.
    """

    text: str
    thinking: str
    finish_reason: str
    tokens: Tokens


def read_completion(payload: Mapping[str, Any], prompt: str, key: str | None) -> Completion | Failure:
    """The reply in a response's body, or why there is none.

    Args:
        payload: The body, parsed.
        prompt: What was asked, for the estimate where the provider reports no usage.
        key: The key in use; masked where the reply repeats it.
    """
    tokens = reported_tokens(payload.get("usage"))
    choices = payload.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        return broken_reply("the reply holds no choices", 200, tokens)
    finish_reason = choice.get("finish_reason") or "stop"
    if finish_reason == "error":
        return broken_reply("the provider broke off the reply with an error", 200, tokens)
    raw = mask_key(well_formed(_content(message)), key)
    thinking = _THINKING.match(raw)
    return Completion(
        text=raw[thinking.end() :] if thinking else raw,
        thinking=thinking[1].strip() if thinking else "",
        finish_reason="length" if finish_reason in _CUT_OFF else str(finish_reason),
        tokens=tokens or estimated_tokens(prompt, raw),
    )


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, Mapping))
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
