"""What each iteration plays: drawn by seed, written down before the first call, read back on a rerun."""

from __future__ import annotations

import random
from typing import Any

from langmarl.collector import IterationPlan, PlannedEpisode
from langmarl.config import BaseConfig
from langmarl.envs import BaseEnvironment
from langmarl.errors import ConfigError, Fault
from langmarl.seeds import derive_seed
from langmarl.store import RunDirectory


def held_out_shortage(env: BaseEnvironment, config: BaseConfig) -> str | None:
    """What to warn of where fewer tasks are held out than ``eval_tasks`` asks for; None where there are enough.

    Raises:
        ConfigError: None is held out, so there is nothing to evaluate on.
    """
    wanted = config.eval_tasks
    available = len(env.held_out_tasks(wanted)) if wanted else 0
    if available >= wanted:
        return None
    if not available:
        remedy = "use more tasks or a smaller share for training, or set eval_tasks to 0"
        raise ConfigError([Fault("eval_tasks", f"is {wanted}, but no task is held out for evaluation; {remedy}.")])
    return f"eval_tasks is {wanted}, but the number of held-out tasks is {available}; the evaluation uses all of them"


class TaskPlanner:
    """Plans the iterations of one run. Used by one thread.

    An environment may keep state between draws. So after a restart every earlier iteration is drawn again, in order,
    and thrown away: the next draw is then the one that a run without a restart would have made.

    Args:
        env: Draws the tasks; not shared with rollouts while it draws.
        config: Gives the seed and the sizes.
        run: Where plans are written.

    Attributes:
        run: The run that is planned.
    """

    def __init__(self, env: BaseEnvironment, config: BaseConfig, run: RunDirectory) -> None:
        self._env = env
        self._config = config
        self.run = run
        self._next_draw = 0
        self._drawn: dict[int, list[dict[str, Any]]] = {}

    def plan(self, iteration: int) -> IterationPlan:
        """The plan of ``iteration``; the one on disk where there is one."""
        self._draw_up_to(iteration)
        drawn = self._drawn.pop(iteration, None)
        tasks = self.run.tasks.get(iteration)
        if tasks is None:
            tasks = drawn if drawn is not None else self._draw(iteration)
            self.run.tasks.save(iteration, tasks)
        return IterationPlan(
            iteration,
            [PlannedEpisode(task, self._seed("episode", iteration, number)) for number, task in enumerate(tasks)],
            self._mini_batch(iteration, len(tasks)),
        )

    def held_out(self) -> list[PlannedEpisode]:
        """The evaluation episodes, the same ones for every checkpoint; empty where evaluation is off."""
        wanted = self._config.eval_tasks
        if not wanted:
            return []
        tasks = self.run.tasks.get_held_out()
        if tasks is None or len(tasks) != wanted:
            tasks = self._env.held_out_tasks(wanted)
            self.run.tasks.save_held_out(tasks)
        return [PlannedEpisode(task, self._seed("held_out", number)) for number, task in enumerate(tasks)]

    def _draw_up_to(self, iteration: int) -> None:
        while self._next_draw <= iteration:
            self._drawn[self._next_draw] = self._draw(self._next_draw)
            self._drawn.pop(self._next_draw - 1, None)
            self._next_draw += 1

    def _draw(self, iteration: int) -> list[dict[str, Any]]:
        self._env.seed(self._seed("tasks", iteration))
        return self._env.sample_tasks(self._config.trajectories_per_iteration)

    def _mini_batch(self, iteration: int, episodes: int) -> list[int]:
        size = self._config.mini_batch_size
        if size is None or size >= episodes:
            return list(range(episodes))
        return sorted(random.Random(self._seed("mini_batch", iteration)).sample(range(episodes), size))

    def _seed(self, *place: object) -> int:
        return derive_seed(self._config.seed, *place)
