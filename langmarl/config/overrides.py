"""Overrides: single settings given beside a file, as ``key=value`` or as a mapping."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_origin

from langmarl.config.base import BaseConfig
from langmarl.config.faults import model_at, shown, shown_name, types_at
from langmarl.config.llm import LLMConfig
from langmarl.errors import ConfigError, Fault

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True)
class Override:
    """One setting that replaces the file's.

    Attributes:
        field: Dotted name, such as ``num_agents`` or ``actor_llm.temperature``.
        value: The value, with its type.
        text: How it was written on the command line; None where it came as a value. Fields that hold text take
            this, so that ``exp_name=1e3`` stays ``1e3``.
    """

    field: str
    value: Any
    text: str | None = None


Overrides = Mapping[str, Any] | Iterable[str | Override]


def parse_override(text: str) -> Override:
    """Read ``key=value``: true, false, null, numbers, JSON lists and objects are typed, all else is text.

    Raises:
        ConfigError: There is no ``=``, or nothing before it.
    """
    field, equals, value = text.partition("=")
    field = field.strip()
    if not equals or not field:
        # A value is not repeated: without its name nobody knows whether it is a secret.
        wrong = f"{shown(text)} has no '=' and so no value" if not equals else "there is no name before the '='"
        raise ConfigError([Fault("", f"{wrong}; it must read key=value, for example num_agents=3.")], "an override")
    value = value.strip()
    return Override(field, _typed(value), value)


def parse_overrides(overrides: Overrides | None) -> list[Override]:
    """Overrides in any accepted form, as a list; raises ``ConfigError`` as ``parse_override`` does."""
    if overrides is None:
        return []
    if isinstance(overrides, str):
        return [parse_override(overrides)]
    if isinstance(overrides, Mapping):
        return [Override(str(field), value) for field, value in overrides.items()]
    return [item if isinstance(item, Override) else parse_override(item) for item in overrides]


@dataclass(frozen=True, slots=True)
class Applied:
    """A file's fields with overrides put in.

    Attributes:
        data: The fields.
        faults: Overrides that could not be put in: a part of something that has no parts, or of a model that is not
            named anywhere.
    """

    data: dict[str, Any]
    faults: tuple[Fault, ...]


def apply_overrides(data: Mapping[str, Any], overrides: Iterable[Override], model: type[BaseConfig]) -> Applied:
    """The fields of a file with the overrides put in.

    A whole field is set before its parts, whatever the order given. A part of a model's settings keeps the rest: a
    preset's name becomes that preset with one field changed, and an unset role is built on the model that stands in
    for it (``llm``, mostly). ``data`` stays as it was. Unknown names are put in too: validation refuses them.
    """
    result = dict(data)
    faults = []
    for override in sorted(overrides, key=lambda item: item.field.count(".")):
        path = override.field.split(".")
        fault = _set(result, path, _value_for(override, types_at(model, path)), model)
        if fault is not None:
            faults.append(fault)
    return Applied(result, tuple(faults))


def _value_for(override: Override, takes: list[Any]) -> Any:
    """The value, as text where the field takes text and nothing else."""
    if override.text is None or not takes or not set(takes) <= {str, type(None)}:
        return override.value
    return None if override.value is None and type(None) in takes else override.text


def _typed(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if _NUMBER.fullmatch(text) or text[:1] in ("[", "{"):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _set(data: dict[str, Any], path: list[str], value: Any, model: type[BaseConfig]) -> Fault | None:
    """Put ``value`` at ``path``, copying the objects on the way; the fault, where that cannot be."""
    first, *rest = path
    if not rest:
        data[first] = value
        return None
    inside = data.get(first)
    if model_at(model, [first]) is LLMConfig:
        inside = _as_fields(inside if inside is not None else _stand_in(data, first, model))
        if inside is None:
            names = " or ".join(model.llm_candidates(first))
            return Fault(".".join(path), f"cannot be set while no model is named; set {names} as well.")
    elif inside is None and any(get_origin(option) is dict for option in types_at(model, [first])):
        inside = {}
    if not isinstance(inside, Mapping):
        return Fault(".".join(path), f"cannot be set: {shown_name(first)} has no parts.")
    data[first] = _with(inside, rest, value)
    return None


def _with(inside: Mapping[str, Any], path: list[str], value: Any) -> dict[str, Any]:
    """A copy of an object with one value in it replaced, at any depth."""
    first, *rest = path
    if not rest:
        return {**inside, first: value}
    deeper = inside.get(first)
    return {**inside, first: _with(deeper if isinstance(deeper, Mapping) else {}, rest, value)}


def _stand_in(data: Mapping[str, Any], field: str, model: type[BaseConfig]) -> Any:
    """What the file names for the fields that stand in for a role's own."""
    given = (data.get(name) for name in model.llm_candidates(field))
    return next((value for value in given if value is not None), None)


def _as_fields(value: Any) -> Any:
    """A model's setting as an object: a preset's name becomes one; anything else is left to validation."""
    if isinstance(value, str):
        return {"preset": value}
    if isinstance(value, LLMConfig):
        return value.to_dict() if value.api_key is None else {**value.to_dict(), "api_key": value.api_key}
    return value
