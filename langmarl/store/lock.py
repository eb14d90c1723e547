"""A lock that the kernel gives back when its holder dies."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Iterator
from pathlib import Path

_held: set[int] = set()
"""Descriptors of the locks that this process holds."""

_RETRY_S = 0.02


class LockTimeoutError(Exception):
    """The lock was not free within the given time."""


@contextlib.contextmanager
def locked(path: Path, *, patience_s: float | None = None) -> Iterator[None]:
    """Hold the ``flock`` of ``path`` for the length of the block; the file is made where missing.

    Two holders exclude each other also within one process. A child made by ``fork`` does not share the lock, so
    that a worker process that outlives its parent does not keep the run locked.

    Args:
        path: The lock file; its folder must exist.
        patience_s: How long to wait for another holder, in seconds; None waits without end.

    Raises:
        LockTimeoutError: The lock was not free in time.
        OSError: The file cannot be opened.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    _held.add(descriptor)
    owner = os.getpid()
    try:
        _acquire(descriptor, path, patience_s)
        yield
    finally:
        # In a forked child that unwinds through here the descriptor is closed already, and its number reused.
        if os.getpid() == owner:
            _held.discard(descriptor)
            os.close(descriptor)


def is_locked(path: Path) -> bool:
    """Whether somebody holds the lock now.

    The check itself holds a shared lock for a few microseconds; :func:`locked` waits that out when it has at
    least a little patience.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    else:
        return False
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, path: Path, patience_s: float | None) -> None:
    if patience_s is None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return
    deadline = time.monotonic() + patience_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise LockTimeoutError(f"{path} is locked by another process") from None
            time.sleep(_RETRY_S)


def _forget_in_child() -> None:
    # Closing a copy leaves the parent's lock in place; only the last copy's end frees it.
    for descriptor in _held:
        with contextlib.suppress(OSError):
            os.close(descriptor)
    _held.clear()


os.register_at_fork(after_in_child=_forget_in_child)
