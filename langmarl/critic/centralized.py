"""The centralized critic: one model call that reads a whole episode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from langmarl.config import BaseConfig
from langmarl.critic.answer import TEAM, CriticAnswer, answer_schema, describe_format, read_answer
from langmarl.critic.base import BaseCritic
from langmarl.envs import BaseEnvironment
from langmarl.episode_view import render_episode, render_outcome, render_policies
from langmarl.llm import JsonSchema, LLMClient, Reply
from langmarl.prompts import Prompt, load_templates, wrap
from langmarl.trajectory import Trajectory


class CentralizedCritic(BaseCritic):
    """Assigns credit under both paradigms, with one call an episode.

    ``central_credit`` asks for one assessment per agent; ``central_global`` for one assessment of the team, which
    then stands for every agent (arXiv 2604.00722, section 3). It sees the reward and, where the environment has
    one, the reference answer. An answer that cannot be read is asked for once more.

    Args:
        config: The run's config; gives the paradigm and the critic's model.
        env: Renders tasks and knows reference answers; without it the task is shown as JSON.
        prompts_dir: Folder with templates in place of the shipped ones; None: the config's.
    """

    def __init__(
        self, config: BaseConfig, env: BaseEnvironment | None = None, prompts_dir: str | Path | None = None
    ) -> None:
        self.paradigm = config.paradigm
        self._env = env
        self._templates = load_templates(prompts_dir or config.prompts_dir)
        self._client = LLMClient(config.get_critic_llm(), role="critic")

    def evaluate(self, trajectory: Trajectory, policies: Mapping[str, str]) -> dict[str, Any]:
        """Assess one episode; see :meth:`BaseCritic.evaluate`."""
        team = self.paradigm == "central_global"
        subjects = [TEAM] if team else list(policies)
        shape = answer_schema(subjects, len(trajectory.steps), team=team)
        schema = JsonSchema("credit_team" if team else "credit_per_agent", shape)
        prompt = self._prompt(trajectory, policies, describe_format(subjects, team=team))
        reply = self._client.complete(prompt.system, prompt.user, schema=schema)
        answer = self._read(reply, subjects, trajectory)
        if answer.problem is not None:
            repair = self._repair_prompt(prompt, reply, answer.problem, describe_format(subjects, team=team))
            reply = self._client.complete(repair.system, repair.user, schema=schema, attempt=1)
            answer = _better(answer, self._read(reply, subjects, trajectory))
        assessments = answer.assessments
        return {
            "raw_response": reply.text,
            "paradigm": self.paradigm,
            "per_agent": {agent: assessments[TEAM if team else agent] for agent in policies},
            "problem": answer.problem,
        }

    def _prompt(self, trajectory: Trajectory, policies: Mapping[str, str], answer_format: str) -> Prompt:
        task = self._env.render_task(trajectory.task) if self._env else str(trajectory.task)
        reference = self._env.reference(trajectory.task) if self._env else None
        rule = self._env.reward_rule() if self._env else ""
        return self._templates.fill(
            f"critic_{'global' if self.paradigm == 'central_global' else 'credit'}",
            task=wrap("task", task),
            reference=wrap("reference", reference) if reference is not None else "",
            outcome=render_outcome(trajectory, rule),
            policies=render_policies(policies),
            episode=render_episode(trajectory),
            answer_format=answer_format,
        )

    def _repair_prompt(self, prompt: Prompt, reply: Reply, problem: str, answer_format: str) -> Prompt:
        return self._templates.fill(
            "critic_repair",
            request=prompt.user,
            reply=wrap("reply", reply.text[:_MOST_QUOTED]),
            problem=problem,
            answer_format=answer_format,
        )

    def _read(self, reply: Reply, subjects: Sequence[str], trajectory: Trajectory) -> CriticAnswer:
        if reply.truncated:
            return CriticAnswer(dict.fromkeys(subjects), "it was cut off at the token limit; be shorter")
        team = self.paradigm == "central_global"
        return read_answer(reply.text, subjects, len(trajectory.steps), team=team)


_MOST_QUOTED = 2000
"""Characters of an answer that could not be read which are shown to the critic again: one that ran away is no help."""


def _better(first: CriticAnswer, second: CriticAnswer) -> CriticAnswer:
    """Of two answers the later, with what only the earlier one told."""
    merged = {
        subject: second.assessments.get(subject) or assessment for subject, assessment in first.assessments.items()
    }
    complete = all(assessment is not None for assessment in merged.values())
    return CriticAnswer(merged, None if complete else second.problem or first.problem)
