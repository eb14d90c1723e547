"""From a config to a trained team, in one call."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from langmarl.callbacks import Callback
from langmarl.config import BaseConfig, check_combinations, load_config, missing_keys
from langmarl.critic import CentralizedCritic
from langmarl.envs import BaseReward, make_env
from langmarl.errors import ConfigError
from langmarl.llm.local.readiness import require_model_files
from langmarl.optimizer import PolicyGradientOptimizer
from langmarl.store import LocalStore
from langmarl.trainer.monte_carlo import MonteCarloTrainer


def train(config_path: str | Path, **overrides: Any) -> dict[str, Any]:
    """Load a config, build its environment, critic and optimizer, and train.

    Args:
        config_path: A JSON file.
        overrides: Settings that replace the file's, for example ``num_iterations=3``.

    Returns:
        See :meth:`MonteCarloTrainer.train`.

    Raises:
        ConfigError: With everything that is wrong with the config.
        UserMistake, RunFailed: As :meth:`MonteCarloTrainer.train`.
    """
    return make_trainer(load_config(config_path, overrides, to_run=True)).train()


def make_trainer(
    config: BaseConfig,
    *,
    reward_fn: BaseReward | None = None,
    callbacks: Iterable[Callback] = (),
    store: LocalStore | None = None,
) -> MonteCarloTrainer:
    """A trainer with the standard critic and optimizer; the options are those of :class:`MonteCarloTrainer`.

    Raises:
        ConfigError: A key is missing, a limit cannot be kept, or a template cannot be used; nothing was written.
        UserMistake: The environment cannot be built, for example because its benchmark cannot be read; or a model
            file is not there.
    """
    check_ready(config)
    env = make_env(config.env, config)
    return MonteCarloTrainer(
        config,
        env,
        CentralizedCritic(config, env),
        PolicyGradientOptimizer(config.get_optimizer_llm(), config.prompts_dir, config.max_policy_chars),
        reward_fn=reward_fn,
        store=store,
        callbacks=callbacks,
    )


def check_ready(config: BaseConfig) -> None:
    """Refuse what cannot run, before anything is written or spent.

    Raises:
        ConfigError: With every role without a model, unpriced model under a cost limit, unusable path and absent key.
        UserMistake: A model file is not there, or llama.cpp is not.
    """
    faults = [*check_combinations(config), *missing_keys(config, os.environ)]
    if faults:
        raise ConfigError(faults)
    require_model_files(config)
