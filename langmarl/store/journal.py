"""The journal of a run's model calls: one line a finished call, before its result is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from langmarl.errors import UserMistake
from langmarl.store.jsonl import append_line, read_lines_from
from langmarl.store.layout import iteration_name, iterations_in
from langmarl.usage import Phase, Role, Usage


@dataclass(frozen=True, slots=True)
class CallKey:
    """Which call of a run this is: the same in a rerun, whatever order the calls finish in.

    Attributes:
        phase: ``"train"`` or ``"eval"``.
        role: On whose behalf the model was asked.
        iteration: The training iteration, or for phase ``eval`` the checkpoint being evaluated; from 0.
        episode: The episode's number within the iteration, from 0; None for calls over all episodes.
        agent: The agent concerned; None for calls about the team.
        turn: Counts the calls of one role for one agent within one episode, from 0.
        attempt: 0 for the first answer, then one more for each repair of it.
    """

    phase: Phase
    role: Role
    iteration: int
    episode: int | None
    agent: str | None
    turn: int
    attempt: int

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; ``from_dict`` reads them back."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CallKey:
        """Read what ``to_dict`` wrote; unknown keys are ignored."""
        return cls(**{name: data[name] for name in cls.__slots__})


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One finished model call; exactly one of ``reply`` and ``error`` is set.

    Attributes:
        key: Which call of the run.
        digest: Of what was asked (model, endpoint, body): a reply is reused only for the same question.
        model: The model's name as sent to the endpoint.
        endpoint: The base URL; never holds a key.
        request: The body that was sent.
        reply: ``{"text", "finish_reason"}``; None where the call failed for good.
        error: ``{"kind", "message"}``; None where the call succeeded.
        usage: Tokens and cost, all tries included.
        started_at: ISO 8601, UTC.
        duration_s: Seconds from the first request to the reply, waits included.
        retries: One ``{"kind", "status", "message", "waited_s"}`` for each request that was sent again.
    """

    key: CallKey
    digest: str
    model: str
    endpoint: str
    request: dict[str, Any]
    reply: dict[str, Any] | None
    error: dict[str, Any] | None
    usage: Usage
    started_at: str
    duration_s: float
    retries: list[dict[str, Any]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; ``from_dict`` reads them back."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {**fields, "key": self.key.to_dict(), "usage": self.usage.to_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CallRecord:
        """Read what ``to_dict`` wrote; unknown keys are ignored.

        Raises:
            KeyError: A field is missing.
        """
        fields = {name: data[name] for name in cls.__slots__}
        return cls(**{**fields, "key": CallKey.from_dict(data["key"]), "usage": Usage.from_dict(data["usage"])})


@dataclass(frozen=True, slots=True)
class Records:
    """A stretch of one file of the journal.

    Attributes:
        records: In the order they were appended.
        end: Where the next one will begin, in bytes from the start of the file.
    """

    records: list[CallRecord]
    end: int


class CallJournal:
    """The files ``calls/iter_0003.jsonl`` of one run.

    Appends are safe from several threads and processes. The journal holds no state: every read goes to the disk,
    so a reader in another process (the dashboard) sees each call as soon as it is appended.

    Args:
        directory: The folder of the journal's files, ``<run>/calls``; made at the first append.
        set_aside: The run's ``set_aside`` folder, where journals that a forced restart put away lie in
            ``<n>/calls``; None where there is none to look for.
    """

    def __init__(self, directory: Path | str, set_aside: Path | str | None = None) -> None:
        self.directory = Path(directory)
        self._set_aside = Path(set_aside) if set_aside is not None else None

    def append(self, record: CallRecord) -> None:
        """Append ``record`` to the file of its iteration; a torn last line is cut off first.

        Raises:
            OSError: The disk is full or cannot be written; the file is as it was before.
        """
        append_line(self.path(record.key.iteration), record.to_dict())

    def path(self, iteration: int) -> Path:
        """The file that holds the calls of ``iteration``, both phases."""
        return self.directory / f"{iteration_name(iteration)}.jsonl"

    def iterations(self) -> list[int]:
        """The iterations that have a file, in ascending order."""
        return iterations_in(self.directory)

    def read(self, iteration: int) -> list[CallRecord]:
        """The finished calls of ``iteration``, both phases, in the order they were appended.

        Raises:
            UserMistake: A finished line is damaged or from a newer LangMARL; names file and line.
        """
        return read_records(self.path(iteration)).records

    def read_all(self) -> list[CallRecord]:
        """The calls of all iterations, in ascending order; without what was set aside.

        Raises:
            UserMistake: As :meth:`read`.
        """
        return [record for iteration in self.iterations() for record in self.read(iteration)]

    def read_set_aside(self) -> list[CallRecord]:
        """The calls that forced restarts put away: paid for, but no part of the run's present result.

        Raises:
            UserMistake: As :meth:`read`.
        """
        if self._set_aside is None:
            return []
        folders = sorted(self._set_aside.glob("*/calls"))
        return [
            record
            for folder in folders
            for iteration in iterations_in(folder)
            for record in read_records(folder / f"{iteration_name(iteration)}.jsonl").records
        ]


def read_records(path: Path, offset: int = 0) -> Records:
    """The finished calls in one file, from the line that begins at ``offset`` bytes; none where there is no file.

    Raises:
        UserMistake: As :meth:`CallJournal.read`; the line's number counts from ``offset``.
    """
    records = []
    lines = read_lines_from(path, offset)
    for number, data in enumerate(lines.objects, start=1):
        try:
            records.append(CallRecord.from_dict(data))
        except (KeyError, TypeError, AttributeError) as error:
            raise UserMistake(
                f"{path}, line {number} is damaged: it is no record of a model call ({error!r}).",
                "Delete that line; the call is made again when the run needs it.",
            ) from error
    return Records(records, lines.end)
