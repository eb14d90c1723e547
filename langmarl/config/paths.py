"""Paths that a configuration names: whether they can be used, in words."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Literal

from langmarl.config.faults import refused, shown, shown_path
from langmarl.errors import Fault

Kind = Literal["file", "directory", "special", "absent", "unreadable"]
"""special: it is there, but is neither a file nor a directory. unreadable: the system does not say."""

_INSTEAD = {
    "file": "that is a file, not a directory",
    "special": "that is neither a file nor a directory",
    "absent": "there is no such directory",
    "unreadable": "it cannot be looked at (its name, or a permission on the way)",
}


def check_path(value: str) -> str:
    """Return ``value`` where a path can be spelt so, else raise a validator's error."""
    if "\0" in value:
        raise refused(f"is {shown(value)}; must not hold a NUL character.")
    return value


def kind_of(path: str | Path) -> Kind:
    """What is at ``path``, links followed; raises nothing."""
    try:
        mode = Path(path).stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "absent"
    except (OSError, ValueError):
        return "unreadable"
    if stat.S_ISDIR(mode):
        return "directory"
    return "file" if stat.S_ISREG(mode) else "special"


def expanded(path: str) -> Path:
    """``path`` with ``~`` replaced by the home directory, where the system knows one."""
    try:
        return Path(path).expanduser()
    except RuntimeError:  # no such user
        return Path(path)


def no_directory(field: str, path: str | Path) -> Fault | None:
    """The fault of a setting that must name a directory which is there; None where it does."""
    kind = kind_of(path)
    return None if kind == "directory" else Fault(field, f"is {shown_path(path)}; {_INSTEAD[kind]}.")


def no_place_for_directory(field: str, path: str | Path) -> Fault | None:
    """The fault of a setting that names a directory to be made, where a file is in its place or on the way to it."""
    for place in (Path(path), *Path(path).parents):
        kind = kind_of(place)
        if kind in ("file", "special"):
            where = "that" if place == Path(path) else f"{shown_path(place)} on the way to it"
            return Fault(field, f"is {shown_path(path)}; {where} is a file, not a directory.")
        if kind == "directory":
            return None
    return None


def no_file_or_directory(field: str, path: str | Path) -> Fault | None:
    """The fault of a setting that must name a file or a directory which is there; None where it does."""
    kind = kind_of(path)
    if kind in ("file", "directory"):
        return None
    instead = "there is no such file or directory" if kind == "absent" else _INSTEAD[kind]
    return Fault(field, f"is {shown_path(path)}; {instead}.")
