"""What a run's calls used, summed from its journal: right also where a process died before it could say."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langmarl.errors import UserMistake
from langmarl.store.journal import read_records
from langmarl.store.layout import RunLayout, iteration_name, iterations_in
from langmarl.usage import Usage, total

_MOST_FILES = 4096


@dataclass(slots=True)
class _Sums:
    """Usage of one file of the journal up to ``offset``, by phase, role and model."""

    inode: int
    offset: int = 0
    usage: dict[tuple[str, str, str], Usage] = field(default_factory=dict)


_known: dict[Path, _Sums] = {}
"""A journal only grows, so what was summed once is never read again."""

_lock = threading.Lock()


def journal_totals(layout: RunLayout) -> dict[str, Any]:
    """What all calls of the run used, set-aside ones included; empty where it has made none. Thread-safe.

    Returns:
        ``Usage.to_dict()`` with ``by_role`` and ``by_model``, and ``train`` and ``eval`` without what was set aside:
        the same as ``totals`` in ``metrics.json``.

    Raises:
        UserMistake: A finished line of the journal is damaged, or from a newer LangMARL.
    """
    with _lock:
        present = _summed(layout.calls)
        aside = [entry for folder in sorted(layout.set_aside.glob("*/calls")) for entry in _summed(folder)]
    if not present and not aside:
        return {}
    every = [*present, *aside]
    return {
        **total(usage for _, usage in every).to_dict(),
        "by_role": _by((key[1], usage) for key, usage in every),
        "by_model": _by((key[2], usage) for key, usage in every),
        **{phase: total(usage for key, usage in present if key[0] == phase).to_dict() for phase in ("train", "eval")},
    }


def _by(entries: Iterable[tuple[str, Usage]]) -> dict[str, Any]:
    sums: dict[str, Usage] = {}
    for name, usage in entries:
        sums[name] = sums.get(name, Usage()) + usage
    return {name: usage.to_dict() for name, usage in sums.items()}


def _summed(folder: Path) -> list[tuple[tuple[str, str, str], Usage]]:
    files = (folder / f"{iteration_name(iteration)}.jsonl" for iteration in iterations_in(folder))
    return [entry for path in files for entry in _sums_of(path).usage.items()]


def _sums_of(path: Path) -> _Sums:
    """The sums of one file, brought up to date by what was appended since."""
    path = path.resolve()
    try:
        status = path.stat()
    except FileNotFoundError:
        return _Sums(inode=0)
    sums = _known.get(path)
    if sums is None or sums.inode != status.st_ino or status.st_size < sums.offset:
        sums = _Sums(status.st_ino)
    try:
        added = read_records(path, sums.offset)
    except UserMistake:
        if not sums.offset:
            raise
        del _known[path]  # edited in place: what was summed no longer holds, and line numbers must count from the top
        return _sums_of(path)
    for record in added.records:
        key = (record.key.phase, record.key.role, record.model)
        sums.usage[key] = sums.usage.get(key, Usage()) + record.usage
    sums.offset = added.end
    if len(_known) >= _MOST_FILES:
        _known.clear()
    _known[path] = sums
    return sums
