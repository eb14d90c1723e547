"""Keys have no place in a config: they are found before anything is kept, and hidden before anything is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from langmarl.config import LLMConfig
from langmarl.config.credentials import address_holds_more, is_key_alone, names_a_key
from langmarl.config.faults import shown_name
from langmarl.errors import Fault

VARIABLE_FIELD = "api_key_env_var"
HIDDEN = "(hidden)"

_ADDRESS_FIELDS = frozenset({"base_url", *(name for name, field in LLMConfig.KNOWN_AS.items() if field == "base_url")})

_NO_KEY = (
    "holds a key. Keys are never taken from a config: put it into an environment variable (or a .env file), name that "
    "in api_key_env_var, and delete this line."
)
_NO_ADDRESS = (
    "must be an address without a user name, password or query (?…), where a key may hide; name a variable in "
    "api_key_env_var instead."
)
_NO_VARIABLE = "must be the name of an environment variable (letters, digits, underscores), not a key."


def is_variable_name(text: object) -> bool:
    """Whether a text can be the name of an environment variable and does not look like a key."""
    fits = isinstance(text, str) and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,99}", text) is not None
    return fits and shown_name(str(text)) != HIDDEN


def why_refused(name: object, value: object) -> str | None:
    """Why a setting cannot be kept: it holds a key, or something else where a variable's name belongs; else None."""
    if value in (None, ""):
        return None
    if name == VARIABLE_FIELD:
        return None if is_variable_name(value) else _NO_VARIABLE
    if names_a_key(name) or is_key_alone(value):
        return _NO_KEY
    return _NO_ADDRESS if name in _ADDRESS_FIELDS and address_holds_more(value) else None


def key_faults(data: Any, path: tuple[str, ...] = ()) -> Iterator[Fault]:
    """Each place where a config holds a key, or something else where a variable's name belongs; none is quoted."""
    if isinstance(data, Mapping):
        for name, value in data.items():
            reason = _NO_KEY if is_key_alone(name) else why_refused(name, value)
            if reason is not None:
                yield Fault(".".join(shown_name(part) for part in (*path, name)), reason)
            else:
                yield from key_faults(value, (*path, name))
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield from key_faults({str(place): value} if isinstance(value, str) else value, path)


def without_keys(data: Any) -> Any:
    """A copy fit to be shown: keys, and what stands in a variable's place and is none, are hidden."""
    if isinstance(data, Mapping):
        return {
            HIDDEN if is_key_alone(name) else name: HIDDEN if why_refused(name, value) else without_keys(value)
            for name, value in data.items()
        }
    if isinstance(data, list):
        return [without_keys(value) for value in data]
    return HIDDEN if is_key_alone(data) else data
