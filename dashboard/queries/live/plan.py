"""What a run is meant to do, from its ``config.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.queries.live.numbers import count, known, number


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The settings that the Live page needs; readable also where the environment is not installed here.

    Attributes:
        num_iterations: How many iterations the run is to have, as a total; 0 where that is not known.
        episodes: Training episodes an iteration.
        judged: Episodes an iteration that go to the critic.
        num_agents: Agents in the team.
        eval_tasks: Held-out tasks a checkpoint; 0: no evaluation.
        eval_every: Every how many iterations checkpoints are evaluated.
        max_cost_usd: The budget in US dollars; None: no limit.
        max_total_tokens: The budget in tokens, input and output together; None: no limit.
        paradigm: ``central_credit`` or ``central_global``; None where it is not known.
    """

    num_iterations: int = 0
    episodes: int = 0
    judged: int = 0
    num_agents: int = 0
    eval_tasks: int = 0
    eval_every: int = 1
    max_cost_usd: float | None = None
    max_total_tokens: int | None = None
    paradigm: str | None = None

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> RunPlan:
        """Read a config's plain values; what is missing or of the wrong kind counts as not set."""
        episodes = count(config.get("trajectories_per_iteration"))
        paradigm = config.get("paradigm")
        return cls(
            num_iterations=count(config.get("num_iterations")),
            episodes=episodes,
            judged=min(episodes, count(config.get("mini_batch_size")) or episodes),
            num_agents=count(config.get("num_agents")),
            eval_tasks=count(config.get("eval_tasks")),
            eval_every=max(1, count(config.get("eval_every"))),
            max_cost_usd=known(number(config.get("max_cost_usd"))),
            max_total_tokens=count(config.get("max_total_tokens")) or None,
            paradigm=paradigm if isinstance(paradigm, str) else None,
        )

    def is_evaluated(self, checkpoint: int) -> bool:
        """Whether ``checkpoint`` is to be played on the held-out tasks."""
        return self.eval_tasks > 0 and (checkpoint % self.eval_every == 0 or checkpoint >= self.num_iterations)

    def evaluations_from(self, checkpoint: int) -> int:
        """How many checkpoints from ``checkpoint`` to the last one are to be evaluated."""
        last, every = self.num_iterations, self.eval_every
        if self.eval_tasks == 0 or checkpoint > last:
            return 0
        regular = last // every - (checkpoint - 1) // every
        return regular + (last % every != 0)
