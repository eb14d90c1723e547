"""Where in a run a model call is made, carried by a context variable.

The trainer and the collector open a scope around each job; :class:`~langmarl.llm.client.LLMClient` reads it. An
environment's own calls are therefore journaled, counted and limited without its author doing anything. A thread
that an environment starts itself begins outside every scope: run it with ``contextvars.copy_context().run``.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from types import EllipsisType
from typing import TYPE_CHECKING, Any

from langmarl.store.journal import CallKey
from langmarl.usage import Phase, Role

if TYPE_CHECKING:
    from langmarl.llm.calls import RunCalls


class TurnCounter:
    """Numbers the calls of each role for each agent, from 0. Thread-safe; one for each outermost scope."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: dict[tuple[Any, ...], int] = {}

    def number(self, place: tuple[Any, ...], *, repeat: bool) -> int:
        """The turn of a call at ``place``: the next one, or with ``repeat`` the last one given out (at least 0)."""
        with self._lock:
            last = self._last.get(place, -1)
            turn = max(last, 0) if repeat else last + 1
            self._last[place] = turn
            return turn


@dataclass(frozen=True, slots=True)
class CallScope:
    """The run and the place within it that calls made now belong to.

    Attributes:
        calls: What the run's calls share; None outside a run (nothing is journaled or limited).
        phase: ``"train"`` or ``"eval"``.
        iteration: The training iteration, or in phase ``eval`` the checkpoint under evaluation; from 0.
        episode: The episode within the iteration, from 0; None for calls over all episodes.
        agent: The agent concerned; None for calls about the team.
        role: On whose behalf the model is asked; None leaves it to the client.
        attempt: 0 for a first answer, then one more for each repair of it.
        turns: Numbers the calls of the outermost scope.
    """

    calls: RunCalls | None = None
    phase: Phase = "train"
    iteration: int = 0
    episode: int | None = None
    agent: str | None = None
    role: Role | None = None
    attempt: int = 0
    turns: TurnCounter = field(default_factory=TurnCounter, repr=False, compare=False)

    def next_key(self, role: Role, attempt: int) -> CallKey:
        """The key of a call that is about to be made.

        Takes the next turn number of (phase, iteration, episode, role, agent); a repair (``attempt`` above 0)
        keeps the turn of the call it repairs.

        Args:
            role: The role the call is made in.
            attempt: 0 takes the scope's attempt.
        """
        attempt = attempt or self.attempt
        place = (self.phase, self.iteration, self.episode, role, self.agent)
        turn = self.turns.number(place, repeat=attempt > 0)
        return CallKey(self.phase, role, self.iteration, self.episode, self.agent, turn, attempt)


_current: ContextVar[CallScope | None] = ContextVar("langmarl_call_scope", default=None)


def current_scope() -> CallScope | None:
    """The innermost open scope of this thread or task; None outside all."""
    return _current.get()


@contextmanager
def call_scope(
    *,
    calls: RunCalls | EllipsisType | None = ...,
    phase: Phase | EllipsisType = ...,
    iteration: int | EllipsisType = ...,
    episode: int | EllipsisType | None = ...,
    agent: str | EllipsisType | None = ...,
    role: Role | EllipsisType | None = ...,
    attempt: int | EllipsisType = ...,
) -> Iterator[CallScope]:
    """Say where the calls inside the ``with`` block belong.

    Scopes nest: a field left out keeps the value of the scope around it. Turn numbers start at 0 in each
    outermost scope, so open one for each job that must be repeatable on its own.

    Args:
        calls: See :class:`CallScope`, as for the other fields.
    """
    given = {
        "calls": calls,
        "phase": phase,
        "iteration": iteration,
        "episode": episode,
        "agent": agent,
        "role": role,
        "attempt": attempt,
    }
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not ...}
    scope = replace(_current.get() or CallScope(), **changes)
    token = _current.set(scope)
    try:
        yield scope
    finally:
        _current.reset(token)
