"""What an optimizer is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Self

from langmarl.critic.base import Assessment
from langmarl.errors import LangMARLError


class Note(str):
    """One language gradient: a short text, with where it came from.

    Attributes:
        credit: The critic's credit behind it, in [-1, 1]; None where unknown.
        episode: The episode it came from; None where unknown.
    """

    credit: float | None
    episode: int | None

    def __new__(cls, text: str, credit: float | None = None, episode: int | None = None) -> Self:
        """A note is its text."""
        note = super().__new__(cls, text)
        note.credit, note.episode = credit, episode
        return note


class UnusableReply(LangMARLError):
    """The model answered, but the answer cannot be used; the old policy stays.

    Attributes:
        text: The reply as it came, kept for whoever wants to know why.
    """

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(reason)
        self.text = text


class BaseOptimizer(ABC):
    """Turns assessments into new policies, in three steps. One object is called from several threads at once.

    The trainer decides whether a new policy is accepted (see :func:`langmarl.optimizer.refusal_of`); an optimizer
    only writes.
    """

    @abstractmethod
    def generate_gradient(self, policy: str, evaluation: Assessment, context: Mapping[str, Any]) -> str:
        """LLM_grad: a short note that says how ``policy`` should change, from one episode.

        Args:
            policy: The agent's policy; under ``central_global`` all policies, one after another.
            evaluation: What the critic said of this agent, or of the team.
            context: ``agent_id``, ``policies`` (by agent), ``task`` and ``reward_rule`` (as
                text), ``trajectory``.

        Raises:
            UnusableReply: The note is empty or cut off; this episode then gives no gradient.
            ModelCallError: The model gave no answer; likewise.
        """

    @abstractmethod
    def aggregate_gradients(self, gradients: Sequence[str]) -> str:
        """LLM_agg: one note out of many (each a :class:`Note` when the trainer calls).

        Raises:
            UnusableReply: The merged note is empty or cut off; the policy stays.
            ModelCallError: The model gave no answer; likewise.
        """

    @abstractmethod
    def apply_gradient(self, policy: str, gradient: str) -> str:
        """LLM_opt: the new policy, whole: base unchanged, learned part rewritten.

        Raises:
            UnusableReply: The reply is empty or cut off; the policy stays.
            ModelCallError: The model gave no answer; likewise.
        """

    def revise_policy(self, policy: str, gradient: str, rejected: str, problem: str) -> str | None:
        """One more try after ``rejected`` was refused for ``problem``; None where the optimizer has no second try.

        Raises:
            UnusableReply, ModelCallError: As :meth:`apply_gradient`.
        """
        return None
