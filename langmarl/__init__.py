"""LangMARL: multi-agent reinforcement learning in natural language.

Every agent is an LLM and its policy is the text of its prompt. A centralized critic reads whole episodes and says
which agent earned or lost the outcome; an optimizer turns that into language gradients and rewrites each prompt.

Importing this package reads a ``.env`` file in the working directory; real environment variables win, and
``LANGMARL_NO_DOTENV=1`` turns it off.
"""

from langmarl.dotenv import load_dotenv_file

load_dotenv_file()  # before anything below may look for a key

from langmarl.callbacks import Callback, CheckpointCallback, EarlyStoppingCallback, LoggingCallback
from langmarl.collector import Progress
from langmarl.config import (
    BaseConfig,
    LanguageTaskConfig,
    LLMConfig,
    get_llm_config,
    list_available_models,
    load_config,
)
from langmarl.critic import BaseCritic, CentralizedCritic
from langmarl.envs import BaseEnvironment, BaseReward, list_envs, make_env, register_env
from langmarl.errors import ConfigError, LangMARLError, RunFailed, RunHalted, UserMistake
from langmarl.llm import LLMClient, TokenTracker
from langmarl.optimizer import BaseOptimizer, PolicyGradientOptimizer
from langmarl.policy import Policy
from langmarl.store import LocalStore, PolicyCheckpoint, RunLogger, TrajectoryStore
from langmarl.trainer import MonteCarloTrainer, make_trainer, train
from langmarl.trajectory import Step, Trajectory
from langmarl.usage import Usage

__all__ = [
    "BaseConfig",
    "BaseCritic",
    "BaseEnvironment",
    "BaseOptimizer",
    "BaseReward",
    "Callback",
    "CentralizedCritic",
    "CheckpointCallback",
    "ConfigError",
    "EarlyStoppingCallback",
    "LLMClient",
    "LLMConfig",
    "LangMARLError",
    "LanguageTaskConfig",
    "LocalStore",
    "LoggingCallback",
    "MonteCarloTrainer",
    "Policy",
    "PolicyCheckpoint",
    "PolicyGradientOptimizer",
    "Progress",
    "RunFailed",
    "RunHalted",
    "RunLogger",
    "Step",
    "TokenTracker",
    "Trajectory",
    "TrajectoryStore",
    "Usage",
    "UserMistake",
    "get_llm_config",
    "list_available_models",
    "list_envs",
    "load_config",
    "make_env",
    "make_trainer",
    "register_env",
    "train",
]
