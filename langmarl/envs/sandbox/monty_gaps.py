"""Telling what Monty lacks from what a program got wrong."""

from __future__ import annotations

import builtins
import re
import sys

_NO_ATTRIBUTE = re.compile(r"'(?P<kind>\w+)' object has no attribute '(?P<name>\w+)'")
_NO_NAME = re.compile(r"name '(?P<name>\w+)' is not defined")
_NO_MODULE = re.compile(r"No module named '(?P<name>\w+)")
_MONTY_ITSELF = ("monty", "cannot suspend")


def is_gap(raised: BaseException) -> bool:
    """Whether this exception says that Monty lacks something which Python has.

    A program can raise such an exception itself; all it gains is another word for having failed.
    """
    text = str(raised)
    match raised:
        case NotImplementedError():
            return any(word in text for word in _MONTY_ITSELF)
        case ImportError():
            found = _NO_MODULE.search(text)
            return found is not None and found["name"] in sys.stdlib_module_names
        case AttributeError():
            found = _NO_ATTRIBUTE.search(text)
            return found is not None and hasattr(getattr(builtins, found["kind"], None), found["name"])
        case NameError():
            found = _NO_NAME.search(text)
            return found is not None and hasattr(builtins, found["name"])
        case _:
            return False
