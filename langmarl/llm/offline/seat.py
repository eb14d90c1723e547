"""Where an agent sits, read from its policy."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SEAT = re.compile(r"\bagent[ _](\d+) of (\d+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Seat:
    """Where an agent sits in the team.

    Attributes:
        agent: Its name, for example ``agent_1``.
        position: In the order of speaking, from 1.
        of: How many agents there are.
    """

    agent: str
    position: int
    of: int

    @property
    def first(self) -> bool:
        """Whether it speaks first."""
        return self.position == 1

    @property
    def last(self) -> bool:
        """Whether its message is the team's answer."""
        return self.position == self.of


def read_seat(policy_text: str) -> Seat:
    """The seat that a policy names ("You are Agent 1 of 2 …"); the only one where it names none."""
    found = _SEAT.search(policy_text)
    if found is None:
        return Seat("agent_1", 1, 1)
    position, of = int(found.group(1)), int(found.group(2))
    return Seat(f"agent_{position}", position, max(of, position))
