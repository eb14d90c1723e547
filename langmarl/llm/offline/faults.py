"""Faults to order: what can go wrong with a provider, drawn by a seeded generator."""

from __future__ import annotations

import random
import threading
from typing import Any, Literal, get_args

from langmarl.llm.offline.counting import count_tokens, first_tokens
from langmarl.llm.offline.model import Completion

Fault = Literal["rate_limit", "server_error", "dropped", "cut", "broken_body", "prose"]
FAULTS: tuple[Fault, ...] = get_args(Fault)

PROSE = (
    "Thank you for the question! Looking at the whole episode, I would say that the team did some things well and "
    "others less so. It is hard to put a number on it."
)
"""What is sent instead of the JSON that was asked for."""


class FaultPlan:
    """Decides which requests fail, and how. Thread-safe.

    Args:
        rate: Share of requests that fail, from 0 to 1; each fault is as likely as any other that can happen to the
            request (prose instead of JSON only where JSON was asked for).
        seed: The same seed gives the same faults in the same order of requests.
    """

    def __init__(self, rate: float, seed: int) -> None:
        self._rate = rate
        self._random = random.Random(seed)
        self._lock = threading.Lock()

    def draw(self, *, json_wanted: bool) -> Fault | None:
        """The fault of the next request, or None."""
        with self._lock:
            if self._random.random() >= self._rate:
                return None
            possible = [fault for fault in FAULTS if json_wanted or fault != "prose"]
            return self._random.choice(possible)


def spoil(completion: Completion, fault: Fault) -> Completion:
    """``completion`` as a reply with ``cut`` or ``prose`` would have it, its tokens counted anew."""
    if fault == "prose":
        return _reworded(completion, PROSE, "stop")
    half = first_tokens(completion.text, completion.completion_tokens // 2)
    return _reworded(completion, half, "length")


def _reworded(completion: Completion, text: str, finish_reason: str) -> Completion:
    return Completion(text, finish_reason, completion.prompt_tokens, count_tokens(text), completion.role)


def wants_json(body: dict[str, Any]) -> bool:
    """Whether a request asks for JSON."""
    wanted = body.get("response_format")
    return isinstance(wanted, dict) and wanted.get("type") in ("json_object", "json_schema")
