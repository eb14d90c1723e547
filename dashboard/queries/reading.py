"""Reading a run's files for a page: values of any type are expected, and unchanged files are read once."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, TypeVar

_Value = TypeVar("_Value")
_Stamp = tuple[int, int, int] | None


def number(value: Any) -> float | None:
    """``value`` where it is a finite number, else None: a file from elsewhere may hold anything."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        converted = float(value)
    except OverflowError:
        return None
    return converted if math.isfinite(converted) else None


def whole_number(value: Any) -> int | None:
    """``value`` where it is a whole number, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def text_or_none(value: Any) -> str | None:
    """``value`` as text; None stays None."""
    return None if value is None else str(value)


class RememberedFiles(Generic[_Value]):
    """What was made of files or folders, for as long as they stay the same. Safe from any thread.

    A folder counts as changed when an entry is added, renamed or replaced by renaming, which is how a run's files are
    written.

    Args:
        size: How many to remember; the one not used for longest is forgotten first.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[Path, ...], tuple[tuple[_Stamp, ...], _Value]] = OrderedDict()

    def read(self, path: Path, make: Callable[[Path], _Value], *others: Path) -> _Value:
        """What ``make(path)`` gave when the files were last as they are now.

        Args:
            path: A file or folder; it need not exist.
            make: Reads it; what it raises is raised, and not remembered.
            others: More files or folders that the result rests on.
        """
        paths = (path, *others)
        stamps = tuple(map(_stamp, paths))
        with self._lock:
            known = self._known.get(paths)
            if known is not None and known[0] == stamps:
                self._known.move_to_end(paths)
                return known[1]
        value = make(path)
        with self._lock:
            self._known[paths] = (stamps, value)
            self._known.move_to_end(paths)
            while len(self._known) > self._size:
                self._known.popitem(last=False)
        return value


def _stamp(path: Path) -> _Stamp:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size, status.st_ino)
