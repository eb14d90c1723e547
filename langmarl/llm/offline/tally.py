"""What the server saw and delivered, so that a client's own count can be held against it."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

from langmarl.llm.offline.model import Completion


class Tally:
    """Counts of requests, faults and delivered replies. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.reset()

    def reset(self) -> None:
        """Start again from zero."""
        with self._lock:
            self._requests = 0
            self._rejected = 0
            self._faults: Counter[str] = Counter()
            self._roles: dict[str, Counter[str]] = {}

    def request(self) -> None:
        """A chat request came in."""
        with self._lock:
            self._requests += 1

    def reject(self) -> None:
        """It was refused with a 4xx of its own making."""
        with self._lock:
            self._rejected += 1

    def fault(self, name: str) -> None:
        """It was made to fail."""
        with self._lock:
            self._faults[name] += 1

    def deliver(self, completion: Completion) -> None:
        """A whole reply went out, cut or in prose as it may be; a client has to count its tokens."""
        with self._lock:
            counts = self._roles.setdefault(completion.role, Counter())
            counts["calls"] += 1
            counts["input_tokens"] += completion.prompt_tokens
            counts["output_tokens"] += completion.completion_tokens

    def snapshot(self) -> dict[str, Any]:
        """``requests``, ``rejected``, ``faults`` by kind, ``delivered`` replies, ``roles`` with calls and tokens."""
        with self._lock:
            return {
                "requests": self._requests,
                "rejected": self._rejected,
                "faults": dict(self._faults),
                "delivered": sum(counts["calls"] for counts in self._roles.values()),
                "roles": {role: dict(counts) for role, counts in self._roles.items()},
            }
