"""Keys have no place in a config: they are found before anything is kept, and hidden before anything is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from langmarl.config.faults import shown_name
from langmarl.errors import Fault

KEY_FIELD, VARIABLE_FIELD = "api_key", "api_key_env_var"
HIDDEN = "(hidden)"

_NO_KEY = (
    "holds a key. Keys are never taken from a config: put it into an environment variable (or a .env file), name that "
    "in api_key_env_var, and delete this line."
)
_NO_VARIABLE = "must be the name of an environment variable (letters, digits, underscores), not a key."


def is_variable_name(text: object) -> bool:
    """Whether a text can be the name of an environment variable and does not look like a key."""
    fits = isinstance(text, str) and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,99}", text) is not None
    return fits and shown_name(str(text)) != HIDDEN


def key_faults(data: Any, path: tuple[str, ...] = ()) -> Iterator[Fault]:
    """Each place where a config holds a key, or something else where a variable's name belongs; none is quoted."""
    if isinstance(data, Mapping):
        for name, value in data.items():
            field = ".".join(shown_name(part) for part in (*path, name))
            if name == KEY_FIELD and value not in (None, ""):
                yield Fault(field, _NO_KEY)
            elif name == VARIABLE_FIELD and value is not None and not is_variable_name(value):
                yield Fault(field, _NO_VARIABLE)
            else:
                yield from key_faults(value, (*path, name))
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield from key_faults(value, (*path, str(place)))


def without_keys(data: Any) -> Any:
    """A copy fit to be shown: keys, and what stands in a variable's place and is none, are hidden."""
    if isinstance(data, Mapping):
        return {name: _shown(name, value) for name, value in data.items()}
    return [without_keys(value) for value in data] if isinstance(data, list) else data


def _shown(name: str, value: Any) -> Any:
    is_key = name == KEY_FIELD and value not in (None, "")
    is_misplaced = name == VARIABLE_FIELD and value is not None and not is_variable_name(value)
    return HIDDEN if is_key or is_misplaced else without_keys(value)
