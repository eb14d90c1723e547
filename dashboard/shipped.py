"""The ready configs, in a checkout and in an installed wheel."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def configs_folder() -> Path:
    """The folder of the ready configs."""
    installed = _HERE / "ready_configs"
    return installed if installed.is_dir() else _HERE.parent / "configs"


def quickstart() -> Path:
    """The config of the first run: two agents, the offline model, done in under a minute."""
    return configs_folder() / "quickstart.json"
