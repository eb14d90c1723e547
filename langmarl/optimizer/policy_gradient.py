"""The language policy gradient: LLM_grad, LLM_agg, LLM_opt."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from langmarl.config import LLMConfig
from langmarl.critic.base import Assessment
from langmarl.episode_view import render_episode, render_excerpt, render_reward
from langmarl.llm import LLMClient, Reply, current_scope
from langmarl.optimizer.base import BaseOptimizer, Note, UnusableReply
from langmarl.policy import LEARNED_HEADING, Policy
from langmarl.prompts import Prompt, load_templates, wrap

DEFAULT_LIMIT = 4000
"""Longest learned part, in characters, where no config says otherwise."""

_FENCE = re.compile(r"\A```[\w-]*\n(.*?)\n?```\s*\Z", re.DOTALL)


class PolicyGradientOptimizer(BaseOptimizer):
    """Language gradients after arXiv 2604.00722, section 3: note, merge, rewrite; one model call each.

    Args:
        llm_config: The optimizer's model.
        prompts_dir: Folder with templates in place of the shipped ones.
        max_policy_chars: Longest learned part, in characters; told to the model.
    """

    def __init__(
        self,
        llm_config: LLMConfig,
        prompts_dir: str | Path | None = None,
        max_policy_chars: int = DEFAULT_LIMIT,
    ) -> None:
        self._limit = max_policy_chars
        self._templates = load_templates(prompts_dir)
        self._gradient = LLMClient(llm_config, role="gradient")
        self._aggregate = LLMClient(llm_config, role="aggregate")
        self._update = LLMClient(llm_config, role="update")

    def generate_gradient(self, policy: str, evaluation: Assessment, context: Mapping[str, Any]) -> str:
        """LLM_grad; see :meth:`BaseOptimizer.generate_gradient`."""
        agent = context.get("agent_id") or "the team"
        trajectory = context["trajectory"]
        prompt = self._templates.fill(
            "gradient",
            agent=agent,
            policies="\n".join(
                wrap("policy", text, agent=name) for name, text in (context.get("policies") or {agent: policy}).items()
            ),
            assessment=wrap("assessment", evaluation["feedback"], credit=f"{evaluation['credit']:+.2f}"),
            task=render_excerpt(str(context.get("task") or trajectory.task)),
            outcome=render_reward(trajectory, context.get("reward_rule", "")),
            episode=render_episode(trajectory),
        )
        return _usable(self._gradient.complete(prompt.system, prompt.user), "the note")

    def aggregate_gradients(self, gradients: Sequence[str]) -> str:
        """LLM_agg; see :meth:`BaseOptimizer.aggregate_gradients`."""
        prompt = self._templates.fill("aggregate", notes=wrap("notes", "\n".join(map(_render_note, gradients))))
        return _usable(self._aggregate.complete(prompt.system, prompt.user), "the merged note")

    def apply_gradient(self, policy: str, gradient: str) -> str:
        """LLM_opt; see :meth:`BaseOptimizer.apply_gradient`."""
        prompt = self._update_prompt(policy, gradient)
        reply = self._update.complete(prompt.system, prompt.user)
        return self._rewritten(policy, reply)

    def revise_policy(self, policy: str, gradient: str, rejected: str, problem: str) -> str:
        """LLM_opt once more, told what was wrong."""
        retry = self._templates.fill(
            "update_retry",
            request=self._update_prompt(policy, gradient).user,
            reply=wrap("reply", Policy.parse(rejected).learned),
            problem=problem,
            limit=self._limit,
        )
        reply = self._update.complete(retry.system, retry.user, attempt=1)
        return self._rewritten(policy, reply)

    def _update_prompt(self, policy: str, gradient: str) -> Prompt:
        scope = current_scope()
        return self._templates.fill(
            "update",
            agent=(scope and scope.agent) or "the agent",
            policy=wrap("policy", policy),
            learned=wrap("learned", Policy.parse(policy).learned),
            merged_note=wrap("merged_note", gradient),
            limit=self._limit,
        )

    def _rewritten(self, policy: str, reply: Reply) -> str:
        learned = _learned_part(_usable(reply, "the new policy"))
        if not learned:
            raise UnusableReply("the new policy is empty", reply.text)
        return Policy.parse(policy).with_learned(learned).text


def _render_note(note: str) -> str:
    if isinstance(note, Note) and note.credit is not None:
        return wrap("note", note, episode=note.episode, credit=f"{note.credit:+.2f}")
    return wrap("note", note)


def _learned_part(text: str) -> str:
    """The reply without what models put around it: a fence, or the base and heading said again."""
    fenced = _FENCE.match(text)
    inner = fenced.group(1) if fenced else text
    return inner.rsplit(LEARNED_HEADING, maxsplit=1)[-1].strip()


def _usable(reply: Reply, what: str) -> str:
    if reply.truncated:
        raise UnusableReply(f"{what} was cut off at the model's token limit", reply.text)
    if not reply.text.strip():
        raise UnusableReply(f"{what} is empty", reply.text)
    return reply.text.strip()
