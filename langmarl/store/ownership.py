"""Who may write a run: one process at a time.

The lock on ``<run>/.lock`` decides. ``owner.json`` says who holds it, for people, and for hosts that share the
folder over a network whose file system does not carry locks: there a recent heartbeat counts.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from langmarl.errors import RunOwnedError, UserMistake
from langmarl.store.atomic import read_json, write_json
from langmarl.store.clock import age_s, now_iso
from langmarl.store.layout import RunLayout
from langmarl.store.lock import LockTimeoutError, is_locked, locked

HEARTBEAT_S = 2.0
"""Seconds between two heartbeats."""

STALE_S = 30.0
"""A heartbeat older than this many seconds belongs to a dead process on another host."""

_PATIENCE_S = 0.5

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Owner:
    """The process that writes a run.

    Attributes:
        pid: Process id on its host.
        boot_id: Changes when that host restarts; tells one host from another.
        host: The host's name.
        started_at: When it took the run, ISO 8601.
        heartbeat_at: When it last showed signs of life, ISO 8601.
    """

    pid: int
    boot_id: str
    host: str
    started_at: str
    heartbeat_at: str

    @classmethod
    def this_process(cls) -> Owner:
        """The process that asks, as of now."""
        now = now_iso()
        return cls(os.getpid(), _boot_id(), socket.gethostname(), now, now)

    @property
    def is_elsewhere(self) -> bool:
        """Whether it runs, or ran, under another kernel than this process."""
        return self.boot_id != _boot_id()

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}"


def read_owner(layout: RunLayout) -> Owner | None:
    """The last known owner, alive or not; None where the run was let go in good order or never taken.

    A damaged ``owner.json`` counts as none: it is for display, and the lock decides.
    """
    try:
        data = read_json(layout.owner)
        age_s(str(data["heartbeat_at"]))
        return Owner(**{name: data[name] for name in Owner.__slots__})
    except (FileNotFoundError, UserMistake, KeyError, TypeError, ValueError):
        return None


def live_owner(layout: RunLayout) -> Owner | None:
    """The process that is writing the run now, or None."""
    owner = read_owner(layout)
    if is_locked(layout.lock):
        now = now_iso()
        return owner or Owner(0, "", "unknown host", now, now)
    return owner if owner is not None and _beats_elsewhere(owner) else None


@contextlib.contextmanager
def owned(layout: RunLayout) -> Iterator[Owner]:
    """Own the run for the length of the block; a daemon thread keeps the heartbeat.

    Raises:
        RunOwnedError: Another live process, or another part of this one, owns it; says which and since when.
        UserMistake: The folder cannot be written.
    """
    elsewhere = read_owner(layout)
    if elsewhere is not None and _beats_elsewhere(elsewhere):
        raise _refusal(layout, elsewhere)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(locked(layout.lock, patience_s=_PATIENCE_S))
        except LockTimeoutError:
            raise _refusal(layout, read_owner(layout)) from None
        except OSError as error:
            raise UserMistake(
                f"{layout.root} cannot be written: {error}.", "Check the folder's permissions."
            ) from error
        owner = Owner.this_process()
        write_json(layout.owner, asdict(owner))
        stack.callback(_let_go, layout.owner, os.getpid())
        stack.enter_context(_heartbeat(layout.owner, owner))
        yield owner


def _refusal(layout: RunLayout, owner: Owner | None) -> RunOwnedError:
    who = f"{owner} since {owner.started_at}" if owner else "another process"
    return RunOwnedError(
        f"{layout.root.name} is being written by {who}.",
        "Wait for it or stop it, or start another run with --fresh.",
    )


def _let_go(path: Path, pid: int) -> None:
    if os.getpid() == pid:  # a forked child that unwinds through here owns nothing
        with contextlib.suppress(OSError):
            path.unlink()


@contextlib.contextmanager
def _heartbeat(path: Path, owner: Owner) -> Iterator[None]:
    ended = threading.Event()

    def beat() -> None:
        failing = False
        while not ended.wait(HEARTBEAT_S):
            try:
                write_json(path, asdict(replace(owner, heartbeat_at=now_iso())))
                failing = False
            except OSError as error:
                if not failing:
                    _log.warning("the heartbeat in %s cannot be written: %s", path, error)
                failing = True

    thread = threading.Thread(target=beat, name="langmarl-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _beats_elsewhere(owner: Owner) -> bool:
    return owner.is_elsewhere and age_s(owner.heartbeat_at) < STALE_S


def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:  # no Linux: the host's name is the best there is
        return socket.gethostname()
