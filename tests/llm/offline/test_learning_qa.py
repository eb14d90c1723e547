"""With the offline model the reward rises because the policies get better, and because of the critic's words."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from langmarl import (
    BaseCritic,
    CentralizedCritic,
    LanguageTaskConfig,
    MonteCarloTrainer,
    PolicyGradientOptimizer,
    Trajectory,
    make_env,
)

SHARED = Path(os.environ.get("LANGMARL_SHARED_DATA") or Path(__file__).parents[4] / "shared" / "data")
HOTPOT = SHARED / "hotpotqa" / "hotpot_dev_distractor_sample100.json"

Words = Callable[[dict[str, Any]], dict[str, Any]]


class Interpreter(BaseCritic):
    """The real critic, its assessments of the agents passed through ``change``."""

    def __init__(self, critic: BaseCritic, change: Words) -> None:
        self.critic, self.change = critic, change

    def evaluate(self, trajectory: Trajectory, policies: Mapping[str, str]) -> dict[str, Any]:
        found = self.critic.evaluate(trajectory, policies)
        return {**found, "per_agent": self.change(found["per_agent"])}


def as_said(views: dict[str, Any]) -> dict[str, Any]:
    return views


def blanked(views: dict[str, Any]) -> dict[str, Any]:
    return {agent: {**view, "feedback": "-"} for agent, view in views.items()}


def swapped(views: dict[str, Any]) -> dict[str, Any]:
    return dict(zip(views, reversed(views.values()), strict=True))


def trained(folder: Path, change: Words, **settings: Any) -> dict[str, Any]:
    config = LanguageTaskConfig(task_type="qa", llm="offline", experiment_dir=str(folder), max_workers=2, **settings)
    env = make_env("language", config)
    trainer = MonteCarloTrainer(
        config,
        env,
        Interpreter(CentralizedCritic(config, env), change),
        PolicyGradientOptimizer(config.get_optimizer_llm()),
    )
    trainer.log_to_console = False
    return trainer.train()


@pytest.mark.parametrize("seed", [1, 2])
def test_on_the_shipped_questions_five_iterations_raise_the_reward(tmp_path: Path, seed: int) -> None:
    result = trained(tmp_path, as_said, seed=seed, num_iterations=5, trajectories_per_iteration=16)
    rewards = [stats["avg_reward"] for stats in result["iterations"]]
    assert rewards[-1] >= rewards[0] + 0.2


def held_out_gain(folder: Path, change: Words, num_iterations: int = 6) -> float:
    result = trained(
        folder,
        change,
        seed=2,
        benchmark_path=str(HOTPOT),
        train_test_split=0.7,
        num_iterations=num_iterations,
        trajectories_per_iteration=20,
        eval_tasks=30,
        eval_every=num_iterations,
    )
    scores = [evaluation["avg_reward"] for evaluation in result["evaluations"]]
    return float(scores[-1] - scores[0])


@pytest.mark.skipif(not HOTPOT.is_file(), reason="HotPotQA is not here; set LANGMARL_SHARED_DATA to its folder")
def test_on_held_out_real_questions_the_gain_comes_from_the_critics_words(tmp_path: Path) -> None:
    gain = held_out_gain(tmp_path / "said", as_said)
    assert gain >= 0.1
    assert held_out_gain(tmp_path / "blank", blanked, 4) <= gain / 2
    assert held_out_gain(tmp_path / "swap", swapped, 4) <= gain / 2
