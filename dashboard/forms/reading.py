"""What the settings of a form come to: a config, or everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langmarl.config import BaseConfig
from langmarl.config.checks import obstacles
from langmarl.config.faults import shown
from langmarl.config.registry import DEFAULT_ENV, config_class
from langmarl.envs.registry import list_envs
from langmarl.errors import Fault, UnknownNameError, nearest


@dataclass(frozen=True, slots=True)
class ConfigReading:
    """What settings come to.

    Attributes:
        model: The class that reads them: that of their environment, or ``BaseConfig`` where there is none such.
        config: The config; None where anything is wrong.
        sound: The config as far as the settings are sound, defaults in place of what is refused; None where that
            cannot be.
        refused: The top-level names of refused settings.
        faults: Everything that keeps a run from starting, save absent keys.
    """

    model: type[BaseConfig]
    config: BaseConfig | None
    sound: BaseConfig | None
    refused: frozenset[str]
    faults: tuple[Fault, ...]


def read_settings(data: Mapping[str, Any]) -> ConfigReading:
    """Read plain JSON settings as ``langmarl train`` reads them from a file; raises nothing, however wrong they are."""
    env = data.get("env", DEFAULT_ENV)
    model = _class_of(env)
    if model is None:
        return _without_environment(data, env)
    reading = model.read(data)
    faults = list(reading.faults)
    if reading.sound is not None:
        faults.extend(reading.unaffected(obstacles(reading.sound)))
    return ConfigReading(model, None if faults else reading.settings, reading.sound, reading.refused, tuple(faults))


def _class_of(env: object) -> type[BaseConfig] | None:
    list_envs()  # so that installed environments have registered their configs
    try:
        return config_class(env) if isinstance(env, str) else None
    except UnknownNameError:
        return None


def _without_environment(data: Mapping[str, Any], env: object) -> ConfigReading:
    """Only the settings that every run has can be read; the others wait for an environment that knows them."""
    known = list_envs()
    if isinstance(env, str):
        fault = Fault("env", f"is {shown(env)}; must be one of {', '.join(known)}.", nearest(env, known))
    else:
        fault = Fault("env", f"is {shown(env)}; must be the name of an environment.")
    common = {name: value for name, value in data.items() if name in BaseConfig.model_fields and name != "env"}
    reading = BaseConfig.read(common)
    return ConfigReading(BaseConfig, None, reading.sound, reading.refused | {"env"}, (fault, *reading.faults))
