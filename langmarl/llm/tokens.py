"""How many tokens a reply used, as its provider reports it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Tokens:
    """Token counts of one reply, or of several added up.

    Attributes:
        input: Prompt tokens, cached ones included.
        output: Completion tokens, reasoning ones included.
        cached: Part of ``input`` read from the provider's cache.
        reasoning: Part of ``output`` spent on thinking.
        estimated: Whether any of it is an estimate of ours.
    """

    input: int = 0
    output: int = 0
    cached: int = 0
    reasoning: int = 0
    estimated: bool = False

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            input=self.input + other.input,
            output=self.output + other.output,
            cached=self.cached + other.cached,
            reasoning=self.reasoning + other.reasoning,
            estimated=self.estimated or other.estimated,
        )


NO_TOKENS = Tokens()


def reported_tokens(usage: object) -> Tokens | None:
    """Read the ``usage`` object of a chat completion; None where it holds no counts.

    Some providers leave thinking out of ``completion_tokens`` and bill it all the same: what ``total_tokens`` has
    beyond prompt and completion is counted as reasoning output.
    """
    if not isinstance(usage, Mapping) or not (_count(usage, "prompt_tokens") or _count(usage, "completion_tokens")):
        return None
    prompt, completion = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    reasoning = _count(usage.get("completion_tokens_details"), "reasoning_tokens")
    unlisted = max(0, _count(usage, "total_tokens") - prompt - completion)
    cached = _count(usage.get("prompt_tokens_details"), "cached_tokens") or _count(usage, "prompt_cache_hit_tokens")
    output = completion + unlisted
    return Tokens(prompt, output, min(cached, prompt), min(max(reasoning, unlisted), output))


def estimated_tokens(prompt: str, answer: str) -> Tokens:
    """A guess for providers that report nothing: one token for every four characters, rounded up."""
    return Tokens(_estimate(prompt), _estimate(answer), estimated=True)


def _estimate(text: str) -> int:
    return math.ceil(len(text) / _CHARACTERS_PER_TOKEN)


def _count(source: Any, name: str) -> int:
    value = source.get(name) if isinstance(source, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
