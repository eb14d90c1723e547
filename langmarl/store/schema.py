"""The version that every JSON file of a run carries."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from langmarl.errors import UserMistake

SCHEMA_VERSION = 1
"""Raised whenever a file's meaning changes; readers accept this version and every older one."""


class DamagedFileError(UserMistake):
    """A file of a run that cannot be what LangMARL wrote; its message names the file."""


def stamped(data: Mapping[str, Any]) -> dict[str, Any]:
    """``data`` with the current ``schema_version`` in front."""
    return {"schema_version": SCHEMA_VERSION, **{name: data[name] for name in data if name != "schema_version"}}


def check_version(data: Mapping[str, Any], source: Path | str) -> None:
    """Refuse what a newer LangMARL wrote.

    Args:
        data: An object read from ``source``; without a ``schema_version`` it counts as version 1.
        source: The file, for the message.

    Raises:
        DamagedFileError: The version is no whole number.
        UserMistake: It is newer than this program's.
    """
    version = data.get("schema_version", 1)
    if isinstance(version, bool) or not isinstance(version, int):
        raise DamagedFileError(
            f"{source} is damaged: its schema_version is {version!r}, not a whole number.",
            "Restore the file from a copy, or move it away.",
        )
    if version > SCHEMA_VERSION:
        raise UserMistake(
            f"{source} has schema_version {version}; this LangMARL reads versions up to {SCHEMA_VERSION}.",
            "It was written by a newer LangMARL. Upgrade: pip install --upgrade langmarl",
        )
