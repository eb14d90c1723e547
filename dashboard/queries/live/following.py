"""Files that are looked at again and again: their content is read only where it changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from langmarl.errors import LangMARLError

_Value = TypeVar("_Value")

READ_AT_ONCE = 16 * 2**20
"""Most bytes of a growing file that one look takes in; what is left is read by the next ones."""

_TICK_NS = 100_000_000
"""Two changes within one tick of a file system's clock cannot be told apart; this is longer than any tick."""


def stamp(path: Path) -> tuple[int, int, int] | None:
    """Changes whenever a file is replaced or grows, or a folder's entries change; None where there is nothing."""
    try:
        status = path.stat()
    except OSError:
        return None
    # The inode too: a replaced file of equal size may fall into the same tick of the clock.
    return status.st_mtime_ns, status.st_size, status.st_ino


def is_episode(file_name: str) -> bool:
    """Whether a file of this name holds an episode, or what belongs to one."""
    return file_name.startswith("episode_") and file_name.endswith(".json")


@dataclass(frozen=True, slots=True)
class Reading(Generic[_Value]):
    """What a file holds.

    Attributes:
        value: The last content that could be used.
        problem: Why the present content cannot be used; None in good order.
    """

    value: _Value
    problem: LangMARLError | None = None


class Followed(Generic[_Value]):
    """Something made from files or folders, made again only when one of them changes.

    Args:
        paths: What it is made from.
        read: Makes it; an error of ours or of the disk keeps the last value and becomes the problem.
        initial: The value until the first one could be made.
    """

    def __init__(self, paths: list[Path], read: Callable[[], _Value], initial: _Value) -> None:
        self._paths = paths
        self._read = read
        self._stamp: object = ()
        self._reading = Reading(initial)

    def look(self) -> Reading[_Value]:
        """The present value; the same object as before where nothing changed."""
        present = [stamp(path) for path in self._paths]
        if present != self._stamp:
            # Stamps from before the reading: what changes meanwhile is read once more, never missed.
            self._reading = self._read_now()
            self._stamp = present if _is_settled(present) else ()
        return self._reading

    def _read_now(self) -> Reading[_Value]:
        try:
            return Reading(self._read())
        except LangMARLError as error:
            return Reading(self._reading.value, error)
        except OSError as error:
            names = ", ".join(path.name for path in self._paths)
            return Reading(self._reading.value, LangMARLError(f"{names} cannot be read: {error.strerror}."))


def _is_settled(stamps: list[tuple[int, int, int] | None]) -> bool:
    now = time.time_ns()
    return not any(seen and 0 <= now - seen[0] < _TICK_NS for seen in stamps)


@dataclass(frozen=True, slots=True)
class NewLines:
    """What was appended to a file since the last look.

    Attributes:
        lines: The finished lines, oldest first, without their line ends.
        restarted: Whether the file is another one or was cut, so that what earlier looks gave no longer counts.
    """

    lines: list[bytes]
    restarted: bool


class GrowingFile:
    """A file to which lines are appended; each look reads only what is new.

    A last line without its end is left for the next look.

    Args:
        path: The file; it need not exist yet.
        newest_bytes: Begin at most so many bytes before the end; None: at the beginning.
    """

    def __init__(self, path: Path, newest_bytes: int | None = None) -> None:
        self.path = path
        self._newest_bytes = newest_bytes
        self._stamp: tuple[int, int, int] | None = None
        self._offset = 0
        self._is_behind = False

    def look(self) -> NewLines:
        """The lines that came since the last look; none where the file cannot be read."""
        present = stamp(self.path)
        if present == self._stamp and not self._is_behind:
            return NewLines([], restarted=False)
        before, self._stamp = self._stamp, present
        if present is None:
            self._offset = 0
            return NewLines([], restarted=before is not None)
        is_other = before is not None and (present[2] != before[2] or present[1] < self._offset)
        if before is None or is_other:
            self._offset = self._beginning(present[1])
        return NewLines(self._read(present[1]), restarted=is_other)

    def _beginning(self, size: int) -> int:
        if self._newest_bytes is None or size <= self._newest_bytes:
            return 0
        start = size - self._newest_bytes
        skipped = self._bytes(start, self._newest_bytes).find(b"\n")
        return size if skipped < 0 else start + skipped + 1

    def _read(self, size: int) -> list[bytes]:
        content = self._bytes(self._offset, READ_AT_ONCE)
        end = content.rfind(b"\n") + 1
        if not end and len(content) == READ_AT_ONCE:  # one line longer than a look: nothing a run writes
            end = len(content)
        self._offset += end
        self._is_behind = len(content) == READ_AT_ONCE and self._offset < size
        return content[:end].split(b"\n")[:-1]

    def _bytes(self, start: int, count: int) -> bytes:
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return b""
        try:
            return os.pread(descriptor, count, start)
        except OSError:
            return b""
        finally:
            os.close(descriptor)
