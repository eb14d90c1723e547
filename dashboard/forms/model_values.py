"""A model's setting as the file has it: nothing, a preset's name, a preset with overrides, or a custom endpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langmarl.config import LLMConfig
from langmarl.config.presets import presets

CUSTOM = "custom"
"""Stands for an endpoint that no preset describes."""

_OF_THE_ENDPOINT = frozenset(
    {
        "preset",
        "name",
        "model_string",
        "base_url",
        "api_key_env_var",
        "is_multimodal",
        "input_price_per_million",
        "output_price_per_million",
        "cached_input_price_per_million",
        "provider",
        "local",
        "structured_output",
        "max_tokens_parameter",
        "supports_temperature",
        "context_window",
        "description",
    }
)
"""What belongs to one model alone; the rest (temperature, limits, …) is carried over when another is chosen."""


@dataclass(frozen=True, slots=True)
class ModelValue:
    """A model's setting, taken apart.

    Attributes:
        choice: A preset's name, ``CUSTOM``, or None where nothing is set.
        overrides: What the file gives beside the preset; for a custom endpoint, all it gives.
        readable: Whether the setting has one of the forms above at all.
    """

    choice: str | None
    overrides: Mapping[str, Any]
    readable: bool = True

    @classmethod
    def of(cls, value: Any) -> ModelValue:
        """Take a setting apart, be it allowed or not."""
        if value is None:
            return cls(None, {})
        if isinstance(value, str):
            return cls(value, {}, readable=value in presets())
        if not isinstance(value, Mapping):
            return cls(None, {}, readable=False)
        name = value.get("preset")
        if name is None:
            return cls(CUSTOM, {field: given for field, given in value.items() if field != "preset"})
        overrides = {field: given for field, given in value.items() if field != "preset"}
        return cls(str(name), overrides, readable=isinstance(name, str) and name in presets())


def chosen(value: Any, choice: str | None) -> Any:
    """The setting after another model was chosen; what does not belong to one model alone is kept.

    Args:
        value: The setting before.
        choice: A preset's name, ``CUSTOM`` or None.
    """
    before = ModelValue.of(value)
    kept = {field: given for field, given in before.overrides.items() if field not in _OF_THE_ENDPOINT}
    if choice is None:
        return None
    if choice == CUSTOM:
        return {"base_url": "http://localhost:8000/v1", "model_string": "", **kept}
    return {"preset": choice, **kept} if kept else choice


def overridden(value: Any, field: str, given: Any) -> Any:
    """The setting after one field of it was set; a preset's own value needs no mention and is left out."""
    model = ModelValue.of(value)
    overrides = {**model.overrides, field: given}
    if model.choice in (None, CUSTOM):
        return overrides
    without = {name: each for name, each in overrides.items() if name != field}
    plain = effective({"preset": model.choice, **without})
    if plain is not None and getattr(plain, field, None) == given:
        overrides = without
    return {"preset": model.choice, **overrides} if overrides else model.choice


def without_field(value: Any, field: str) -> Any:
    """The setting after one field of it was taken out."""
    model = ModelValue.of(value)
    overrides = {name: given for name, given in model.overrides.items() if name != field}
    if model.choice in (None, CUSTOM):
        return overrides
    return {"preset": model.choice, **overrides} if overrides else model.choice


def effective(value: Any) -> LLMConfig | None:
    """The model that a setting comes to, as far as it is sound; None where it comes to none."""
    if value is None or not isinstance(value, str | Mapping):
        return None
    return LLMConfig.read(value).sound if isinstance(value, Mapping) else LLMConfig.read({"preset": value}).sound
