"""The presets: models by name, as data in ``presets.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from langmarl.errors import UnknownNameError


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where some presets are served.

    Attributes:
        title: What to call it.
        models: Preset name → its fields, those of ``LLMConfig``.
    """

    title: str
    models: Mapping[str, Mapping[str, Any]]


@cache
def endpoints() -> tuple[Endpoint, ...]:
    """Every endpoint with its presets, in the file's order."""
    text = files("langmarl.config").joinpath("presets.json").read_text(encoding="utf-8")
    return tuple(
        Endpoint(
            group["title"],
            MappingProxyType(
                {
                    name: MappingProxyType({**group["shared"], **fields, "name": name})
                    for name, fields in group["models"].items()
                }
            ),
        )
        for group in json.loads(text)["endpoints"]
    )


@cache
def presets() -> Mapping[str, Mapping[str, Any]]:
    """Every preset's fields (those of ``LLMConfig``) by its name, in the file's order."""
    return MappingProxyType({name: fields for group in endpoints() for name, fields in group.models.items()})


def preset(name: str) -> Mapping[str, Any]:
    """One preset's fields.

    Raises:
        UnknownNameError: With the nearest name.
    """
    try:
        return presets()[name]
    except KeyError:
        raise UnknownNameError("model preset", name, presets()) from None


def list_available_models() -> dict[str, str]:
    """Preset name → one-line description, in the order of the presets' file."""
    return {name: str(fields["description"]) for name, fields in presets().items()}
