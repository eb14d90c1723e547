"""The part of a configuration that can change a run's result."""

from __future__ import annotations

from typing import Any

from langmarl.config.base import BaseConfig
from langmarl.config.faults import model_at
from langmarl.config.llm import LLMConfig

LLM_FIELDS_THAT_COUNT = ("model_string", "base_url", "max_tokens", "temperature", "extra_params", "structured_output")
"""What of a model can change its answers; names, prices, keys, time-outs and the like cannot."""


def fingerprint_fields(config: BaseConfig) -> dict[str, Any]:
    """The settings that a rerun must share with its run, as plain JSON values.

    Models are given per role, resolved: one model named as ``llm`` and the same one named for each role are equal, as
    are a preset and the same settings spelt out. What the run reads from files is not in here; it is compared by
    digest of the content.
    """
    model = type(config)
    fields = {
        name: value
        for name, value in config.model_dump(mode="json").items()
        if name not in model.NO_EFFECT_ON_RESULT and model_at(model, [name]) is not LLMConfig
    }
    return fields | {role: _identity(config.find_llm(role)) for role in config.roles_in_use()}


def _identity(llm_config: LLMConfig | None) -> dict[str, Any] | None:
    if llm_config is None:
        return None
    values = {name: getattr(llm_config, name) for name in LLM_FIELDS_THAT_COUNT}
    if not llm_config.supports_temperature:
        values["temperature"] = None  # it is not sent
    return values
