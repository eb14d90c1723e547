"""What model calls used, as a value that adds up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Role = Literal["actor", "critic", "gradient", "aggregate", "update", "judge"]
ROLES: tuple[Role, ...] = ("actor", "critic", "gradient", "aggregate", "update", "judge")

Phase = Literal["train", "eval"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, calls and cost of some set of model calls.

    Attributes:
        calls: Calls that returned a reply or failed for good.
        input_tokens: Prompt tokens, cached ones included.
        output_tokens: Completion tokens, reasoning ones included.
        cached_tokens: Part of ``input_tokens`` that the provider read from its cache.
        reasoning_tokens: Part of ``output_tokens`` that the model spent thinking.
        cost_usd: US dollars, unrounded; None where the price of any call with tokens is unknown.
        retries: Requests that were sent again (rate limits, server errors, dropped connections).
        failures: Calls that failed for good.
        truncated: Replies that were cut off at their token limit.
        repairs: Calls that asked once more because an answer could not be used.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    cost_usd: float | None = 0.0
    retries: int = 0
    failures: int = 0
    truncated: int = 0
    repairs: int = 0

    @property
    def total_tokens(self) -> int:
        """Input and output tokens together."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        unknown = self.cost_usd is None or other.cost_usd is None
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            cost_usd=None if unknown else (self.cost_usd or 0.0) + (other.cost_usd or 0.0),
            retries=self.retries + other.retries,
            failures=self.failures + other.failures,
            truncated=self.truncated + other.truncated,
            repairs=self.repairs + other.repairs,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values, with ``total_tokens``."""
        return {**asdict(self), "total_tokens": self.total_tokens}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Usage:
        """Read what ``to_dict`` wrote."""
        return cls(**{name: data[name] for name in cls.__slots__ if name in data})


def total(usages: Iterable[Usage]) -> Usage:
    """The sum; a zero usage where there is nothing to add."""
    result = Usage()
    for usage in usages:
        result = result + usage
    return result
