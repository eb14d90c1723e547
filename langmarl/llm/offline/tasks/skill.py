"""What a task type must bring so that the offline model can play, judge and learn it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from langmarl.llm.offline.instructions import Habit, Seat


@dataclass(frozen=True, slots=True)
class Message:
    """One earlier message of the episode.

    Attributes:
        agent: Who wrote it, for example ``agent_1``.
        text: The whole message.
    """

    agent: str
    text: str


@dataclass(slots=True)
class EpisodeCase:
    """Everything a centralised critic is shown of one episode.

    Attributes:
        task: The task as the actors saw it, without the messages.
        reference: The reference answer, where the environment gives one.
        reward: The team's return; [0, 1] in language tasks.
        outcome: Whatever else the environment reports (``em``, ``f1`` …), as text.
        policies: Policy text by agent, in the order in which the agents speak.
        messages: Every message, in the order spoken; ``evidence`` counts them from 0.
    """

    task: str
    reference: str | None
    reward: float
    outcome: dict[str, str] = field(default_factory=dict)
    policies: dict[str, str] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)


@dataclass(slots=True)
class Finding:
    """The critic's view of one agent's part in an episode.

    Attributes:
        credit: From -1 (lost the episode) to 1 (won it).
        feedback: Plain sentences to the agent. What it "should" do, or keep doing, is said in so many words:
            the optimizer has nothing else to work with.
        evidence: Indices into ``EpisodeCase.messages`` that the view rests on.
    """

    credit: float
    feedback: str
    evidence: list[int] = field(default_factory=list)


class TaskSkill(Protocol):
    """How one type of task is recognised, played and judged.

    Every method is a pure function of its arguments: the same request always gets the same reply. Where variety is
    wanted (the phrasing of feedback), choose by a hash of the arguments, see ``langmarl.llm.offline.choice``.
    """

    @property
    def habits(self) -> tuple[Habit, ...]:
        """What instructions can change in ``act``; each habit does something, and nothing else is read."""
        ...

    def recognizes(self, task: str) -> bool:
        """Whether ``task`` (the actor's user message before any "Messages so far:") is of this type."""
        ...

    def act(self, task: str, earlier: list[Message], seat: Seat, habits: Mapping[str, bool | None]) -> str:
        """The message of the agent in ``seat``; a habit is True (told to), False (told not to) or None."""
        ...

    def diagnose(self, case: EpisodeCase) -> dict[str, Finding]:
        """One finding for every agent in ``case.policies``."""
        ...
