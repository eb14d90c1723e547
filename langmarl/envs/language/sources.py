"""Benchmark files: what is in them row by row, before anybody asks what the rows mean."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from langmarl.config.paths import kind_of
from langmarl.errors import UserMistake

SUFFIXES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")

MOST_FILES = 20_000
"""Files of one directory. MATH, as first published, has one for each of its 12,500 problems."""

MOST_ENTRIES = 100_000
"""Files of any kind below one directory; with more, it is hardly a benchmark's."""

MOST_FOLDERS_DEEP = 8
"""Levels of folders below one directory."""

_NAME_IT_CLOSER = "Name the benchmark's own file or directory."


@dataclass(frozen=True, slots=True)
class Row:
    """One object of a benchmark file.

    Attributes:
        fields: The object as published.
        place: Where it stands, for messages: ``"data/dev.json, item 3"`` or ``"data/tasks.jsonl, line 3"``.
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
    name = f"shipped/{task_type}.jsonl"
    return _read(file, name, name)


def read_sources(benchmark_path: Path, leave_out: Iterable[Path] = ()) -> list[Source]:
    """Read a benchmark: one file, or every ``.json``/``.jsonl`` file (also ``.gz``) below a directory, in name order.

    Args:
        benchmark_path: The file or the directory. Folders of runs in it are not looked into.
        leave_out: Further folders that are not looked into.

    Raises:
        UserMistake: The path does not exist, holds no such file or far too many, or a file cannot be read; names file
            and line, and never quotes what is in it.
    """
    kind = kind_of(benchmark_path)
    if kind == "file":
        return [_read(benchmark_path, benchmark_path.name, str(benchmark_path))]
    if kind != "directory":
        wrong = {"absent": "does not exist", "special": "is neither a file nor a directory"}
        raise mistake(
            f"{benchmark_path} {wrong.get(kind, 'cannot be looked at')}",
            "Name a file or a directory; leave benchmark_path out to use the set that comes with the package.",
        )
    names = sorted(path.relative_to(benchmark_path).as_posix() for path in benchmark_files(benchmark_path, leave_out))
    if not names:
        raise mistake(f"{benchmark_path} holds no {', '.join(SUFFIXES)} file", _NAME_IT_CLOSER)
    return [_read(benchmark_path / name, name, str(benchmark_path / name)) for name in names]


def mistake(what: str, remedy: str | None = None) -> UserMistake:
    """The error about a benchmark; ``what`` begins with the file."""
    return UserMistake(f"benchmark_path: {what}", remedy)


def benchmark_files(root: Path, leave_out: Iterable[Path]) -> list[Path]:
    """The files to read below ``root``, in no particular order, hidden ones and links to folders left out.

    Raises:
        UserMistake: There is far more than a benchmark has: the root of a file system would take minutes to walk
            through.
    """
    found: list[Path] = []
    entries = 0
    left_out = [folder for folder in leave_out if kind_of(folder) == "directory"]
    for name, folders, files_here in os.walk(root):
        folder = Path(name)
        entries += len(folders) + len(files_here)
        folders[:] = [each for each in folders if each[0] != "." and not _is_left_out(folder / each, left_out)]
        found += [folder / each for each in files_here if _is_benchmark(folder / each)]
        if entries > MOST_ENTRIES or len(found) > MOST_FILES:
            limit = f"{MOST_FILES:,} benchmark files" if len(found) > MOST_FILES else f"{MOST_ENTRIES:,} files"
            raise mistake(f"{root} holds more than {limit}, which is more than is read", _NAME_IT_CLOSER)
        if folders and len(folder.relative_to(root).parts) >= MOST_FOLDERS_DEEP:
            deep = f"{root} has folders more than {MOST_FOLDERS_DEEP} levels deep, which is deeper than is read"
            raise mistake(f"{deep}: {folder / folders[0]}", _NAME_IT_CLOSER)
    return found


def _is_left_out(folder: Path, left_out: Iterable[Path]) -> bool:
    """Whether a folder holds a run, whose journals are no tasks, or is one of those to be left out."""
    return kind_of(folder / "run.json") == "file" or any(folder.samefile(other) for other in left_out)


def _is_benchmark(path: Path) -> bool:
    return path.name[0] != "." and path.name.endswith(SUFFIXES) and kind_of(path) == "file"


def _read(file: Path | Traversable, name: str, place: str) -> Source:
    """Read a file that is called ``name`` on every machine, and ``place`` in messages."""
    try:
        stored = file.read_bytes()
    except OSError as error:
        raise mistake(f"{place} cannot be read: {error.strerror or error}") from error
    return Source(name, hashlib.sha256(stored).hexdigest(), list(_rows(_text(stored, place), place)))


def _text(stored: bytes, name: str) -> str:
    """Told apart by content, not by name: a ``.gz`` is often unpacked on the way without losing its suffix."""
    try:
        plain = gzip.decompress(stored) if stored.startswith(b"\x1f\x8b") else stored
        return plain.decode("utf-8-sig")
    except (OSError, EOFError, zlib.error) as error:
        raise mistake(f"{name} is not a whole gzip file: {error}") from error
    except UnicodeDecodeError as error:
        raise mistake(f"{name} is not UTF-8 text (byte {error.start})") from error


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
    return mistake(f"{place}: not JSON ({reason})", remedy)


def _object(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise mistake(f"{place}: expected a JSON object, found {type(value).__name__}")
    return value
