"""Settings of the language tasks: questions, mathematics, writing, code."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, field_validator

from langmarl.config.base import BaseConfig
from langmarl.config.faults import Combination
from langmarl.config.llm import LLMConfig
from langmarl.config.paths import check_path, expanded, no_file_or_directory
from langmarl.errors import Fault, nearest


class LanguageTaskConfig(BaseConfig):
    """A run on language tasks: the agents speak in turn, and the last one's message is the team's answer."""

    NO_EFFECT_ON_RESULT: ClassVar[frozenset[str]] = BaseConfig.NO_EFFECT_ON_RESULT | {
        "benchmark_path",
        "episode_generation_workers",
        "optimizer_workers",
    }

    env: str = Field(default="language", min_length=1, max_length=100)
    """Name of the environment."""

    task_type: Literal["qa", "math", "writing", "coding"] = "qa"
    """qa: questions on passages, scored by HotPotQA's F1. math: problems with one answer, scored by equivalence.
    writing: texts, scored by a judge model. coding: Python functions, scored by running tests in a sandbox."""

    benchmark_path: str | None = Field(default=None, min_length=1)
    """File of tasks, or directory of such files: HotPotQA JSON, MATH or GSM8K JSONL, HumanEval JSONL (also .gz), or
    the project's own tasks.jsonl. None: the small set that ships with the package."""

    data_limit: int | None = Field(default=None, ge=1, le=1_000_000)
    """Use only this many tasks of the file, from its beginning. None: all."""

    train_test_split: float = Field(default=0.8, gt=0, le=1)
    """Share of the tasks used for training, more than 0 and at most 1; the rest is held out for evaluation."""

    judge_llm: LLMConfig | None = None
    """Model that scores texts (writing, and every task type without use_verified_reward). None: critic_llm, else
    llm."""

    code_timeout: float = Field(default=10.0, gt=0, le=3600)
    """Seconds that a program may take for its tests before it counts as failed."""

    use_verified_reward: bool = True
    """Score questions, mathematics and code by a program that checks the answer. False: let the judge model score
    them, as it does writing."""

    episode_generation_workers: int | None = Field(default=None, ge=1)
    """Accepted for older configurations; has no effect, since max_workers is one budget for all calls."""

    optimizer_workers: int | None = Field(default=None, ge=1)
    """Accepted for older configurations; has no effect, since max_workers is one budget for all calls."""

    @property
    def needs_judge(self) -> bool:
        """Whether a judge model scores the answers."""
        return self.task_type == "writing" or not self.use_verified_reward

    def roles_in_use(self) -> tuple[str, ...]:
        """The roles of every run, and the judge where one scores the answers."""
        return (*super().roles_in_use(), *(("judge_llm",) if self.needs_judge else ()))

    @field_validator("benchmark_path")
    @classmethod
    def _possible_benchmark_path(cls, value: str | None) -> str | None:
        return value if value is None else check_path(value)

    def unusable_paths(self) -> list[Fault]:
        """Those of every run, and a benchmark that is not there."""
        found = super().unusable_paths()
        if self.benchmark_path is not None:
            fault = no_file_or_directory("benchmark_path", expanded(self.benchmark_path))
            found += [fault] if fault is not None else []
        return found

    def impossible_combinations(self) -> list[Combination]:
        """Settings of language tasks that cannot work together, besides those of every run."""
        found = super().impossible_combinations()
        if self.eval_tasks > 0 and self.train_test_split == 1:
            message = (
                f"is {self.eval_tasks}, but train_test_split is 1 and leaves no task held out; "
                "lower train_test_split or set eval_tasks to 0."
            )
            found.append(Combination(Fault("eval_tasks", message), ("eval_tasks", "train_test_split")))
        for agent in self.initial_policies or {}:
            if agent not in self.agent_ids:
                message = f"there is no agent of this name; the agents are {self.agent_ids[0]} to {self.agent_ids[-1]}."
                fault = Fault(f"initial_policies.{agent}", message, nearest(agent, self.agent_ids))
                found.append(Combination(fault, ("initial_policies", "num_agents")))
        return found
