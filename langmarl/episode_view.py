"""An episode as sections of a request, for the critic and for gradients."""

from __future__ import annotations

from collections.abc import Mapping

from langmarl.prompts import wrap
from langmarl.trajectory import Trajectory

_OUTCOME_VALUE_LIMIT = 500  # characters; a verdict's reason is short, anything longer would crowd out the episode

_EXCERPT = 1200  # characters; some 300 tokens


def render_episode(trajectory: Trajectory) -> str:
    """Every message with its agent and step number."""
    messages = [
        wrap("message", step.action, agent=step.agent_id, step=number) for number, step in enumerate(trajectory.steps)
    ]
    return wrap("episode", "\n".join(messages))


def render_excerpt(task: str) -> str:
    """The task for a gradient: whole where it is short, else its beginning and its end.

    A note rests on the critic's words and is about habits, so it needs to know the kind of the task; N agents x K
    episodes times every passage of it would be most of what a run reads.
    """
    left_out = len(task) - _EXCERPT
    if left_out > 0:
        half = _EXCERPT // 2
        task = f"{task[:half]}\n[… {left_out:,} characters left out …]\n{task[-half:]}"
    return wrap("task", task)


def render_policies(policies: Mapping[str, str]) -> str:
    """Every agent's policy, by agent."""
    return wrap("policies", "\n".join(wrap("policy", text, agent=agent) for agent, text in policies.items()))


def render_outcome(trajectory: Trajectory, rule: str) -> str:
    """The reward, how it comes about, and what the environment reports with it, one ``name: value`` a line.

    Args:
        trajectory: A finished episode.
        rule: How the environment's reward comes about; empty where that is not told.
    """
    lines = _reward_lines(trajectory, rule)
    for name, value in trajectory.metadata.items():
        if isinstance(value, str | int | float | bool) and name not in {"seed", "reward_rule"}:
            text = f"{value:.4g}" if isinstance(value, float) else str(value)
            lines.append(f"{name}: {text[:_OUTCOME_VALUE_LIMIT]}")
    return wrap("outcome", "\n".join(lines))


def render_reward(trajectory: Trajectory, rule: str) -> str:
    """The reward and its rule: what a gradient may see of the outcome (other metadata can hold the answer)."""
    return wrap("outcome", "\n".join(_reward_lines(trajectory, rule)))


def _reward_lines(trajectory: Trajectory, rule: str) -> list[str]:
    """The reward, and the rule where there is one: that of a reward which replaced the environment's goes first."""
    rule = trajectory.metadata.get("reward_rule", rule)
    return [f"reward: {trajectory.reward:.4g}", *([f"reward_rule: {rule}"] if rule else [])]
