"""Questions, mathematics, code and writing as an environment for a team of agents."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any, Self

from langmarl.config import BaseConfig, LanguageTaskConfig
from langmarl.envs.base import BaseEnvironment
from langmarl.envs.language.coding_reward import CodingReward
from langmarl.envs.language.formats import Task, load_benchmark
from langmarl.envs.language.judge import JudgeReward
from langmarl.envs.language.math_reward import MathReward
from langmarl.envs.language.qa_reward import QAReward
from langmarl.envs.language.rendering import base_policy, render_observation, render_task
from langmarl.envs.language.reward import LanguageReward
from langmarl.envs.language.split import split_tasks
from langmarl.envs.registry import register_env
from langmarl.envs.sandbox import ensure_available
from langmarl.errors import UserMistake
from langmarl.trajectory import Step


@register_env("language")
class LanguageEnvironment(BaseEnvironment):
    """The agents speak once each, in turn; the last one's message is the team's answer and alone is scored.

    Each agent sees the task and all earlier messages, never the reference answer. Clones share the tasks, which
    nobody changes, and the reward, which any thread may ask.

    Raises (when built):
        UserMistake: The benchmark cannot be read, holds tasks of another type, or code cannot be run safely here.
    """

    config_class = LanguageTaskConfig

    def __init__(self, config: BaseConfig) -> None:
        super().__init__(config)
        if not isinstance(config, LanguageTaskConfig):
            raise UserMistake(f"the language environment reads a LanguageTaskConfig, not a {type(config).__name__}")
        self._task_type = config.task_type
        benchmark = load_benchmark(
            config.task_type, config.benchmark_path, config.data_limit, folders_written_to(config)
        )
        self._digests = benchmark.digests
        self._split = split_tasks(benchmark.tasks, config.train_test_split, config.seed)
        self._reward = make_reward(config)
        self._task: Task = {}
        self._messages: list[Step] = []

    def base_policies(self) -> dict[str, str]:
        """Who each agent is, whom it hears and who hears it."""
        agents = self.agent_ids
        return {agent: base_policy(self._task_type, number, len(agents)) for number, agent in enumerate(agents, 1)}

    def sample_tasks(self, n: int) -> list[Task]:
        """``n`` training tasks; none comes twice before all have come once."""
        drawn: list[Task] = []
        while len(drawn) < n:
            drawn += self.rng.sample(self._split.train, min(n - len(drawn), len(self._split.train)))
        return copy.deepcopy(drawn)

    def held_out_tasks(self, n: int) -> list[Task]:
        """The first ``n`` of the held-out part."""
        return copy.deepcopy(self._split.held_out[: max(n, 0)])

    def render_task(self, task: Task) -> str:
        """The task as the agents see it."""
        return render_task(task)

    def reference(self, task: Task) -> str:
        """The answer (qa, math), the tests and a solution (coding), the requirements (writing)."""
        match task["task_type"]:
            case "coding":
                return f"Tests:\n{task['tests'].strip()}\n\nSolution:\n{task['prompt']}{task['canonical_solution']}"
            case "writing":
                return "\n".join(f"- {requirement}" for requirement in task["requirements"])
            case _:
                return str(task["answer"])

    def reward_rule(self) -> str:
        """What the last message is compared with, and how."""
        return self._reward.rule

    def reset(self, task: Task) -> dict[str, str]:
        """Begin with a task; at the start every agent sees the same."""
        self._task, self._messages = task, []
        return dict.fromkeys(self.agent_ids, render_task(task))

    def step(self, agent_id: str, action: str) -> tuple[str, float, bool, dict[str, Any]]:
        """Take a message; after the last agent's the episode is over and scored."""
        self._messages.append(Step(agent_id, "", action))
        observation = render_observation(self._task, self._messages)
        if len(self._messages) < len(self.agent_ids):
            return observation, 0.0, False, {}
        score = self._reward.score(self._task, action)
        return observation, score.reward, True, {"task_id": self._task["id"], **score.details}

    def clone(self) -> Self:
        """An object with an episode and a randomness of its own, and the same tasks."""
        twin = copy.copy(self)
        twin.rng = random.Random(self.config.seed)
        twin._task, twin._messages = {}, []
        return twin

    def content_digests(self) -> dict[str, str]:
        """SHA-256 of each benchmark file, by its path below ``benchmark_path``."""
        return dict(self._digests)


def folders_written_to(config: BaseConfig) -> list[Path]:
    """The folders of runs; where a benchmark is in a directory above them, they are no part of it."""
    return [Path(folder) for folder in (config.experiment_dir, config.checkpoint_dir) if folder is not None]


def make_reward(config: LanguageTaskConfig) -> LanguageReward:
    """The reward for a config's task type; a judge for writing, and for all types without ``use_verified_reward``.

    Raises:
        UserMistake: Programs are to be run and there is no sandbox to run them in.
    """
    if config.task_type == "writing" or not config.use_verified_reward:
        return JudgeReward(config)
    if config.task_type == "coding":
        ensure_available()
        return CodingReward(config.code_timeout)
    return MathReward() if config.task_type == "math" else QAReward()
