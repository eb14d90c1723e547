"""The contract between an environment and everything that trains on it."""

from __future__ import annotations

import copy
import inspect
import json
import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from langmarl.config import BaseConfig
from langmarl.errors import LangMARLError, UnknownNameError
from langmarl.llm import LLMClient, call_scope
from langmarl.trajectory import Step, Trajectory


class BaseEnvironment(ABC):
    """A place where a team of agents acts and is rewarded.

    A plugin that defines ``sample_tasks`` and ``collect_trajectory`` trains; all else has a default. A plugin that
    defines ``sample_tasks``, ``reset`` and ``step`` gets ``collect_trajectory`` for nothing. A constructor of its own
    takes the config and hands it on: ``super().__init__(config)``.

    **Tasks** are dicts of plain JSON values. They are written to disk before they are played and read back on a
    rerun, so a task may come back as an equal copy (a tuple as a list). What ``sample_tasks`` and
    ``held_out_tasks`` return belongs to the caller.

    **Rewards** are the team's, higher is better, finite; language tasks use [0, 1].

    **Failures.** What the agents do badly is a *score*: a wrong, empty or unreadable answer, a move the game forbids,
    a program that crashes. What keeps the episode from being scored is an *exception*: a model call that failed for
    good (:class:`~langmarl.errors.ModelCallError`), a broken simulator. Such an episode is recorded as failed and left
    out of the iteration; it is never scored 0. ``RunHalted`` passes through untouched.

    **Threads.** One object is never stepped by two threads at once: each concurrent rollout gets its own
    :meth:`clone`. The object that draws tasks is used by one thread.

    **Model calls** made through :class:`~langmarl.llm.client.LLMClient` reach the run's journal, budget and usage by
    themselves.

    Attributes:
        config_class: The config that this environment reads; the JSON field ``env`` selects it.
        max_moves: Moves after which the default ``collect_trajectory`` gives an episode up as endless.
        config: The run's config; read only.
        rng: The source of all this environment's randomness; :meth:`seed` replaces it.
    """

    config_class: ClassVar[type[BaseConfig]] = BaseConfig
    max_moves: ClassVar[int] = 1000

    def __init__(self, config: BaseConfig) -> None:
        self.config = config
        self.rng = random.Random(config.seed)
        self._actor: LLMClient | None = None

    # ---- the team

    @property
    def agent_ids(self) -> list[str]:
        """The agents' names, in the order in which they act; distinct, and usable as file names.

        Policies are stored and handed over under exactly these names.
        """
        return list(self.config.agent_ids)

    def base_policies(self) -> dict[str, str]:
        """The fixed part of each agent's policy: its role and the protocol, no advice.

        Returns:
            One non-empty text per agent, under exactly the names in ``agent_ids``.
        """
        count = len(self.agent_ids)
        return {
            agent_id: f"You are {agent_id}, one of a team of {count}." if count > 1 else f"You are {agent_id}."
            for agent_id in self.agent_ids
        }

    # ---- tasks

    def seed(self, value: int) -> None:
        """Start the randomness anew; called before ``sample_tasks`` and before each episode."""
        self.rng = random.Random(value)

    @abstractmethod
    def sample_tasks(self, n: int) -> list[dict[str, Any]]:
        """Draw ``n`` training tasks, in the order in which they become episodes.

        Returns:
            Exactly ``n`` dicts of plain JSON values; the same ones for the same seed where the environment can.
        """

    def held_out_tasks(self, n: int) -> list[dict[str, Any]]:
        """The first ``n`` tasks kept for evaluation, never drawn for training.

        Returns:
            At most ``n`` tasks, the same ones at every call; fewer where there are fewer, none by default.
        """
        return []

    def render_task(self, task: dict[str, Any]) -> str:
        """The task as text, for the critic and the gradient; holds no reference answer. Default: its JSON."""
        return json.dumps(task, ensure_ascii=False, indent=2)

    def reference(self, task: dict[str, Any]) -> str | None:
        """What a right answer is, for the critic's eyes only; None where there is none."""
        return None

    def reward_rule(self) -> str:
        """How the reward comes about, in words for critic and optimizer; the same for every task.

        A model that knows only a number guesses at its cause. Holds nothing of one task; empty (the default): untold.
        """
        return ""

    # ---- episodes

    def collect_trajectory(self, policies: dict[str, str], task: dict[str, Any]) -> Trajectory:
        """Play one episode.

        The default lets the agents act in turn through ``reset`` and ``step``. Each agent's system prompt is its
        policy, the user message its observation, and the reply its action.

        Args:
            policies: Policy text by agent name, one for each of ``agent_ids``; must not be changed.
            task: One of this environment's tasks, perhaps after a way through JSON; must not be changed.

        Returns:
            Every move in the order played, and the sum of the steps' rewards. The metadata are the last step's info,
            and under ``truncated`` the agents with a message cut off at the token limit, if any.

        Raises:
            ModelCallError: A call failed for good; the episode is lost.
            LangMARLError: The episode did not end within ``max_moves`` moves.
        """
        observations = dict(self.reset(copy.deepcopy(task)))
        order = self.agent_ids
        agent_id, steps, reward = order[0], list[Step](), 0.0
        truncated: set[str] = set()
        while len(steps) < self.max_moves:
            observation = observations[agent_id]
            action = self._act(agent_id, policies, observation, truncated)
            steps.append(Step(agent_id, observation, action))
            observation, step_reward, done, info = self.step(agent_id, action)
            reward += float(step_reward)
            if done:
                metadata = {**info, "truncated": sorted(truncated)} if truncated else dict(info)
                return Trajectory(task, steps, reward, metadata)
            agent_id = info.get("next_agent", order[(order.index(agent_id) + 1) % len(order)])
            observations[agent_id] = observation
        raise LangMARLError(
            f"{type(self).__name__} did not end an episode within {self.max_moves} moves",
            "step() must return done=True some time; raise the class's max_moves if the game is that long.",
        )

    def reset(self, task: dict[str, Any]) -> dict[str, str]:
        """Begin an episode.

        Returns:
            What each agent sees at the start, by agent name. At least the first agent's is read.
        """
        raise self._not_defined("reset")

    def step(self, agent_id: str, action: str) -> tuple[str, float, bool, dict[str, Any]]:
        """Carry out one agent's action.

        Args:
            agent_id: Who acts.
            action: What it said; any text, also empty or malformed, which is the agent's fault and no exception.

        Returns:
            ``(observation, reward, done, info)``: what the agent *who acts next* sees; this move's reward for the
            team; whether the episode is over; plain JSON facts. The next agent is the one after ``agent_id`` in
            ``agent_ids``, round and round, unless ``info["next_agent"]`` names another.
        """
        raise self._not_defined("step")

    # ---- housekeeping

    def clone(self) -> Self:
        """Another object for one concurrent rollout; only ``seed``, ``collect_trajectory`` and ``close`` are called.

        The default builds one from the config, or copies deeply where the constructor asks for more.
        """
        try:
            inspect.signature(type(self)).bind(self.config)
        except TypeError:
            return copy.deepcopy(self)
        return type(self)(self.config)

    def content_digests(self) -> dict[str, str]:
        """SHA-256 (hex) of each file that the tasks come from, by a name that is the same on every machine.

        They are part of the run's fingerprint: another file is another run.
        """
        return {}

    def close(self) -> None:  # noqa: B027 (most environments hold nothing)
        """Let go of what the object holds; may be called twice, and never disturbs other clones."""

    def _act(self, agent_id: str, policies: Mapping[str, str], observation: str, truncated: set[str]) -> str:
        """One agent's reply to what it sees."""
        if agent_id not in policies:
            raise UnknownNameError("agent", agent_id, policies)
        if self._actor is None:
            self._actor = LLMClient(self.config.get_actor_llm(), role="actor")
        with call_scope(agent=agent_id):
            reply = self._actor.complete(policies[agent_id], observation)
        if reply.truncated:
            truncated.add(agent_id)
        return reply.text

    def _not_defined(self, method: str) -> NotImplementedError:
        return NotImplementedError(
            f"{type(self).__name__} defines neither collect_trajectory() nor {method}(); one of the two ways is needed"
        )
