"""``run.json``: what a run is, written at its creation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from langmarl.errors import UserMistake
from langmarl.store.atomic import read_json, write_json
from langmarl.store.fingerprint import Fingerprint


@dataclass(frozen=True, slots=True)
class SetAside:
    """One forced restart.

    Attributes:
        number: Its folder is ``set_aside/<number>``; counts from 1.
        iteration: The iteration that the run went on from.
        at: When, ISO 8601.
        complete: False while files are being moved, and after a crash in the middle of it.
    """

    number: int
    iteration: int
    at: str
    complete: bool


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a run is.

    Attributes:
        run_id: The name of the folder it was created in.
        exp_name: The experiment, exactly as the config gives it.
        env: The environment's name.
        created_at: When it was created, ISO 8601.
        created_ns: The order of creation within an experiment folder: nanoseconds since 1970, and always more
            than those of any earlier run there, also when the clock was set back.
        langmarl_version: Which LangMARL created it.
        fingerprint: What a rerun must have in common with it.
        checkpoint_dir: Where the checkpoints lie when not inside the run, absolute; else None.
        set_aside: Every forced restart, oldest first.
    """

    run_id: str
    exp_name: str
    env: str
    created_at: str
    created_ns: int
    langmarl_version: str
    fingerprint: Fingerprint
    checkpoint_dir: str | None = None
    set_aside: tuple[SetAside, ...] = field(default=())

    @property
    def start_iteration(self) -> int | None:
        """The forced starting point that was applied last; None where there was none."""
        applied = [entry.iteration for entry in self.set_aside if entry.complete]
        return applied[-1] if applied else None

    @property
    def unfinished_set_aside(self) -> SetAside | None:
        """A forced restart that a crash broke off; None in good order."""
        return next((entry for entry in self.set_aside if not entry.complete), None)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; ``from_dict`` reads them back."""
        return {
            **{name: getattr(self, name) for name in self.__slots__},
            "fingerprint": {"digest": self.fingerprint.digest, "parts": self.fingerprint.parts},
            "start_iteration": self.start_iteration,
            "set_aside": [asdict(entry) for entry in self.set_aside],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Manifest:
        """Read what ``to_dict`` wrote; unknown keys are ignored.

        Raises:
            KeyError, TypeError, ValueError: Something is missing or of the wrong kind.
        """
        entries = (SetAside(**{name: entry[name] for name in SetAside.__slots__}) for entry in data["set_aside"])
        return cls(
            run_id=str(data["run_id"]),
            exp_name=str(data["exp_name"]),
            env=str(data["env"]),
            created_at=str(data["created_at"]),
            created_ns=int(data["created_ns"]),
            langmarl_version=str(data["langmarl_version"]),
            fingerprint=Fingerprint(dict(data["fingerprint"]["parts"])),
            checkpoint_dir=data["checkpoint_dir"],
            set_aside=tuple(entries),
        )


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Replace ``run.json``, durably."""
    write_json(path, manifest.to_dict(), durable=True)


def read_manifest(path: Path) -> Manifest:
    """The manifest in ``run.json``.

    Raises:
        FileNotFoundError: There is none: the folder is no run.
        UserMistake: It is damaged, or was written by a newer LangMARL.
    """
    data = read_json(path)
    try:
        return Manifest.from_dict(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UserMistake(
            f"{path} is damaged: it is no description of a run ({error!r}).", "Restore it from a copy of the run."
        ) from error
