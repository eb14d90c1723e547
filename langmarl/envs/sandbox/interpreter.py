"""The part of the file system that a Python interpreter needs."""

from __future__ import annotations

import os
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store")
_THIRD_PARTY = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """What to show inside a sandbox, read-only, and what not.

    Attributes:
        executable: The interpreter that runs this process, outside any virtual environment.
        own_paths: Its files outside the system's library folders. They may lie under a home directory, so this names
            the executable, the standard library and the shared libraries one by one, never a folder that holds more.
        system_paths: The system's library folders and the linker's cache, symbolic links included.
        hidden_paths: Folders of third-party packages inside the above; this project may be among them.
        library_path: Where the linker finds the shared libraries among ``own_paths``, if there are any.
    """

    executable: Path
    own_paths: tuple[Path, ...]
    system_paths: tuple[Path, ...]
    hidden_paths: tuple[Path, ...]
    library_path: Path | None


@cache
def running_interpreter() -> Interpreter:
    """The interpreter of this process."""
    executable = Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()
    standard_library = Path(os.__file__).resolve().parent
    libraries = _shared_libraries()
    own = [executable, standard_library, _extension_modules(), *libraries]
    hidden = [standard_library / name for name in _THIRD_PARTY] + [Path("/usr/lib/python3/dist-packages")]
    return Interpreter(
        executable=executable,
        own_paths=tuple(dict.fromkeys(path for path in own if path and not _inside_any(path, own, _SYSTEM_LIBRARIES))),
        system_paths=tuple(path for path in map(Path, (*_SYSTEM_LIBRARIES, "/etc/ld.so.cache")) if path.exists()),
        hidden_paths=tuple(path for path in hidden if path.is_dir()),
        library_path=libraries[0].parent if libraries else None,
    )


def _shared_libraries() -> list[Path]:
    folder = Path(sysconfig.get_config_var("LIBDIR") or sys.base_prefix).resolve()
    if (Path(sys.base_prefix) / "conda-meta").is_dir():
        return [folder]  # an environment's own folder; its extension modules link against many of its libraries
    return sorted(folder.glob("libpython*.so*")) if not _inside(folder, _SYSTEM_LIBRARIES) else []


def _extension_modules() -> Path | None:
    folder = sysconfig.get_config_var("DESTSHARED")
    return Path(folder).resolve() if folder and Path(folder).is_dir() else None


def _inside(path: Path, folders: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _inside_any(path: Path, others: list[Path | None], folders: tuple[str, ...]) -> bool:
    covered = any(other and other != path and path.is_relative_to(other) for other in others)
    return covered or _inside(path, folders)
