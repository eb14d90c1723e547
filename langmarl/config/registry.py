"""Which class reads a file: by the name of its environment."""

from __future__ import annotations

import logging
from importlib.metadata import entry_points

from langmarl.config.base import BaseConfig
from langmarl.config.language import LanguageTaskConfig
from langmarl.errors import UnknownNameError

ENTRY_POINT_GROUP = "langmarl.envs"
"""Installed packages name their environments here: a class, or a module that registers some when imported."""

DEFAULT_ENV = "language"

_log = logging.getLogger(__name__)
_classes: dict[str, type[BaseConfig]] = {DEFAULT_ENV: LanguageTaskConfig}


def register_config(env_name: str, config: type[BaseConfig]) -> None:
    """Let ``config`` read the files whose ``env`` is ``env_name``; a later registration replaces an earlier one."""
    _classes[env_name] = config


def config_class(env_name: str) -> type[BaseConfig]:
    """The class that reads an environment's files, from installed packages too.

    Raises:
        UnknownNameError: No such environment; the message lists the known ones.
    """
    if env_name not in _classes:
        _load_installed(env_name)
    if env_name not in _classes:
        installed = (point.name for point in entry_points(group=ENTRY_POINT_GROUP))
        raise UnknownNameError("environment", env_name, sorted({*_classes, *installed}))
    return _classes[env_name]


def _load_installed(env_name: str) -> None:
    """Load the installed environment of this name, or all of them, as a package may register further names."""
    points = entry_points(group=ENTRY_POINT_GROUP)
    for point in points.select(name=env_name) or points:
        try:
            loaded = point.load()
        except (Exception, SystemExit) as error:  # a broken package must not keep the others from working
            _log.warning("environment %r (%s) cannot be loaded: %s", point.name, point.value, error)
            continue
        config = getattr(loaded, "config_class", None)
        if isinstance(config, type) and issubclass(config, BaseConfig):
            _classes.setdefault(point.name, config)
