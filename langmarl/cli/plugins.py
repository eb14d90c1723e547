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
    except ModuleNotFoundError as error:
        raise UserMistake(f"--import {module}: there is no module {error.name!r}.", _REMEDY) from error
    except Exception as error:  # whatever the user's module raises
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = "" if isinstance(error, SyntaxError) else f" ({frame.filename}, line {frame.lineno})"
        raise UserMistake(
            f"--import {module}: it cannot be imported: {type(error).__name__}: {one_line(str(error))}{where}"
        ) from error
