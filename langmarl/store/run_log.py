"""``run.log``: what happened in a run, one line an event."""

from __future__ import annotations

import logging
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from langmarl.errors import UserMistake

if TYPE_CHECKING:
    from langmarl.store.local import LocalStore
    from langmarl.store.run_directory import RunDirectory

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")

# Control characters, and what some viewers take for a line's end. Text from a model must neither forge a line of
# the log nor steer the terminal that shows it.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class RunLogger:
    """Writes to a run's ``run.log`` and to the console (stderr).

    Safe from several threads. Opening the same run again appends; no line is written twice. One record is one
    line: line breaks and control characters inside a message are written as escapes.

    Args:
        store: Where the runs are.
        run_id: The run, or ``"latest"``. A run that does not exist yet begins with the first line.
        log_level: The least level that is written: DEBUG, INFO, WARNING, ERROR or CRITICAL.
        console: Whether to write to stderr as well.

    Raises:
        UnknownNameError: ``run_id`` is no possible name of a run.
        UserMistake: ``log_level`` is none of the five.
    """

    def __init__(self, store: LocalStore, run_id: str, log_level: str = "INFO", *, console: bool = True) -> None:
        self._open(store.layout(run_id).log, log_level, console)

    @classmethod
    def at(cls, run: RunDirectory, log_level: str = "INFO", *, console: bool = True) -> RunLogger:
        """The logger of a run that is open already."""
        logger = cls.__new__(cls)
        logger._open(run.layout.log, log_level, console)
        return logger

    def debug(self, message: str) -> None:
        """Log a detail for whoever looks for a fault."""
        self._logger.debug("%s", message)

    def info(self, message: str) -> None:
        """Log what a user wants to follow."""
        self._logger.info("%s", message)

    def warning(self, message: str) -> None:
        """Log what went wrong and was coped with."""
        self._logger.warning("%s", message)

    def error(self, message: str) -> None:
        """Log what went wrong and costs something."""
        self._logger.error("%s", message)

    def close(self) -> None:
        """Close the file; nothing is written afterwards."""
        for handler in list(self._logger.handlers):
            self._logger.removeHandler(handler)
            handler.close()
        self._logger.addHandler(logging.NullHandler())

    def _open(self, path: Path, log_level: str, console: bool) -> None:
        level = log_level.upper()
        if level not in _LEVELS:
            raise UserMistake(f"log_level is {log_level!r}; allowed: {', '.join(_LEVELS)}.")
        path.parent.mkdir(parents=True, exist_ok=True)
        # Not in logging's registry: two loggers never share handlers, and a closed one leaves nothing behind.
        self._logger = logging.Logger(f"langmarl.run.{path.parent.name}", level)
        self._add(logging.FileHandler(path, encoding="utf-8"), "{time} {level:<8} {message}")
        if console:
            self._add(_Console(), "{level:<8} {message}")

    def _add(self, handler: logging.Handler, template: str) -> None:
        handler.setFormatter(_OneLine(template))
        self._logger.addHandler(handler)


class _OneLine(logging.Formatter):
    def __init__(self, template: str) -> None:
        super().__init__()
        self._template = template

    def format(self, record: logging.LogRecord) -> str:
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        message = _UNPRINTABLE.sub(_escape, record.getMessage())
        return self._template.format(time=time, level=record.levelname, message=message)


class _Console(logging.StreamHandler):  # type: ignore[type-arg]  # generic in the type stubs only
    """Writes to whatever ``sys.stderr`` is at that moment."""

    def emit(self, record: logging.LogRecord) -> None:
        self.stream = sys.stderr
        super().emit(record)


def _escape(match: re.Match[str]) -> str:
    return match.group().encode("unicode_escape").decode("ascii")
