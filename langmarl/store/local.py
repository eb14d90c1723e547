"""All runs of one experiment folder."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from langmarl.errors import UnknownNameError, UserMistake
from langmarl.store.creation import run_folders
from langmarl.store.fingerprint import Fingerprint
from langmarl.store.layout import RunLayout
from langmarl.store.leftovers import clear_old_leftovers
from langmarl.store.lock import locked
from langmarl.store.manifest import Manifest, read_manifest
from langmarl.store.run_directory import RunDirectory

if TYPE_CHECKING:
    from langmarl.config import BaseConfig

LATEST = "latest"
"""Stands for the run that was created last."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FoundRun:
    """The run that a command means.

    Attributes:
        run: The run.
        created: Whether it is new.
        differing: For a new run, the parts of the fingerprint in which it differs from the newest run of the same
            ``exp_name``; empty where there was none or nothing differs.
    """

    run: RunDirectory
    created: bool
    differing: list[str]


class LocalStore:
    """The runs of one experiment folder.

    Safe from any thread and process; every method looks at the disk anew. Directories without a ``run.json`` are
    no runs; a run whose ``run.json`` is damaged is left out of the listings with a warning in the log.

    Args:
        base_dir: The experiment folder; it need not exist yet.
    """

    def __init__(self, base_dir: Path | str) -> None:
        self.base_dir = Path(base_dir)

    def run_ids(self) -> list[str]:
        """Every run, the one created last first."""
        return [entry.path.name for entry in self._entries()]

    def run(self, run_id: str) -> RunDirectory:
        """One run.

        Args:
            run_id: The name of its directory, or ``"latest"``.

        Raises:
            UnknownNameError: There is no such run; names those that exist and suggests the nearest.
            UserMistake: Its manifest is damaged, or was written by a newer LangMARL.
        """
        if run_id != LATEST and _is_plain(run_id) and (self.base_dir / run_id / "run.json").is_file():
            return RunDirectory.open(self.base_dir / run_id)
        entries = self._entries()
        if run_id == LATEST and entries:
            return RunDirectory.open(entries[0].path)
        names = [entry.path.name for entry in entries]
        raise UnknownNameError("run", run_id, [LATEST, *names] if names else [])

    def layout(self, run_id: str) -> RunLayout:
        """Where everything of a run lies, or would lie: the run need not exist.

        Raises:
            UnknownNameError: ``run_id`` is no possible name of a directory here, or is ``"latest"`` and there is
                no run.
            UserMistake: The run's manifest is damaged, or was written by a newer LangMARL.
        """
        exists = _is_plain(run_id) and (self.base_dir / run_id / "run.json").is_file()
        if exists or run_id == LATEST or not _is_plain(run_id):
            return self.run(run_id).layout
        return RunLayout.inside(self.base_dir / run_id)

    def newest(self, exp_name: str, fingerprint: Fingerprint | None = None) -> RunDirectory | None:
        """The run of ``exp_name`` that was created last.

        Args:
            exp_name: As the config gives it.
            fingerprint: Only runs with an equal one; None takes any.

        Returns:
            The run, or None where there is none.
        """
        return _newest(self._entries(), exp_name, fingerprint)

    def find_or_create(
        self,
        config: BaseConfig,
        fingerprint: Fingerprint,
        *,
        fresh: bool = False,
    ) -> FoundRun:
        """The run that a command means: the newest of its ``exp_name`` and fingerprint, else a new one.

        Looking and creating is one step: the same command started twice at the same instant finds one run.

        Args:
            config: The command's config; a new run keeps its checkpoints where ``config.checkpoint_dir`` says.
            fingerprint: Of that config and of what it reads.
            fresh: Make a new run in any case.

        Raises:
            UserMistake: The experiment folder cannot be written.
        """
        with self._exclusive():
            entries = self._entries()
            found = None if fresh else _newest(entries, config.exp_name, fingerprint)
            if found is not None:
                return FoundRun(found, created=False, differing=[])
            previous = _newest(entries, config.exp_name)
            differing = previous.manifest.fingerprint.differing(fingerprint) if previous else []
            clear_old_leftovers(self.base_dir)
            run = RunDirectory.create(self.base_dir, config, fingerprint, checkpoint_dir=config.checkpoint_dir)
            return FoundRun(run, created=True, differing=differing)

    @contextlib.contextmanager
    def _exclusive(self) -> Iterator[None]:
        with contextlib.ExitStack() as stack:
            try:
                self.base_dir.mkdir(parents=True, exist_ok=True)
                stack.enter_context(locked(self.base_dir / ".lock"))
            except OSError as error:
                raise UserMistake(
                    f"experiment_dir: the folder {self.base_dir} cannot be written: {error}.",
                    "Set experiment_dir to a folder you can write, or mend this one, and run the same command again.",
                ) from error
            yield

    def _entries(self) -> list[_Entry]:
        entries = []
        for path in run_folders(self.base_dir):
            try:
                entries.append(_Entry(path, read_manifest(path / "run.json")))
            except (UserMistake, OSError) as error:
                _log.warning("a run is left out: %s", error)
        return sorted(entries, key=lambda entry: entry.order, reverse=True)


@dataclass(frozen=True, slots=True)
class _Entry:
    path: Path
    manifest: Manifest

    @property
    def order(self) -> tuple[int, bool, str]:
        # A copied directory has its original's manifest: the original counts as the newer of the two.
        return (self.manifest.created_ns, self.path.name == self.manifest.run_id, self.path.name)


def _newest(entries: Sequence[_Entry], exp_name: str, fingerprint: Fingerprint | None = None) -> RunDirectory | None:
    for entry in entries:
        same = fingerprint is None or entry.manifest.fingerprint.digest == fingerprint.digest
        if entry.manifest.exp_name == exp_name and same:
            return RunDirectory.open(entry.path)
    return None


def _is_plain(run_id: str) -> bool:
    return bool(run_id) and run_id[0] != "." and Path(run_id).name == run_id and "\0" not in run_id
