"""Configurations from and to JSON files."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from langmarl.config.base import BaseConfig
from langmarl.config.checks import obstacles
from langmarl.config.faults import shown, shown_name
from langmarl.config.overrides import Override, Overrides, apply_overrides, parse_overrides
from langmarl.config.registry import DEFAULT_ENV, config_class
from langmarl.errors import ConfigError, Fault, UnknownNameError, nearest

Config = TypeVar("Config", bound=BaseConfig)


def load_config(path: str | Path, overrides: Overrides | None = None, *, to_run: bool = False) -> BaseConfig:
    """Read a JSON file as the class that its ``env`` names (``language`` where it names none).

    Args:
        path: The file.
        overrides: Settings that replace the file's: a mapping (dotted names allowed), or ``key=value`` texts.
        to_run: Also refuse what could be loaded but not run: a role without a model, a cost limit on a model of
            unknown price, a file that does not exist. Reported together with everything else.

    Raises:
        ConfigError: With every fault found.
    """
    data = read_json_object(path)
    given = parse_overrides(overrides)
    env = next((item.value for item in reversed(given) if item.field == "env"), data.get("env", DEFAULT_ENV))
    return _build(data, given, _class_for(env, str(path)), str(path), to_run=to_run)


def read_config(path: str | Path, overrides: Overrides | None, cls: type[Config]) -> Config:
    """Read a JSON file as one class, whatever its ``env`` says.

    Raises:
        ConfigError: With every fault found.
    """
    return _build(read_json_object(path), parse_overrides(overrides), cls, str(path), to_run=False)


def read_json_object(path: str | Path) -> dict[str, Any]:
    """The object in a JSON file.

    Raises:
        ConfigError: No such file, not JSON (with line and column, and none of the file's content), not an object,
            or a name given twice.
    """
    return parse_json_object(_read_text(Path(path), str(path)), str(path))


def parse_json_object(text: str, source: str) -> dict[str, Any]:
    """The object that a JSON text holds.

    Args:
        text: The text.
        source: Where it comes from, for the error message.

    Raises:
        ConfigError: Not JSON (with line and column, and none of the text), not an object, or a name given twice.
    """
    parsed = _parse(text, source)
    if not isinstance(parsed.value, dict):
        kind = "a list" if isinstance(parsed.value, list) else "a single value"
        raise ConfigError([Fault("", f"must hold a JSON object {{…}}; it holds {kind}.")], source)
    if parsed.repeated:
        raise ConfigError([Fault(shown_name(name), "is given twice; keep one.") for name in parsed.repeated], source)
    return parsed.value


def write_json(path: str | Path, data: Mapping[str, Any]) -> None:
    """Write an object as readable JSON; the file is replaced in one step, its directory made where missing."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    temporary = target.with_name(f".{target.name}.{uuid.uuid4().hex}")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@dataclass(frozen=True, slots=True)
class _Parsed:
    """What a JSON text holds, and the names that one of its objects has more than once."""

    value: Any
    repeated: list[str]


def _parse(text: str, source: str) -> _Parsed:
    repeated: list[str] = []

    def as_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        counts = Counter(name for name, _ in pairs)
        repeated.extend(name for name, count in counts.items() if count > 1)
        return dict(pairs)

    try:
        value = json.loads(text, object_pairs_hook=as_object)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except json.JSONDecodeError as error:
        message = f"not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}."
    except UnicodeEncodeError:
        message = "holds half a character (a lone surrogate such as \\ud800)."
    except (ValueError, RecursionError):
        message = "not JSON that can be read (too long a number, or too deep)."
    else:
        return _Parsed(value, repeated)
    raise ConfigError([Fault("", message)], source)


def _build(
    data: Mapping[str, Any], overrides: list[Override], cls: type[Config], source: str, *, to_run: bool
) -> Config:
    """The configuration of a file's fields and the overrides, or all that is wrong with them."""
    applied = apply_overrides(data, overrides, cls)
    reading = cls.read(applied.data)
    faults = [*applied.faults, *reading.faults]
    if to_run and reading.sound is not None:
        faults.extend(reading.unaffected(obstacles(reading.sound)))
    if faults or reading.settings is None:
        raise ConfigError(faults, source)
    return reading.settings


def _class_for(env: object, source: str) -> type[BaseConfig]:
    if not isinstance(env, str):
        raise ConfigError([Fault("env", f"is {shown(env)}; must be the name of an environment.")], source)
    try:
        return config_class(env)
    except UnknownNameError as error:
        known = ", ".join(error.known)
        fault = Fault("env", f"is {shown(env)}; must be one of {known}.", nearest(env, error.known))
    raise ConfigError([fault], source)


def _read_text(path: Path, source: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        message = "there is no such file."
    except IsADirectoryError:
        message = "is a directory; name the JSON file in it."
    except UnicodeDecodeError:
        message = "is not a text file in UTF-8."
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        message = f"cannot be read: {getattr(error, 'strerror', None) or 'not the name of a file'}."
    raise ConfigError([Fault("", message)], source)
