"""Checkpoints: the policies of all agents, one text file an agent."""

from __future__ import annotations

import difflib
import hashlib
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langmarl.errors import UnknownNameError, UserMistake
from langmarl.store.atomic import (
    TEMPORARY_SUFFIX,
    read_json,
    read_text,
    sync_folder,
    sync_tree,
    write_json,
    write_text,
)
from langmarl.store.layout import in_natural_order, iteration_name, iterations_in, original_name, safe_name
from langmarl.store.schema import DamagedFileError

if TYPE_CHECKING:
    from langmarl.store.local import LocalStore

_STATS = "stats.json"
_DIGESTS = "digests.json"


class LostPolicyError(DamagedFileError):
    """A policy of a checkpoint is missing or empty: nobody's work is in it, so it may be made again."""


class ChangedPolicyError(DamagedFileError):
    """A policy of a checkpoint is not what was written: somebody's work may be in it, so it is left alone."""


class PolicyCheckpoint:
    """The checkpoints of one run: ``checkpoints/iter_0000/agent_1.txt``.

    Checkpoint k holds the policies that iteration k acts under: 0 is the start, and finishing iteration k writes
    k + 1. A checkpoint is whole or absent: its folder is filled under a hidden name and renamed. ``digests.json``
    beside the policies tells whether they are still what was written. Reading is safe from any thread and process;
    only the run's owner may save, from one thread at a time.

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
            Agent → policy text, byte for byte as its file has it; see :meth:`changed_agents`.

        Raises:
            UnknownNameError: There is no such checkpoint, or none at all; names those that exist.
            LostPolicyError: The file of an agent is missing or was emptied.
            ChangedPolicyError: The file of an agent is no longer UTF-8 text.
        """
        known = self.iterations()
        wanted = (known[-1] if known else "latest") if iteration is None else iteration
        if wanted not in known:
            raise UnknownNameError("checkpoint", wanted, known)
        folder = self._folder / iteration_name(int(wanted))
        # Without digests it was written by hand, or by an older LangMARL: what is there is what counts.
        digests: Mapping[str, str | None] = self.digests(int(wanted)) or _without_digests(folder)
        return {agent: _read_policy(folder, agent, digests[agent]) for agent in in_natural_order(digests)}

    def digests(self, iteration: int) -> dict[str, str] | None:
        """What the policies of checkpoint ``iteration`` had as SHA-256 when written, by agent; None where unknown."""
        try:
            digests = read_json(self._folder / iteration_name(iteration) / _DIGESTS).get("sha256")
        except (FileNotFoundError, DamagedFileError):
            return None
        return digests if isinstance(digests, dict) and digests else None

    def changed_agents(self, iteration: int) -> list[str]:
        """The agents whose policies in checkpoint ``iteration`` are no longer what was written.

        Raises:
            As :meth:`get_policies`.
        """
        digests = self.digests(iteration) or {}
        policies = self.get_policies(iteration)
        return [agent for agent in digests if digest_of(policies[agent]) != digests[agent]]

    def delete(self, iteration: int) -> None:
        """Remove checkpoint ``iteration``; nothing happens where there is none."""
        _take_away(self._folder / iteration_name(iteration))

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
        building = _hidden(final)
        building.mkdir(parents=True)
        try:
            for agent, text in policies.items():
                write_text(building / f"{safe_name(agent)}.txt", text)
            write_json(building / _DIGESTS, {"sha256": {agent: digest_of(text) for agent, text in policies.items()}})
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


def digest_of(policy: str) -> str:
    """SHA-256 of a policy's text, in hexadecimal; what ``sha256sum`` says of its file."""
    return hashlib.sha256(policy.encode("utf-8", "surrogatepass")).hexdigest()


def _without_digests(folder: Path) -> dict[str, None]:
    return dict.fromkeys(original_name(path.name[: -len(".txt")]) for path in folder.glob("*.txt"))


def _read_policy(folder: Path, agent: str, digest: str | None) -> str:
    path = folder / f"{safe_name(agent)}.txt"
    again = f"Run the same command again, or langmarl resume: {folder.name} is made again without paying."
    try:
        text = read_text(path)
    except FileNotFoundError:
        raise LostPolicyError(f"{path} is missing.", again) from None
    except DamagedFileError as error:
        raise ChangedPolicyError(error.message, _what_to_do_about(folder)) from error
    if digest is not None and not text.strip() and digest_of(text) != digest:
        raise LostPolicyError(f"{path} was emptied.", again)
    return text


def changed(folder: Path, agent: str) -> ChangedPolicyError:
    """The error that the policy of ``agent`` in the checkpoint ``folder`` is not what was written."""
    path = folder / f"{safe_name(agent)}.txt"
    return ChangedPolicyError(f"{path} was changed since it was written.", _what_to_do_about(folder))


def _what_to_do_about(folder: Path) -> str:
    return (
        f"Restore it, or delete {folder}: it is made again without paying. To start from a text of your own, use "
        "initial_policies in a new run."
    )


def _put_in_place(building: Path, final: Path) -> None:
    if not final.exists():
        building.rename(final)
        return
    # A folder cannot be renamed over a full one. Between the two renames the checkpoint is absent, not broken.
    replaced = _hidden(final)
    final.rename(replaced)
    building.rename(final)
    shutil.rmtree(replaced)


def _take_away(folder: Path) -> None:
    """Remove a folder in one step: a crash leaves it whole, or hidden for the next owner to clear."""
    hidden = _hidden(folder)
    try:
        folder.rename(hidden)
    except FileNotFoundError:
        return
    shutil.rmtree(hidden)


def _hidden(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.{secrets.token_hex(8)}{TEMPORARY_SUFFIX}")


def _unified_diff(old: str | None, new: str | None, old_name: str, new_name: str) -> str:
    lines = difflib.unified_diff(_lines(old), _lines(new), old_name, new_name, lineterm="")
    return "\n".join(lines)


def _lines(text: str | None) -> list[str]:
    # Only "\n" ends a line, so that a change of any other line end shows as a change.
    return [] if text is None else text.split("\n")
