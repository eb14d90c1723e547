"""Configs as text: read from what a person gives us, and written as ``langmarl train`` reads them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

from dashboard.forms.secrets import key_faults
from langmarl.config.loading import parse_json_object
from langmarl.errors import ConfigError, Fault

LARGEST_IMPORT = 1_000_000
"""In bytes."""

_DEEPEST = 20
_MOST_NAMES = 1000


def read_import(content: bytes | str, source: str = "the import") -> dict[str, Any]:
    """The settings in an uploaded file or a pasted text, whatever they say.

    Whether they make a config is another question; here only what cannot be taken in at all is refused.

    Args:
        content: UTF-8 text.
        source: Where it comes from, for the error.

    Raises:
        ConfigError: Too large, not UTF-8, no JSON object, names given twice, nested too deep, or with a key in it.
    """
    encoded = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    if len(encoded) > LARGEST_IMPORT:
        raise ConfigError([Fault("", f"is {len(encoded) / 1e6:.1f} MB large; a config has at most 1 MB.")], source)
    try:
        text = encoded.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError([Fault("", "is not a text file in UTF-8.")], source) from None
    if not text.strip():
        raise ConfigError([Fault("", "is empty; it must hold a JSON object {…}.")], source)
    data = parse_json_object(text, source)
    faults = [*_shape_faults(data), *key_faults(data)]
    if faults:
        raise ConfigError(faults, source)
    return data


def config_text(data: Mapping[str, Any]) -> str:
    """The file that ``langmarl train`` reads; names stay in their order."""
    return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _shape_faults(data: Mapping[str, Any]) -> list[Fault]:
    names = 0
    for value, depth in _walk(data, 1):
        if depth > _DEEPEST:
            return [Fault("", f"is nested deeper than {_DEEPEST} levels, which no config is.")]
        names += len(value) if isinstance(value, Mapping) else 0
        if names > _MOST_NAMES:
            return [Fault("", f"holds more than {_MOST_NAMES} names, which no config does.")]
        if isinstance(value, float) and not math.isfinite(value):
            return [Fault("", "holds NaN or Infinity, which are no numbers in JSON.")]
    return []


def _walk(value: Any, depth: int) -> Iterator[tuple[Any, int]]:
    yield value, depth
    if depth > _DEEPEST:
        return
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for item in inner:
        yield from _walk(item, depth + 1)
