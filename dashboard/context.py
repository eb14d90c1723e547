"""What all pages of one server share: the experiment folder, its store, its index, its supervisor."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from langmarl.store import Index, LocalStore

if TYPE_CHECKING:
    from dashboard.supervisor import Supervisor

EXPERIMENTS_VARIABLE = "LANGMARL_EXPERIMENTS"
_RECONCILE_EVERY_S = 1.0


def experiments_dir() -> Path:
    """The folder of all runs, absolute: ``LANGMARL_EXPERIMENTS``, else ``experiments`` in the working directory."""
    return Path(os.environ.get(EXPERIMENTS_VARIABLE) or "experiments").absolute()


def store() -> LocalStore:
    """The runs of :func:`experiments_dir`."""
    return LocalStore(experiments_dir())


def index() -> Index:
    """The index of :func:`experiments_dir`; one a process. For its present state see :func:`reconciled_index`."""
    folder = experiments_dir()
    return _shared(("index", folder), lambda: Index(folder))


def reconciled_index() -> Index:
    """The index, brought up to date with the run directories at most a second ago."""
    found, last = index(), _shared(("reconciled", experiments_dir()), lambda: _Reconciliation())
    last.repeat_if_old(found)
    return found


def supervisor() -> Supervisor:
    """The supervisor of the runs in :func:`experiments_dir`; one a process, also after a hot reload."""
    from dashboard.supervisor import Supervisor  # the trainer takes a while to import, and not every page needs it

    def begin() -> Supervisor:
        begun = Supervisor(folder)
        begun.recover()
        return begun

    folder = experiments_dir()
    return _shared(("supervisor", folder), begin)


def existing_supervisors() -> list[Supervisor]:
    """Those that were asked for so far."""
    with _process.lock:
        return [value for (kind, _), value in _process.values.items() if kind == "supervisor"]


class _Reconciliation:
    """Remembers when the index was last brought up to date."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at: float | None = None

    def repeat_if_old(self, found: Index) -> None:
        # Only the very first time is there nothing to show meanwhile; else a page that finds another one at it goes on
        # with what the index knows, and sees the rest at its next look.
        if not self._lock.acquire(blocking=self._at is None):
            return
        try:
            if self._at is None or time.monotonic() - self._at >= _RECONCILE_EVERY_S:
                found.reconcile()
                self._at = time.monotonic()
        finally:
            self._lock.release()


def _process_memory() -> Any:
    """A place that outlives a hot reload.

    Streamlit imports the dashboard's modules anew when one of their files changes; what they hold starts empty then.
    A module that comes from no file is left alone.
    """
    fresh = ModuleType("langmarl_dashboard_process")
    fresh.lock, fresh.values = threading.RLock(), {}
    return sys.modules.setdefault(fresh.__name__, fresh)


_process = _process_memory()


def _shared(key: tuple[str, Path], make: Callable[[], Any]) -> Any:
    with _process.lock:
        if key not in _process.values:
            _process.values[key] = make()
        return _process.values[key]
