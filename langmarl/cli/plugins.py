"""``--import``: modules of the user's that register environments."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path

from langmarl.cli.printing import one_line
from langmarl.cli.selection import is_file
from langmarl.errors import UserMistake

_REMEDY = "Name an installed module, or a file in the working directory without its .py."


def import_plugins(modules: Iterable[str] | None) -> None:
    """Import each module, from the working directory too, as ``python -m`` would find it.

    Raises:
        UserMistake: A module does not exist, or fails while it is imported.
    """
    for module in modules or ():
        if not all(part.isidentifier() for part in module.split(".")):
            raise UserMistake(f"--import {module}: this is no module's name.", _REMEDY)
        if module.endswith(".py") and is_file(Path(module)):
            raise UserMistake(f"--import {module}: name the module, not its file.", f"--import {module[:-3]}")
        _import(module)


def _import(module: str) -> None:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        importlib.import_module(module)
    except SystemExit as error:
        raise UserMistake(
            f"--import {module}: it ends the program while it is imported ({_place(error)}).",
            'Put what the module does as a program under: if __name__ == "__main__":',
        ) from error
    except Exception as error:  # whatever the user's module raises
        if isinstance(error, ModuleNotFoundError) and error.name and f"{module}.".startswith(f"{error.name}."):
            raise UserMistake(f"--import {module}: there is no module {error.name!r}.", _REMEDY) from error
        raise UserMistake(f"--import {module}: it cannot be imported: {_words(error)} ({_place(error)})") from error


def _words(error: Exception) -> str:
    """An error's kind and text; a wrong line itself is left to the place."""
    if isinstance(error, SyntaxError):
        return one_line(f"{type(error).__name__}: {error.msg}")
    return one_line(traceback.format_exception_only(error)[-1])  # unlike str(), never raises


def _place(error: BaseException) -> str:
    """The file and line where an error was raised, or that does not parse."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{error.filename}, line {error.lineno}"
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{frame.filename}, line {frame.lineno}"
