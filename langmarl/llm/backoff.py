"""How long to wait before a request is sent again, and how calls to one endpoint wait together."""

from __future__ import annotations

import math
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BackoffPolicy:
    """Waiting times.

    Attributes:
        base_s: Upper bound of the first wait, in seconds; each later bound is twice the one before.
        cap_s: No wait of our own choosing is longer than this, in seconds.
        rate_limit_total_s: One call gives up when rate limits have made it wait this long, in seconds.
    """

    base_s: float = 1.0
    cap_s: float = 60.0
    rate_limit_total_s: float = 900.0

    def delay(self, tries: int) -> float:
        """Seconds to wait after ``tries`` failures in a row (1 or more): exponential, with full jitter."""
        bound = min(self.cap_s, self.base_s * 2.0 ** min(tries - 1, 30))
        return random.uniform(0.0, bound)


class EndpointPausedError(Exception):
    """The endpoint asked for a longer pause than a call is willing to sit out.

    Args:
        pause_s: What is left of the pause, in seconds.
    """

    def __init__(self, pause_s: float) -> None:
        super().__init__(f"paused for {pause_s:.0f} s")
        self.pause_s = pause_s


@dataclass(frozen=True, slots=True)
class Ticket:
    """Leave to send one request.

    Attributes:
        cuts: How often the endpoint had been slowed down when the request was let through.
    """

    cuts: int


class Gate:
    """Lets calls to one endpoint through in the order they came. Thread-safe.

    Normally it holds nobody back. When the endpoint answers 429, *all* calls to it wait for the pause it asks for;
    after that, half as many requests as before may be in flight, and the number grows by one for every round of
    successes (additive increase, multiplicative decrease, as in TCP; Chiu and Jain 1989).

    Args:
        most: The most requests that are ever in flight.
    """

    _TICK_S = 0.1
    """How soon a waiting call notices that its run was halted."""

    def __init__(self, most: float = math.inf) -> None:
        self._condition = threading.Condition()
        self._most = most
        self._queue: deque[object] = deque()
        self._in_flight = 0
        self._window = most
        self._open_at = 0.0
        self._cuts = 0
        self._cuts_in_a_row = 0

    def enter(self, check: Callable[[], None], patience_s: float) -> Ticket:
        """Wait for one's turn; :meth:`leave` must follow.

        Args:
            check: Called while waiting; what it raises ends the wait.
            patience_s: The longest pause to sit out, in seconds.

        Raises:
            EndpointPausedError: The present pause is longer than ``patience_s``.
        """
        place = object()
        with self._condition:
            self._queue.append(place)
            try:
                while True:
                    check()
                    pause = self._open_at - time.monotonic()
                    if pause > patience_s:
                        raise EndpointPausedError(pause)
                    if pause <= 0 and self._queue[0] is place and self._in_flight + 1 <= self._window:
                        self._in_flight += 1
                        return Ticket(self._cuts)
                    self._condition.wait(min(pause, self._TICK_S) if pause > 0 else self._TICK_S)
            finally:
                self._queue.remove(place)
                self._condition.notify_all()

    def leave(self) -> None:
        """The request has ended, however it did."""
        with self._condition:
            self._in_flight -= 1
            self._condition.notify_all()

    def succeeded(self, ticket: Ticket) -> None:
        """A request in flight brought a reply: let a little more through.

        A request that was let through before the last slow-down says nothing about the present pace.
        """
        with self._condition:
            if ticket.cuts != self._cuts:
                return
            self._cuts_in_a_row = 0
            self._window = min(self._most, self._window + 1.0 / self._window)

    def slow_down(self, ticket: Ticket, requested_s: float | None, policy: BackoffPolicy) -> float:
        """A request in flight was answered 429: pause everybody, then go on with less at once.

        Of several requests that were refused in one burst only the first reduces what may be in flight.

        Args:
            ticket: Of the refused request.
            requested_s: The pause that the endpoint asks for, in seconds; None: exponential back-off.
            policy: Gives the pause where the endpoint asks for none, or its last one proved too short.

        Returns:
            The pause, in seconds from now.
        """
        with self._condition:
            if ticket.cuts == self._cuts:
                self._cuts += 1
                self._cuts_in_a_row += 1
                self._window = max(1.0, min(self._in_flight, self._window) / 2)
            pause = self._pause(requested_s, policy)
            self._open_at = max(self._open_at, time.monotonic() + pause)
            return pause

    def _pause(self, requested_s: float | None, policy: BackoffPolicy) -> float:
        if requested_s is None:
            return policy.delay(max(1, self._cuts_in_a_row))
        if self._cuts_in_a_row <= 1:
            return requested_s
        return max(requested_s, policy.delay(self._cuts_in_a_row - 1))


class Gates:
    """One gate for each endpoint, key and model of this process. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._gates: dict[Hashable, Gate] = {}

    def at(self, place: Hashable, most: float = math.inf) -> Gate:
        """The gate of ``place``; always the same object, made for at most ``most`` requests in flight."""
        with self._lock:
            return self._gates.setdefault(place, Gate(most))


GATES = Gates()
"""Shared by all clients of the process: a rate limit concerns everybody who uses the key."""
