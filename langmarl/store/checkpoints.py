"""Checkpoints: the policies of all agents, one text file an agent."""

from __future__ import annotations

import difflib
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langmarl.errors import UnknownNameError, UserMistake
from langmarl.store.atomic import TEMPORARY_SUFFIX, read_text, sync_folder, sync_tree, write_json, write_text
from langmarl.store.layout import in_natural_order, iteration_name, iterations_in, original_name, safe_name

if TYPE_CHECKING:
    from langmarl.store.local import LocalStore

_STATS = "stats.json"


class PolicyCheckpoint:
    """The checkpoints of one run: ``checkpoints/iter_0000/agent_1.txt``.

    Checkpoint k holds the policies that iteration k acts under: 0 is the start, and finishing iteration k writes
    k + 1. A checkpoint is whole or absent: its folder is filled under a hidden name and renamed. Reading is safe
    from any thread and process; only the run's owner may save, from one thread at a time.

    Args:
        store: Where the runs are.
        run_id: The run, or ``"latest"``. A run that does not exist yet begins with the first save.
        num_agents: How many agents a checkpoint must hold; None accepts any number.

    Raises:
        UnknownNameError: ``run_id`` is no possible name of a run.
    """

    def __init__(self, store: LocalStore, run_id: str, num_agents: int | None = None) -> None:
        self._folder = store.layout(run_id).checkpoints
        self._num_agents = num_agents

    @classmethod
    def at(cls, folder: Path, num_agents: int | None = None) -> PolicyCheckpoint:
        """The checkpoints in ``folder``."""
        checkpoints = cls.__new__(cls)
        checkpoints._folder = folder
        checkpoints._num_agents = num_agents
        return checkpoints

    def iterations(self) -> list[int]:
        """The checkpoints that exist, ascending."""
        return iterations_in(self._folder)

    def get_policies(self, iteration: int | None = None) -> dict[str, str]:
        """The policies of checkpoint ``iteration``, by agent in natural order.

        Args:
            iteration: Which checkpoint; None for the latest.

        Returns:
            Agent → policy text, byte for byte as saved.

        Raises:
            UnknownNameError: There is no such checkpoint, or none at all; names those that exist.
            UserMistake: A file is not UTF-8.
        """
        known = self.iterations()
        wanted = (known[-1] if known else "latest") if iteration is None else iteration
        if wanted not in known:
            raise UnknownNameError("checkpoint", wanted, known)
        folder = self._folder / iteration_name(int(wanted))
        texts = {original_name(path.name[: -len(".txt")]): path for path in folder.glob("*.txt")}
        return {agent: read_text(texts[agent]) for agent in in_natural_order(texts)}

    def save_policies(
        self, iteration: int, policies: Mapping[str, str], stats: Mapping[str, Any] | None = None
    ) -> None:
        """Save checkpoint ``iteration`` durably; one that exists is replaced.

        Args:
            iteration: Which checkpoint, from 0.
            policies: Agent → policy text. Any name will do; odd characters are escaped in the file's name.
            stats: What the iteration that led here came to; kept beside the policies as ``stats.json``.

        Raises:
            UserMistake: The number of agents is wrong, or a name is empty or too long.
            OSError: The disk is full or cannot be written; no part of the checkpoint is left.
        """
        self._check(policies)
        final = self._folder / iteration_name(iteration)
        building = self._folder / f".{final.name}.{secrets.token_hex(8)}{TEMPORARY_SUFFIX}"
        building.mkdir(parents=True)
        try:
            for agent, text in policies.items():
                write_text(building / f"{safe_name(agent)}.txt", text)
            if stats is not None:
                write_json(building / _STATS, stats)
            sync_tree(building)
            _put_in_place(building, final)
        except BaseException:
            shutil.rmtree(building, ignore_errors=True)
            raise
        sync_folder(self._folder)

    def diff_policies(self, iter_a: int, iter_b: int) -> dict[str, str]:
        """How each agent's policy changed from one checkpoint to another.

        Returns:
            Agent → unified diff; empty text where nothing changed. An agent that one of the two lacks counts as
            empty there.

        Raises:
            UnknownNameError: A checkpoint does not exist; names those that do.
        """
        old, new = self.get_policies(iter_a), self.get_policies(iter_b)
        return {
            agent: _unified_diff(
                old.get(agent),
                new.get(agent),
                f"{iteration_name(iter_a)}/{safe_name(agent)}.txt",
                f"{iteration_name(iter_b)}/{safe_name(agent)}.txt",
            )
            for agent in in_natural_order(old.keys() | new.keys())
        }

    def _check(self, policies: Mapping[str, str]) -> None:
        if not policies:
            raise UserMistake("a checkpoint without any policy cannot be saved.")
        if self._num_agents is not None and len(policies) != self._num_agents:
            raise UserMistake(
                f"a checkpoint of {self._num_agents} agents was given {len(policies)} policies "
                f"({', '.join(policies)}).",
                "Hand over one policy for every agent.",
            )


def _put_in_place(building: Path, final: Path) -> None:
    if not final.exists():
        building.rename(final)
        return
    # A folder cannot be renamed over a full one. Between the two renames the checkpoint is absent, not broken.
    replaced = building.with_name(f"{building.name}.replaced{TEMPORARY_SUFFIX}")
    final.rename(replaced)
    building.rename(final)
    shutil.rmtree(replaced)


def _unified_diff(old: str | None, new: str | None, old_name: str, new_name: str) -> str:
    lines = difflib.unified_diff(_lines(old), _lines(new), old_name, new_name, lineterm="")
    return "\n".join(lines)


def _lines(text: str | None) -> list[str]:
    # Only "\n" ends a line, so that a change of any other line end shows as a change.
    return [] if text is None else text.split("\n")
