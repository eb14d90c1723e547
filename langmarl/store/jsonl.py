"""Append-only files of one JSON object a line.

A line counts once its newline is on disk. A process that dies in the middle of a write leaves a last line
without one: readers pass over it, and the next append cuts it off first.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langmarl.errors import UserMistake
from langmarl.store.atomic import dump_json
from langmarl.store.schema import check_version, stamped

_TAIL_BLOCK = 64 * 1024


@dataclass(frozen=True, slots=True)
class Lines:
    """A stretch of finished lines.

    Attributes:
        objects: One a line, in the order of the appends.
        end: Where the next line will begin, in bytes from the start of the file.
    """

    objects: list[dict[str, Any]]
    end: int


def append_line(path: Path, data: Mapping[str, Any]) -> None:
    """Append ``data`` as one line with one write; missing folders are made.

    Safe from several threads and several processes: the file is locked for the length of the call. There is no
    fsync, so the line survives the process but not a power cut.

    Raises:
        TypeError: ``data`` holds something that JSON has no form for.
        OSError: The disk is full or the file cannot be written; the file is as it was before.
    """
    line = dump_json(stamped(data)).encode("utf-8") + b"\n"
    descriptor = _open_for_append(path)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        end = _cut_torn_tail(descriptor)
        written = os.write(descriptor, line)
        if written != len(line):
            os.ftruncate(descriptor, end)
            raise OSError(f"only {written} of {len(line)} bytes could be appended to {path}; is the disk full?")
    finally:
        os.close(descriptor)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Every finished line, in the order of the appends; empty where there is no file.

    Raises:
        UserMistake: A finished line is no JSON object, or was written by a newer LangMARL; names file and line.
    """
    return read_lines_from(path, 0).objects


def read_lines_from(path: Path, offset: int) -> Lines:
    """As :func:`read_lines`, from the line that begins at ``offset`` bytes; the numbers in messages count from it."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            content = file.read()
    except FileNotFoundError:
        return Lines([], offset)
    finished = content[: content.rfind(b"\n") + 1]
    # Only b"\n" ends a line: str.splitlines would also split at U+2028 and its like inside a reply.
    lines = finished.split(b"\n")[:-1]
    objects = [_parse(line, f"{path}, line {number}") for number, line in enumerate(lines, start=1)]
    return Lines(objects, offset + len(finished))


def _parse(line: bytes, source: str) -> dict[str, Any]:
    try:
        data = json.loads(line.decode("utf-8"))
    except ValueError as error:
        raise UserMistake(f"{source} is damaged: {error}.", "Delete that line; what it held is done again.") from error
    if not isinstance(data, dict):
        raise UserMistake(f"{source} is damaged: it is no object.", "Delete that line; what it held is done again.")
    check_version(data, source)
    data.pop("schema_version", None)
    return data


def _open_for_append(path: Path) -> int:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o666)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, flags, 0o666)


def _cut_torn_tail(descriptor: int) -> int:
    """Cut what follows the last newline; the file's length afterwards, in bytes."""
    size = os.fstat(descriptor).st_size
    if size == 0 or os.pread(descriptor, 1, size - 1) == b"\n":
        return size
    start = size
    while start > 0:
        start = max(0, start - _TAIL_BLOCK)
        newline = os.pread(descriptor, _TAIL_BLOCK, start).rfind(b"\n")
        if newline >= 0:
            os.ftruncate(descriptor, start + newline + 1)
            return start + newline + 1
    os.ftruncate(descriptor, 0)
    return 0
