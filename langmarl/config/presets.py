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

LOCAL_ADDRESS = "local://llama.cpp"
"""Address of the models that llama.cpp serves inside this process."""

LOCAL_PREFIX = "local:"
"""Before the path of a GGUF file, this makes a preset's name: ``local:models/mine.gguf``."""


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


def find_preset(name: str) -> Mapping[str, Any] | None:
    """One preset's fields, those of ``local:<path of a GGUF file>`` included; None where there is no such preset."""
    path = name.removeprefix(LOCAL_PREFIX).strip()
    if name.startswith(LOCAL_PREFIX) and path:
        return _file_preset(name, path)
    return presets().get(name)


def preset(name: str) -> Mapping[str, Any]:
    """One preset's fields, as :func:`find_preset` has them.

    Raises:
        UnknownNameError: With the nearest name.
    """
    found = find_preset(name)
    if found is None:
        raise UnknownNameError("model preset", name, presets())
    return found


@cache
def _file_preset(name: str, path: str) -> Mapping[str, Any]:
    shared = next(fields for fields in presets().values() if fields.get("base_url") == LOCAL_ADDRESS)
    # A bare name would be looked up in the folder of pulled models; this one is a path from the working directory.
    model_string = path if "/" in path or path.startswith("~") else f"./{path}"
    own = {"model_string": model_string, "name": name, "description": f"{path}, in this process"}
    return MappingProxyType({**shared, **own})


def list_available_models() -> dict[str, str]:
    """Preset name → one-line description, in the order of the presets' file."""
    return {name: str(fields["description"]) for name, fields in presets().items()}
