"""``metrics.json``: what each finished iteration and evaluation came to."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langmarl.store.atomic import read_json, write_json
from langmarl.store.schema import DamagedFileError

_REMEDY = (
    "Restore it from a copy, or move it away and run the same command again: it is made again from the run's other "
    "files, without paying."
)


@dataclass(slots=True)
class Metrics:
    """The content of ``metrics.json``.

    Attributes:
        iterations: The stats of each finished iteration with its ``iteration``, ascending.
        evaluations: The result of each held-out evaluation with its ``checkpoint``, ascending.
        best_checkpoint: The checkpoint with the best result; None before any is known.
        totals: What all calls of the run used, set-aside ones included (``Usage.to_dict()`` and whatever else the
            trainer reports).
    """

    iterations: list[dict[str, Any]] = field(default_factory=list)
    evaluations: list[dict[str, Any]] = field(default_factory=list)
    best_checkpoint: int | None = None
    totals: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {name: getattr(self, name) for name in Metrics.__slots__}

    def before(self, iteration: int) -> Metrics:
        """What remains when the run goes back to the start of ``iteration``; what was spent stays spent."""
        best = self.best_checkpoint
        return Metrics(
            iterations=[row for row in self.iterations if row["iteration"] < iteration],
            evaluations=[row for row in self.evaluations if row["checkpoint"] <= iteration],
            best_checkpoint=best if best is not None and best <= iteration else None,
            totals=dict(self.totals),
        )


class MetricsFile:
    """The file ``metrics.json`` of one run.

    Writers are serialised within this object; only the run's owner may write. Every write is durable. Readers in
    other threads and processes see the old content or the new.

    Args:
        path: The file; it need not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    def read(self) -> Metrics:
        """The present content; empty where nothing was written yet.

        Raises:
            UserMistake: The file is damaged, or was written by a newer LangMARL.
        """
        try:
            data = read_json(self.path)
        except FileNotFoundError:
            return Metrics()
        except DamagedFileError as error:
            raise DamagedFileError(error.message, _REMEDY) from error
        metrics = Metrics(**{name: data[name] for name in Metrics.__slots__ if name in data})
        if not isinstance(metrics.totals, dict):
            raise DamagedFileError(f"{self.path} is damaged: its totals are no object.", _REMEDY)
        _check_rows(metrics.iterations, "iteration", self.path)
        _check_rows(metrics.evaluations, "checkpoint", self.path)
        return metrics

    def iterations(self) -> list[dict[str, Any]]:
        """The stats of each finished iteration, ascending.

        Raises:
            UserMistake: As :meth:`read`.
        """
        return self.read().iterations

    def has_evaluation(self, checkpoint: int) -> bool:
        """Whether ``checkpoint`` has been evaluated."""
        return any(row["checkpoint"] == checkpoint for row in self.read().evaluations)

    def replace(self, metrics: Metrics) -> None:
        """Write ``metrics`` over whatever is there."""
        with self._lock:
            self._write(metrics)

    def append_iteration(self, stats: Mapping[str, Any], *, totals: Mapping[str, Any] | None = None) -> None:
        """Add the row of one iteration; a row of the same iteration is replaced.

        Args:
            stats: The row; ``stats["iteration"]`` is the iteration.
            totals: The run's totals from now on; None leaves them.

        Raises:
            KeyError: ``stats`` does not say its iteration.
        """
        with self._lock:
            metrics = self.read()
            metrics.iterations = _with_row(metrics.iterations, stats, "iteration")
            if totals is not None:
                metrics.totals = dict(totals)
            self._write(metrics)

    def append_evaluation(self, result: Mapping[str, Any], *, totals: Mapping[str, Any] | None = None) -> None:
        """Add the row of one evaluation; a row of the same checkpoint is replaced.

        Args:
            result: The row; ``result["checkpoint"]`` is the checkpoint.
            totals: The run's totals from now on; None leaves them.

        Raises:
            KeyError: ``result`` does not say its checkpoint.
        """
        with self._lock:
            metrics = self.read()
            metrics.evaluations = _with_row(metrics.evaluations, result, "checkpoint")
            if totals is not None:
                metrics.totals = dict(totals)
            self._write(metrics)

    def set_best_checkpoint(self, checkpoint: int | None) -> None:
        """Record which checkpoint is the best so far."""
        with self._lock:
            metrics = self.read()
            metrics.best_checkpoint = checkpoint
            self._write(metrics)

    def set_totals(self, totals: Mapping[str, Any]) -> None:
        """Record what the whole run has used so far."""
        with self._lock:
            metrics = self.read()
            metrics.totals = dict(totals)
            self._write(metrics)

    def _write(self, metrics: Metrics) -> None:
        write_json(self.path, metrics.to_dict(), durable=True)


def _with_row(rows: list[dict[str, Any]], row: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    number = row[key]
    kept = [other for other in rows if other[key] != number]
    return sorted([*kept, dict(row)], key=lambda each: int(each[key]))


def _check_rows(rows: object, key: str, path: Path) -> None:
    sound = isinstance(rows, list) and all(isinstance(row, dict) and isinstance(row.get(key), int) for row in rows)
    if not sound:
        raise DamagedFileError(f"{path} is damaged: a row without a number under {key!r}.", _REMEDY)
