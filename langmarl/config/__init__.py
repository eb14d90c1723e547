"""Configuration of a run: models of every setting, presets, loading, overrides, prices."""

from __future__ import annotations

from langmarl.config.base import BaseConfig
from langmarl.config.catalog import get_llm_config
from langmarl.config.checks import check_combinations, missing_keys
from langmarl.config.fingerprint import fingerprint_fields
from langmarl.config.language import LanguageTaskConfig
from langmarl.config.llm import LLMConfig
from langmarl.config.loading import load_config
from langmarl.config.overrides import parse_override
from langmarl.config.presets import list_available_models
from langmarl.config.prices import Price, price_known, price_of

__all__ = [
    "BaseConfig",
    "LLMConfig",
    "LanguageTaskConfig",
    "Price",
    "check_combinations",
    "fingerprint_fields",
    "get_llm_config",
    "list_available_models",
    "load_config",
    "missing_keys",
    "parse_override",
    "price_known",
    "price_of",
]
