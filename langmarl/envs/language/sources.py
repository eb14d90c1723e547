"""Benchmark files: what is in them row by row, before anybody asks what the rows mean."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from langmarl.errors import UserMistake

SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")


@dataclass(frozen=True, slots=True)
class Row:
    """One object of a benchmark file.

    Attributes:
        fields: The object as published.
        place: Where it stands, for messages: ``"dev.json, item 3"`` or ``"tasks.jsonl, line 3"``.
    """

    fields: dict[str, Any]
    place: str


@dataclass(frozen=True, slots=True)
class Source:
    """One file that tasks come from.

    Attributes:
        name: Its path below ``benchmark_path`` (its name, for a single file); the same on every machine.
        sha256: Of its bytes as stored, hexadecimal.
        rows: In the order of the file.
    """

    name: str
    sha256: str
    rows: list[Row]


def shipped_source(task_type: str) -> Source:
    """The original set that comes with the package."""
    file = files("langmarl.envs.language") / "data" / f"{task_type}.jsonl"
    return _read(file, f"shipped/{task_type}.jsonl")


def read_sources(benchmark_path: Path) -> list[Source]:
    """Read a benchmark: one file, or every ``.json``/``.jsonl`` file (also ``.gz``) below a directory, in name order.

    Raises:
        UserMistake: The path does not exist, holds no such file, or a file cannot be read; names file and line, and
            never quotes what is in it.
    """
    if benchmark_path.is_file():
        return [_read(benchmark_path, benchmark_path.name)]
    if not benchmark_path.is_dir():
        raise UserMistake(
            f"benchmark_path: {benchmark_path} does not exist",
            "Name a file or a directory; leave benchmark_path out to use the set that comes with the package.",
        )
    names = sorted(
        path.relative_to(benchmark_path).as_posix() for path in benchmark_path.rglob("*") if _is_benchmark(path)
    )
    names = [name for name in names if not any(part.startswith(".") for part in Path(name).parts)]
    if not names:
        raise UserMistake(f"benchmark_path: {benchmark_path} holds no {', '.join(SUFFIXES)} file")
    return [_read(benchmark_path / name, name) for name in names]


def _is_benchmark(path: Path) -> bool:
    return path.name.endswith(SUFFIXES) and path.is_file()


def _read(file: Path | Traversable, name: str) -> Source:
    try:
        stored = file.read_bytes()
    except OSError as error:
        raise UserMistake(f"{name} cannot be read: {error.strerror or error}") from error
    return Source(name, hashlib.sha256(stored).hexdigest(), list(_rows(_text(stored, name), name)))


def _text(stored: bytes, name: str) -> str:
    """Told apart by content, not by name: a ``.gz`` is often unpacked on the way without losing its suffix."""
    try:
        plain = gzip.decompress(stored) if stored.startswith(b"\x1f\x8b") else stored
        return plain.decode("utf-8-sig")
    except (OSError, EOFError, zlib.error) as error:
        raise UserMistake(f"{name} is not a whole gzip file: {error}") from error
    except UnicodeDecodeError as error:
        raise UserMistake(f"{name} is not UTF-8 text (byte {error.start})") from error


def _rows(text: str, name: str) -> Iterator[Row]:
    if text.lstrip().startswith("["):
        yield from _array_rows(text, name)
        return
    whole = _single_object(text) if name.removesuffix(".gz").endswith(".json") else None
    if whole is not None:
        yield Row(whole, name)
        return
    # Not splitlines(): it also breaks at characters such as U+2028, which JSON strings may hold as they are.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            place = f"{name}, line {number}"
            yield Row(_object(_parse(line, place), place), place)


def _array_rows(text: str, name: str) -> Iterator[Row]:
    for number, item in enumerate(_parse(text, name), start=1):
        place = f"{name}, item {number}"
        yield Row(_object(item, place), place)


def _single_object(text: str) -> dict[str, Any] | None:
    """MATH was first published as one indented object a file."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return whole if isinstance(whole, dict) else None


def _parse(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise _no_json(place, f"{error.msg}, {where}") from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, brackets without end
        raise _no_json(place, "it is too large or too deep to read") from error


def _no_json(place: str, reason: str) -> UserMistake:
    remedy = "Expected one JSON array of objects, or one JSON object a line."
    return UserMistake(f"{place}: not JSON ({reason})", remedy)


def _object(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UserMistake(f"{place}: expected a JSON object, found {type(value).__name__}")
    return value
