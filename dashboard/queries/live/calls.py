"""The model calls of the iteration at work, from the end of its journal."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from dashboard.queries.live.following import GrowingFile
from dashboard.queries.live.numbers import mapping, number, usage_of
from langmarl.store import CallJournal
from langmarl.usage import Phase, Usage, total

RATE_OVER_S = 30.0
"""Calls a second are counted over the last so many seconds."""


@dataclass(frozen=True, slots=True)
class Throughput:
    """How fast calls are being made.

    Attributes:
        calls_per_s: Calls finished a second.
        over_s: The seconds that this was counted over, up to now.
    """

    calls_per_s: float
    over_s: float


@dataclass(slots=True)
class CallSums:
    """The calls of one iteration so far.

    Attributes:
        usage: Phase → role → usage.
        unreadable: Lines that are no records of calls.
    """

    usage: dict[Phase, dict[str, Usage]] = field(default_factory=lambda: {"train": {}, "eval": {}})
    unreadable: int = 0

    def of(self, phase: Phase) -> Usage:
        """Over all roles."""
        return total(self.usage[phase].values())


@dataclass(frozen=True, slots=True)
class _Call:
    phase: Phase
    role: str
    usage: Usage
    started: float
    finished: float


class JournalTail:
    """Follows the journal of a run from iteration to iteration.

    Args:
        journal: The run's journal.
    """

    def __init__(self, journal: CallJournal) -> None:
        self._journal = journal
        self._iteration: int | None = None
        self._file: GrowingFile | None = None
        self._sums = CallSums()
        self._finished: deque[_Call] = deque()

    def look(self, iteration: int) -> CallSums:
        """The calls of ``iteration`` so far; reads what was appended since the last look."""
        if iteration != self._iteration or self._file is None:
            if self._file is not None:
                self._take(self._file.look().lines)  # its last calls still count as made a moment ago
            self._iteration, self._file = iteration, GrowingFile(self._journal.path(iteration))
            self._sums = CallSums()
        new = self._file.look()
        if new.restarted:
            self._sums = CallSums()
        self._take(new.lines)
        return self._sums

    def throughput(self, now: float) -> Throughput | None:
        """Calls a second up to ``now`` (seconds since 1970); None where none finished lately."""
        while self._finished and self._finished[0].finished < now - RATE_OVER_S:
            self._finished.popleft()
        if not self._finished:
            return None
        began = min(call.started for call in self._finished)
        span = min(RATE_OVER_S, max(now - began, 1e-3))
        return Throughput(len(self._finished) / span, span)

    def _take(self, lines: list[bytes]) -> None:
        for line in lines:
            call = _read_call(line)
            if call is None:
                self._sums.unreadable += 1
                continue
            by_role = self._sums.usage[call.phase]
            by_role[call.role] = by_role.get(call.role, Usage()) + call.usage
            self._finished.append(call)


def _read_call(line: bytes) -> _Call | None:
    try:
        record: Any = json.loads(line)
        key: Mapping[str, Any] = record["key"]
        started = datetime.fromisoformat(record["started_at"]).timestamp()
        finished = started + number(record["duration_s"])
        phase: Phase = "eval" if key["phase"] == "eval" else "train"
        return _Call(phase, str(key["role"]), usage_of(mapping(record["usage"])), started, finished)
    except (ValueError, KeyError, TypeError, OverflowError):
        return None
