"""Environments: what agents act in, where tasks come from, and what they are worth."""

from langmarl.envs.base import BaseEnvironment
from langmarl.envs.contract import BrokenContractError, ContractReport, check_environment
from langmarl.envs.language import LanguageEnvironment
from langmarl.envs.registry import list_envs, make_env, register_env
from langmarl.envs.reward import BaseReward

__all__ = [
    "BaseEnvironment",
    "BaseReward",
    "BrokenContractError",
    "ContractReport",
    "LanguageEnvironment",
    "check_environment",
    "list_envs",
    "make_env",
    "register_env",
]
