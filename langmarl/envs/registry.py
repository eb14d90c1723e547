"""Environments by name: the built-in ones, those registered by decorator, and those of installed packages."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import TypeVar

from langmarl.config import BaseConfig
from langmarl.config.registry import register_config
from langmarl.envs.base import BaseEnvironment
from langmarl.errors import UnknownNameError, UserMistake

ENTRY_POINT_GROUP = "langmarl.envs"

Environment = TypeVar("Environment", bound=BaseEnvironment)

_log = logging.getLogger(__name__)
_environments: dict[str, type[BaseEnvironment]] = {}
_discovery = threading.RLock()
_discovered: set[str] = set()
_broken: dict[str, Exception | SystemExit] = {}


def register_env(name: str) -> Callable[[type[Environment]], type[Environment]]:
    """Class decorator: make an environment available under ``name``, and its ``config_class`` for configs that say so.

    Raises:
        UserMistake: The class is no :class:`BaseEnvironment`, or another class has this name already.
    """

    def decorate(environment: type[Environment]) -> type[Environment]:
        if not (isinstance(environment, type) and issubclass(environment, BaseEnvironment)):
            raise UserMistake(
                f"environment {name!r} is no subclass of BaseEnvironment",
                "Derive the class from langmarl.BaseEnvironment.",
            )
        _refuse_taken_name(name, environment)
        register_config(name, environment.config_class)
        _environments[name] = environment
        return environment

    return decorate


def make_env(name: str, config: BaseConfig) -> BaseEnvironment:
    """Build the environment called ``name``.

    Raises:
        UnknownNameError: No such environment (a ``ValueError``); lists the known ones.
        UserMistake: Its package does not import, or ``config`` is not of the class that it reads.
    """
    if name not in _environments:
        _discover()
    if name in _broken and name not in _environments:
        raise UserMistake(
            f"environment {name!r} is installed but cannot be loaded: {_broken[name]}",
            "Repair or remove the package that provides it.",
        ) from _broken[name]
    if name not in _environments:
        raise UnknownNameError("environment", name, list_envs())
    environment = _environments[name]
    if not isinstance(config, environment.config_class):
        raise UserMistake(
            f"environment {name!r} reads a {environment.config_class.__name__}, not a {type(config).__name__}",
            f'Load the config with load_config(), from JSON that says "env": "{name}".',
        )
    return environment(config)


def list_envs() -> list[str]:
    """The names of all environments that can be made, sorted; a package that does not import is left out."""
    _discover()
    return sorted(_environments)


def _refuse_taken_name(name: str, environment: type[BaseEnvironment]) -> None:
    holder = _environments.get(name)
    # A module that is loaded again (a notebook, a reload) brings the same class once more.
    if holder is None or _origin(holder) == _origin(environment):
        return
    raise UserMistake(
        f"environment name {name!r} is taken by {_origin(holder)}; {_origin(environment)} cannot have it too",
        "Register it under another name.",
    )


def _origin(environment: type[BaseEnvironment]) -> str:
    return f"{environment.__module__}.{environment.__qualname__}"


def _discover() -> None:
    """Load each entry point once; one that fails is reported and costs the others nothing."""
    with _discovery:
        for point in entry_points(group=ENTRY_POINT_GROUP):
            if point.value in _discovered:
                continue
            _discovered.add(point.value)
            try:
                _load(point)
            except (Exception, SystemExit) as error:
                _broken[point.name] = error
                _log.warning("environment %r (%s) cannot be loaded: %s", point.name, point.value, error)


def _load(point: EntryPoint) -> None:
    """Import what the entry point names; a class that no decorator has registered gets the entry point's name."""
    loaded = point.load()
    if isinstance(loaded, type) and _environments.get(point.name) is not loaded:
        register_env(point.name)(loaded)
