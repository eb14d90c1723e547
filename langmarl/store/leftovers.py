"""Unfinished files and folders of writers that were killed."""

from __future__ import annotations

import contextlib
import shutil
import time
from pathlib import Path

from langmarl.store.atomic import TEMPORARY_SUFFIX

_OLD_S = 3600.0


def clear_all_leftovers(folder: Path) -> None:
    """Remove every unfinished write in and below ``folder``; only for its owner, since none may be in progress."""
    for leftover in list(folder.rglob(f".*{TEMPORARY_SUFFIX}")):
        _remove(leftover)


def clear_old_leftovers(folder: Path) -> None:
    """Remove the unfinished writes in ``folder`` itself that are an hour old: no live process is at them."""
    for leftover in folder.glob(f".*{TEMPORARY_SUFFIX}"):
        with contextlib.suppress(OSError):
            if time.time() - leftover.stat().st_mtime > _OLD_S:
                _remove(leftover)


def _remove(leftover: Path) -> None:
    if leftover.is_dir():
        shutil.rmtree(leftover, ignore_errors=True)
    else:
        leftover.unlink(missing_ok=True)
