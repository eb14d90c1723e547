"""One run on disk: created whole, owned by one process, read by anyone."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langmarl.errors import UnknownNameError, UserMistake
from langmarl.store.assessments import EvaluationStore, GradientStore
from langmarl.store.atomic import read_json, sync_folder, sync_tree, write_json
from langmarl.store.checkpoints import PolicyCheckpoint
from langmarl.store.clock import now_iso
from langmarl.store.creation import create_run
from langmarl.store.episodes import TrajectoryStore
from langmarl.store.fingerprint import Fingerprint
from langmarl.store.journal import CallJournal
from langmarl.store.layout import RunLayout, iteration_name
from langmarl.store.leftovers import clear_all_leftovers, clear_old_leftovers
from langmarl.store.manifest import Manifest, SetAside, read_manifest
from langmarl.store.metrics import MetricsFile
from langmarl.store.ownership import Owner, live_owner, owned
from langmarl.store.progress import iteration_in_progress, iterations_done
from langmarl.store.schema import DamagedFileError
from langmarl.store.set_aside import complete_set_aside, set_aside
from langmarl.store.spending import journal_totals
from langmarl.store.state import RunState, StateName, effective_state, restore_state, stored_state, write_state
from langmarl.store.tasks import TaskStore

if TYPE_CHECKING:
    from langmarl.config import BaseConfig


_ENDED = ("completed", "stopped", "budget_reached", "failed")
_CONFIG_REMEDY = "Run the command that started the run again: it writes this file anew. Or restore it from a copy."


class RunDirectory:
    """One run on disk.

    Reading is safe from any thread and process at any time. Writing is for the process that holds
    :meth:`acquire`; only :meth:`request_stop` is for others. The object keeps nothing in memory but the paths, so
    that two objects of one run always agree.

    Attributes:
        path: The run directory.
        layout: Where everything lies in it.
    """

    def __init__(self, layout: RunLayout) -> None:
        """Take a run that exists; use :meth:`create` or :meth:`open`."""
        self.path = layout.root
        self.layout = layout

    @classmethod
    def create(
        cls,
        experiment_dir: Path | str,
        config: BaseConfig,
        fingerprint: Fingerprint,
        *,
        checkpoint_dir: Path | str | None = None,
    ) -> RunDirectory:
        """Make a new run, in state ``queued``.

        The directory is built under a hidden name and renamed, so nobody ever sees half of it; two processes that
        create at the same instant get two directories.

        Args:
            experiment_dir: The folder of all runs; made where missing.
            config: The run's config; saved without secrets as ``config.json``.
            fingerprint: What a rerun must have in common with it.
            checkpoint_dir: Put the checkpoints into ``<checkpoint_dir>/<run_id>``; None keeps them in the run.

        Raises:
            UserMistake: One of the folders cannot be written.
        """
        return cls.open(create_run(Path(experiment_dir), config, fingerprint, checkpoint_dir))

    @classmethod
    def open(cls, path: Path | str) -> RunDirectory:
        """The run in the directory ``path``.

        Raises:
            UserMistake: There is no run, its manifest is damaged, or a newer LangMARL wrote it.
        """
        root = Path(path)
        try:
            manifest = read_manifest(root / "run.json")
        except (FileNotFoundError, NotADirectoryError):
            raise UserMistake(f"{root} is no run: it has no run.json.", "Name the directory of a run.") from None
        return cls(_layout(root, manifest))

    @property
    def run_id(self) -> str:
        """The name of the directory."""
        return self.path.name

    @property
    def manifest(self) -> Manifest:
        """What the run is, read anew.

        Raises:
            UserMistake: It is damaged, or was written by a newer LangMARL.
        """
        return read_manifest(self.layout.manifest)

    # What it holds ---------------------------------------------------------------------------------------------

    @cached_property
    def checkpoints(self) -> PolicyCheckpoint:
        """The policies of each checkpoint."""
        return PolicyCheckpoint.at(self.layout.checkpoints)

    @cached_property
    def tasks(self) -> TaskStore:
        """The tasks of each iteration, and the held-out ones."""
        return TaskStore(self.layout.tasks)

    @cached_property
    def trajectories(self) -> TrajectoryStore:
        """The training episodes."""
        return TrajectoryStore.at(self.layout.trajectories)

    @cached_property
    def held_out(self) -> TrajectoryStore:
        """The evaluation episodes; their iteration is the checkpoint that was evaluated."""
        return TrajectoryStore.at(self.layout.held_out)

    @cached_property
    def evaluations(self) -> EvaluationStore:
        """What the critic said of each training episode."""
        return EvaluationStore.at(self.layout.evaluations)

    @cached_property
    def gradients(self) -> GradientStore:
        """Each note, the merged ones and the updates, by agent."""
        return GradientStore.at(self.layout.gradients)

    @cached_property
    def journal(self) -> CallJournal:
        """Every finished model call."""
        return CallJournal(self.layout.calls, self.layout.set_aside)

    @cached_property
    def metrics(self) -> MetricsFile:
        """Rewards, tokens and cost of each finished iteration."""
        return MetricsFile(self.layout.metrics)

    def config_data(self) -> dict[str, Any]:
        """The config as plain JSON values, also where its environment is not installed here.

        Raises:
            UserMistake: ``config.json`` is missing or damaged.
        """
        try:
            return read_json(self.layout.config)
        except FileNotFoundError:
            raise DamagedFileError(f"{self.layout.config} is missing.", _CONFIG_REMEDY) from None
        except DamagedFileError as error:
            raise DamagedFileError(error.message, _CONFIG_REMEDY) from error

    def save_config(self, config: BaseConfig) -> None:
        """Replace ``config.json``: a rerun may ask for more iterations, other limits or other workers."""
        config.to_json(self.layout.config)

    # How far it is ---------------------------------------------------------------------------------------------

    def state(self) -> RunState:
        """The state as it is now: ``running`` without a live owner is ``interrupted``.

        Where ``state.json`` is missing or damaged it is worked out from the run's other files.

        Raises:
            UserMistake: ``state.json`` is from a newer LangMARL.
        """
        return effective_state(self.layout)

    def stored_state(self) -> RunState:
        """The state as last written, which may be older than its process's death.

        Raises:
            UserMistake: As :meth:`state`.
        """
        return stored_state(self.layout)

    def write_state(self, state: StateName, reason: str | None = None, remedy: str | None = None) -> RunState:
        """Put the run into ``state``, durably.

        Args:
            state: The new state.
            reason: Why, in one sentence.
            remedy: What to do next.

        Raises:
            ValueError: There is no such state.
        """
        return write_state(self.layout, state, reason, remedy)

    def is_finished(self, iteration: int) -> bool:
        """Whether ``iteration`` is finished: its metrics are there, and so is the checkpoint it led to."""
        rows = {row["iteration"] for row in self.metrics.iterations()}
        return iteration in rows and iteration + 1 in self.checkpoints.iterations()

    def iterations_done(self) -> int:
        """How many iterations are finished, counted from the first without a gap: where a rerun goes on."""
        return iterations_done(self.layout)

    def iteration_in_progress(self) -> int:
        """The first iteration that was never committed, also where figures or checkpoints were lost since."""
        return iteration_in_progress(self.layout)

    def totals(self) -> dict[str, Any]:
        """What the whole run has used so far, as ``totals`` in ``metrics.json``; empty where it has made no call.

        Summed from the journal unless the run ended in good order and said so itself: a process that was killed
        could not.

        Raises:
            UserMistake: ``metrics.json`` or the journal is damaged, or was written by a newer LangMARL.
        """
        said = self.metrics.read().totals
        if said and self.stored_state().state in _ENDED:
            return said
        return journal_totals(self.layout) or said

    def commit_iteration(
        self,
        iteration: int,
        policies: Mapping[str, str],
        stats: Mapping[str, Any],
        *,
        totals: Mapping[str, Any] | None = None,
    ) -> None:
        """Finish ``iteration``, durably: everything it wrote, then checkpoint ``iteration + 1``, then its metrics.

        A process that dies in between leaves an unfinished iteration, and committing again completes it.

        Args:
            iteration: Which iteration.
            policies: Agent → policy text after the update.
            stats: What the iteration came to; stored with its ``iteration``.
            totals: What the whole run has used so far; None leaves what is recorded.

        Raises:
            OSError: The disk is full or cannot be written; the iteration is not finished.
        """
        name = iteration_name(iteration)
        for written in (
            self.layout.tasks / f"{name}.json",
            self.layout.trajectories / name,
            self.layout.held_out / name,
            self.layout.evaluations / name,
            self.layout.gradients / name,
            self.layout.calls / f"{name}.jsonl",
        ):
            if written.exists():
                sync_tree(written)
                sync_folder(written.parent)
        row = {"iteration": iteration, **stats}
        self.checkpoints.save_policies(iteration + 1, policies, stats=row)
        self.metrics.append_iteration(row, totals=totals)

    def set_aside(self, iteration: int) -> SetAside:
        """Go back to the start of ``iteration``: move all that lies beyond to ``set_aside/<n>``, and record it.

        A call that a crash broke off is completed by the next :meth:`acquire`, or by calling this again.

        Args:
            iteration: Where the run goes on; its checkpoint must exist and is kept.

        Returns:
            What was recorded.

        Raises:
            UnknownNameError: There is no checkpoint ``iteration``; names those that exist.
        """
        known = self.checkpoints.iterations()
        if iteration not in known:
            raise UnknownNameError("checkpoint", iteration, known)
        return set_aside(self.layout, iteration)

    # Who writes it ---------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def acquire(self) -> Iterator[Owner]:
        """Own the run for the length of the block: the only process that writes it.

        The kernel frees the run when the process dies, however it dies. What a dead owner left half done (a
        restart, temporary files) is completed or cleared first, and a lost ``state.json`` is written again.

        Raises:
            RunOwnedError: Another live process owns it; says which, where, and since when.
            UserMistake: The directory cannot be written.
        """
        with owned(self.layout) as owner:
            restore_state(self.layout)
            complete_set_aside(self.layout)
            self._clear_leftovers()
            yield owner

    @property
    def owner(self) -> Owner | None:
        """The process that writes the run now; None where there is none."""
        return live_owner(self.layout)

    def request_stop(self) -> None:
        """Ask the owner to stop at the next call boundary; for any process."""
        write_json(self.layout.stop, {"requested_at": now_iso()})

    def stop_requested(self) -> bool:
        """Whether somebody asked for a stop; creating the file ``stop`` by hand counts as well."""
        return self.layout.stop.exists()

    def clear_stop(self) -> None:
        """Forget a request to stop; nothing happens where there is none."""
        self.layout.stop.unlink(missing_ok=True)

    def _clear_leftovers(self) -> None:
        layout = self.layout
        for folder in (
            layout.checkpoints,
            layout.tasks,
            layout.trajectories,
            layout.held_out,
            layout.evaluations,
            layout.gradients,
            layout.calls,
        ):
            clear_all_leftovers(folder)
        clear_old_leftovers(layout.root)  # where a request to stop may just be being written

    def __repr__(self) -> str:
        return f"RunDirectory({str(self.path)!r})"


def _layout(root: Path, manifest: Manifest) -> RunLayout:
    inside = RunLayout.inside(root)
    if manifest.checkpoint_dir is None:
        return inside
    outside = Path(manifest.checkpoint_dir)
    # A run that was copied from another machine may have brought its checkpoints along.
    return inside if inside.checkpoints.is_dir() and not outside.is_dir() else RunLayout(root, outside)
