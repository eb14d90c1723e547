"""How a critic puts a lesson into words: what it saw, what should be done, what should be kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langmarl.llm.offline.choice import pick

_NO_FAULT = (
    "Its part in this episode was sound, and the loss did not come from here.",
    "It did its own work properly; the episode was lost elsewhere.",
    "Nothing in its message led the team astray.",
)
_WON_ANYWAY = (
    "The team won this time, though it could have been surer of it.",
    "All went well here, with a little luck.",
)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing to learn from an episode, each part in several wordings.

    Attributes:
        seen: What went wrong.
        advice: What the agent should do.
        praise: What it should keep doing.
    """

    seen: tuple[str, ...]
    advice: tuple[str, ...]
    praise: tuple[str, ...]


class Phrasebook:
    """Feedback from lessons; the wording follows from ``seed`` alone.

    Args:
        lessons: By the name of the habit that each is about.
    """

    def __init__(self, lessons: Mapping[str, Lesson]) -> None:
        self._lessons = lessons

    def advice(self, name: str, *seed: object) -> str:
        """What the agent should do."""
        return pick(self._lessons[name].advice, name, "advice", *seed)

    def criticism(self, name: str, *seed: object) -> str:
        """What was wrong and what the agent should do about it."""
        return f"{pick(self._lessons[name].seen, name, 'seen', *seed)} {self.advice(name, *seed)}"

    def suggestion(self, name: str, *seed: object) -> str:
        """What the agent should do although the team won this time."""
        return f"{pick(_WON_ANYWAY, name, *seed)} {self.advice(name, *seed)}"

    def praise(self, names: Sequence[str], *seed: object) -> str:
        """What the agent should keep doing; at most two things."""
        return " ".join(pick(self._lessons[name].praise, name, "praise", *seed) for name in names[:2])

    def exoneration(self, *seed: object) -> str:
        """That the loss was another agent's."""
        return pick(_NO_FAULT, *seed)
