"""Environments as plugin authors write them."""

from __future__ import annotations

import random
from typing import Any

from langmarl.envs import BaseEnvironment
from langmarl.trajectory import Step, Trajectory


class CoinToss(BaseEnvironment):
    """The least a plugin can be: it defines two methods, and asks no model."""

    def sample_tasks(self, n: int) -> list[dict[str, Any]]:
        return [{"sides": self.rng.randint(2, 1000)} for _ in range(n)]

    def collect_trajectory(self, policies: dict[str, str], task: dict[str, Any]) -> Trajectory:
        steps = [Step(agent, f"{task['sides']} sides", policies[agent][:5]) for agent in self.agent_ids]
        return Trajectory(task, steps, float(self.rng.randint(0, 1)))


class Queue(BaseEnvironment):
    """A stateful sampler: it hands out tasks one after the other, whatever the seed. Its constructor wants more."""

    def __init__(self, config: Any, first: int) -> None:
        super().__init__(config)
        self._next = first

    def sample_tasks(self, n: int) -> list[dict[str, Any]]:
        self._next += n
        return [{"number": number} for number in range(self._next - n, self._next)]

    def collect_trajectory(self, policies: dict[str, str], task: dict[str, Any]) -> Trajectory:
        steps = [Step(agent, str(task["number"]), policy) for agent, policy in policies.items()]
        return Trajectory(task, steps, 1.0)


class Countdown(BaseEnvironment):
    """Defines reset and step only: agents take turns; each reply that is the next lower number earns 1."""

    def sample_tasks(self, n: int) -> list[dict[str, Any]]:
        return [{"start": self.rng.randint(3, 9)} for _ in range(n)]

    def reset(self, task: dict[str, Any]) -> dict[str, str]:
        self.current = task["start"]
        return dict.fromkeys(self.agent_ids, f"The number is {self.current}.")

    def step(self, agent_id: str, action: str) -> tuple[str, float, bool, dict[str, Any]]:
        right = action.strip() == str(self.current - 1)
        self.current -= 1
        return f"The number is {self.current}.", float(right), self.current == 0, {"left": self.current}


class Unseeded(CoinToss):
    """Draws from a randomness that no seed reaches."""

    def sample_tasks(self, n: int) -> list[dict[str, Any]]:
        source = random.SystemRandom()
        return [{"sides": source.randrange(10**9)} for _ in range(n)]
