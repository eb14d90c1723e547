"""Every error that LangMARL raises on purpose.

One root, two families: a *user's mistake* (something to correct before trying again; the shell exits with 2)
and a *failed run* (something went wrong while working; the shell exits with 3). A bug is neither: it stays
whatever Python raised.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

_MOST_LISTED = 50  # names in one message; more would bury it


class LangMARLError(Exception):
    """Root of all deliberate errors.

    Args:
        message: What happened, in one sentence.
        remedy: What to do next; appended to the message when the error is shown.
    """

    def __init__(self, message: str, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}\n{self.remedy}" if self.remedy else self.message


class UserMistake(LangMARLError):
    """Something the user can correct: a config, a name, a key, a path."""


class RunFailed(LangMARLError):
    """A run that could not go on; everything paid for is on disk and the run can be resumed."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a configuration.

    Attributes:
        field: Dotted name, for example ``actor_llm.temperature``; empty for the file as a whole.
        message: What is wrong, naming the value and what is allowed.
        suggestion: The nearest valid name, where there is one.
    """

    field: str
    message: str
    suggestion: str | None = None

    def __str__(self) -> str:
        where = f"{self.field}: " if self.field else ""
        hint = f" Did you mean {self.suggestion!r}?" if self.suggestion else ""
        return f"{where}{self.message}{hint}"


class ConfigError(UserMistake, ValueError):
    """A configuration that cannot be used; carries every fault that was found, not only the first."""

    def __init__(self, faults: Iterable[Fault], source: str | None = None) -> None:
        self.faults = tuple(faults)
        self.source = source
        head = f"{source or 'the configuration'} cannot be used:"
        super().__init__("\n".join([head, *(f"  - {fault}" for fault in self.faults)]))


class UnknownNameError(UserMistake, ValueError):
    """A name (environment, preset, run, agent, checkpoint) that does not exist.

    The message lists the known names and suggests the nearest one.
    """

    def __init__(self, kind: str, name: object, known: Iterable[object]) -> None:
        self.kind, self.name, self.known = kind, name, tuple(str(item) for item in known)
        suggestion = nearest(str(name), self.known)
        hint = f"; did you mean {suggestion!r}?" if suggestion else ""
        listing = ", ".join(self.known[:_MOST_LISTED]) or "none"
        if len(self.known) > _MOST_LISTED:
            listing += f" and {len(self.known) - _MOST_LISTED} more"
        super().__init__(f"unknown {kind} {str(name)!r}{hint}", f"Known: {listing}.")


class ModelRefusedError(UserMistake):
    """The endpoint refuses this key, model or request, and would refuse it again."""


class ModelCallError(LangMARLError):
    """One model call failed for good, after its retries. Costs its episode, never the run."""


class RunOwnedError(UserMistake):
    """Another live process is writing this run."""


class RunHalted(BaseException):
    """Raised at a call boundary when the run was asked to stop or has reached a budget.

    Not an ``Exception``: an environment that catches everything must not turn a halt into an answer.

    Args:
        state: ``"stopped"`` or ``"budget_reached"``.
        reason: One sentence for the user.
    """

    def __init__(self, state: Literal["stopped", "budget_reached"], reason: str) -> None:
        super().__init__(reason)
        self.state = state
        self.reason = reason


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like ``name``, or None where nothing is close."""
    by_folded = {candidate.casefold(): candidate for candidate in known}
    matches = difflib.get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[matches[0]] if matches else None
