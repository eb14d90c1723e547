"""The learning half of an iteration: each step's answer, or why there is none, as a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langmarl.collector.outcome import PolicyUpdate
from langmarl.critic import Assessment, BaseCritic
from langmarl.envs import BaseEnvironment
from langmarl.errors import ModelCallError
from langmarl.optimizer import BaseOptimizer, Note, UnusableReply, refusal_of
from langmarl.trajectory import Trajectory

TEAM = "team"
"""The subject of notes under ``central_global``."""

_UNANSWERED = (ModelCallError, UnusableReply)


@dataclass(slots=True)
class Notes:
    """The gradients of one subject, gathered until none is outstanding.

    Attributes:
        expected: Episodes that may still give a note.
        gradients: Those that came, usable or not.
        handed_over: Whether aggregation has begun.
    """

    expected: int
    gradients: list[Mapping[str, Any]] = field(default_factory=list)
    handed_over: bool = False

    @property
    def complete(self) -> bool:
        """Whether no more note can come."""
        return self.expected == 0

    @property
    def usable(self) -> int:
        """Notes that can be aggregated."""
        return sum(gradient["note"] is not None for gradient in self.gradients)

    @property
    def unusable(self) -> int:
        """Notes that were written but cannot be used."""
        return len(self.gradients) - self.usable

    def settle(self, gradient: Mapping[str, Any] | None) -> None:
        """One episode is through; None: it gave no note."""
        self.expected -= 1
        if gradient is not None:
            self.gradients.append(gradient)

    def in_episode_order(self) -> list[Note]:
        """The usable notes; the order does not depend on which was written first."""
        usable = [gradient for gradient in self.gradients if gradient["note"] is not None]
        return [
            Note(gradient["note"], credit=gradient["credit"], episode=gradient["episode"])
            for gradient in sorted(usable, key=lambda gradient: int(gradient["episode"]))
        ]


class Learner:
    """Critic and optimizer, with failures turned into values. Safe to call from several threads at once.

    A *subject* is what notes are about: each agent under ``central_credit``, the team under ``central_global``.

    Args:
        critic: Judges episodes.
        optimizer: Writes notes and policies.
        env: Renders tasks and knows reference answers.
        shared: Whether all agents share one set of notes (``central_global``).
        max_policy_chars: Longest learned part.
    """

    def __init__(
        self, critic: BaseCritic, optimizer: BaseOptimizer, env: BaseEnvironment, *, shared: bool, max_policy_chars: int
    ) -> None:
        self._critic = critic
        self._optimizer = optimizer
        self._env = env
        self._shared = shared
        self._limit = max_policy_chars

    def subjects(self, policies: Iterable[str]) -> list[str]:
        """What notes are written about."""
        return [TEAM] if self._shared else list(policies)

    def agents_of(self, subject: str, policies: Iterable[str]) -> list[str]:
        """The agents whose policies the notes about ``subject`` change."""
        return list(policies) if self._shared else [subject]

    def agent_of(self, subject: str) -> str | None:
        """The agent that calls about ``subject`` are made for; None for the team."""
        return None if self._shared else subject

    def assessment_of(self, subject: str, evaluation: Mapping[str, Any]) -> Assessment | None:
        """What the critic said of ``subject``; None where that could not be used."""
        per_agent: Mapping[str, Assessment | None] = evaluation["per_agent"]
        return next(iter(per_agent.values()), None) if self._shared else per_agent.get(subject)

    def judge(self, trajectory: Trajectory, policies: Mapping[str, str]) -> dict[str, Any]:
        """The critic's evaluation; without any assessment where the model gave no answer."""
        try:
            return self._critic.evaluate(trajectory, policies)
        except ModelCallError as error:
            return {"raw_response": "", "paradigm": None, "per_agent": dict.fromkeys(policies), "problem": str(error)}

    def differentiate(
        self,
        number: int,
        subject: str,
        trajectory: Trajectory,
        assessment: Assessment,
        policies: Mapping[str, str],
    ) -> dict[str, Any]:
        """LLM_grad for one episode: the note, or the problem."""
        agents = self.agents_of(subject, policies)
        context = {
            "agent_id": self.agent_of(subject),
            "policies": {agent: policies[agent] for agent in agents},
            "task": self._env.render_task(trajectory.task),
            "reward_rule": self._env.reward_rule(),
            "trajectory": trajectory,
        }
        gradient = {"episode": number, "credit": assessment["credit"], "note": None, "problem": None}
        try:
            policy = "\n\n".join(policies[agent] for agent in agents)
            return {**gradient, "note": self._optimizer.generate_gradient(policy, assessment, context)}
        except _UNANSWERED as error:
            return {**gradient, "problem": str(error)}

    def aggregate(self, notes: Sequence[Note]) -> dict[str, Any]:
        """LLM_agg: the merged note, or the problem."""
        merged = {"note": None, "problem": None, "episodes": [note.episode for note in notes]}
        if not notes:
            return {**merged, "problem": "no episode gave a note"}
        try:
            return {**merged, "note": self._optimizer.aggregate_gradients(notes)}
        except _UNANSWERED as error:
            return {**merged, "problem": str(error)}

    def rewrite(
        self, agent: str, policy: str, merged: Mapping[str, Any], tasks: Iterable[dict[str, Any]]
    ) -> PolicyUpdate:
        """LLM_opt: the new policy where it is acceptable, else the old one and why."""
        if merged["note"] is None:
            return PolicyUpdate(agent, policy, refused=f"there is no merged note: {merged['problem']}", proposed=None)
        references = [reference for task in tasks if (reference := self._env.reference(task)) is not None]
        try:
            proposed = self._optimizer.apply_gradient(policy, merged["note"])
            refusal = refusal_of(policy, proposed, limit=self._limit, references=references)
            if refusal is not None and refusal.worth_retrying:
                revised = self._optimizer.revise_policy(policy, merged["note"], proposed, refusal.reason)
                if revised is not None:
                    proposed = revised
                    refusal = refusal_of(policy, proposed, limit=self._limit, references=references)
        except UnusableReply as error:
            return PolicyUpdate(agent, policy, refused=error.message, proposed=error.text)
        except ModelCallError as error:
            return PolicyUpdate(agent, policy, refused=str(error), proposed=None)
        if refusal is not None:
            return PolicyUpdate(agent, policy, refused=refusal.reason, proposed=proposed)
        return PolicyUpdate(agent, proposed, refused=None, proposed=proposed)
