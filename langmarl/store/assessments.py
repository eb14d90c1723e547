"""What the critic and the optimizer made of the episodes, one file an answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langmarl.store.atomic import read_json, write_json
from langmarl.store.layout import (
    episode_file,
    episodes_in,
    in_natural_order,
    iteration_name,
    iterations_in,
    original_name,
    safe_name,
)

if TYPE_CHECKING:
    from langmarl.store.local import LocalStore


class EvaluationStore:
    """What the critic said of each episode: ``evaluations/iter_0003/episode_0000.json``.

    An evaluation is an object of plain JSON values, the raw reply included. Thread-safety and ownership as for
    ``TrajectoryStore``.

    Args:
        store: Where the runs are.
        run_id: The run, or ``"latest"``.
    """

    def __init__(self, store: LocalStore, run_id: str) -> None:
        self._folder = store.layout(run_id).evaluations

    @classmethod
    def at(cls, folder: Path) -> EvaluationStore:
        """The evaluations in ``folder``."""
        evaluations = cls.__new__(cls)
        evaluations._folder = folder
        return evaluations

    def save(self, iteration: int, episode: int | str, evaluation: Mapping[str, Any]) -> None:
        """Save the critic's answer on one episode; one that exists is replaced."""
        write_json(self._folder / iteration_name(iteration) / episode_file(episode), evaluation)

    def get(self, iteration: int, episode: int | str) -> dict[str, Any] | None:
        """The critic's answer on one episode; None where there is none yet.

        Raises:
            UserMistake: Its file is damaged, or was written by a newer LangMARL.
        """
        return _read(self._folder / iteration_name(iteration) / episode_file(episode))

    def load(self, iteration: int) -> dict[int | str, dict[str, Any]]:
        """The critic's answers on all episodes of ``iteration``, by episode in order.

        Raises:
            UserMistake: A file is damaged, or was written by a newer LangMARL.
        """
        return _read_episodes(self._folder / iteration_name(iteration))

    def iterations(self) -> list[int]:
        """The iterations that have evaluations, ascending."""
        return iterations_in(self._folder)


class GradientStore:
    """The notes that change the policies, by iteration and agent.

    ``gradients/iter_0003/agent_1/`` holds ``episode_0000.json`` (the note of one episode), ``merged.json`` (what
    LLM_agg made of them) and ``update.json`` (what LLM_opt returned, accepted or refused with the reason). Notes
    that all agents share lie under the agent name :data:`~langmarl.store.layout.TEAM`. All are objects of plain
    JSON values. Thread-safety and ownership as for ``TrajectoryStore``.

    Args:
        store: Where the runs are.
        run_id: The run, or ``"latest"``.
    """

    def __init__(self, store: LocalStore, run_id: str) -> None:
        self._folder = store.layout(run_id).gradients

    @classmethod
    def at(cls, folder: Path) -> GradientStore:
        """The gradients in ``folder``."""
        gradients = cls.__new__(cls)
        gradients._folder = folder
        return gradients

    def save(self, iteration: int, agent: str, episode: int | str, gradient: Mapping[str, Any]) -> None:
        """Save the note of one episode for one agent; one that exists is replaced."""
        write_json(self._agent_folder(iteration, agent) / episode_file(episode), gradient)

    def get(self, iteration: int, agent: str, episode: int | str) -> dict[str, Any] | None:
        """The note of one episode for one agent; None where there is none yet.

        Raises:
            UserMistake: Its file is damaged, or was written by a newer LangMARL. So for every method that reads.
        """
        return _read(self._agent_folder(iteration, agent) / episode_file(episode))

    def load(self, iteration: int, agent: str) -> dict[int | str, dict[str, Any]]:
        """The notes of all episodes of ``iteration`` for one agent, by episode in order."""
        return _read_episodes(self._agent_folder(iteration, agent))

    def save_merged(self, iteration: int, agent: str, merged: Mapping[str, Any]) -> None:
        """Save what the notes of one agent were merged into."""
        write_json(self._agent_folder(iteration, agent) / "merged.json", merged)

    def get_merged(self, iteration: int, agent: str) -> dict[str, Any] | None:
        """What the notes of one agent were merged into; None where they are not merged yet."""
        return _read(self._agent_folder(iteration, agent) / "merged.json")

    def save_update(self, iteration: int, agent: str, update: Mapping[str, Any]) -> None:
        """Save what became of one agent's policy."""
        write_json(self._agent_folder(iteration, agent) / "update.json", update)

    def get_update(self, iteration: int, agent: str) -> dict[str, Any] | None:
        """What became of one agent's policy; None where it is not updated yet."""
        return _read(self._agent_folder(iteration, agent) / "update.json")

    def agents(self, iteration: int) -> list[str]:
        """The agents that have anything in ``iteration``, in natural order, the team included."""
        folder = self._folder / iteration_name(iteration)
        if not folder.is_dir():
            return []
        entries = (entry for entry in folder.iterdir() if entry.is_dir() and not entry.name.startswith("."))
        return in_natural_order(original_name(entry.name) for entry in entries)

    def iterations(self) -> list[int]:
        """The iterations that have gradients, ascending."""
        return iterations_in(self._folder)

    def _agent_folder(self, iteration: int, agent: str) -> Path:
        return self._folder / iteration_name(iteration) / safe_name(agent)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        return read_json(path)
    except FileNotFoundError:
        return None


def _read_episodes(folder: Path) -> dict[int | str, dict[str, Any]]:
    return {episode: read_json(folder / episode_file(episode)) for episode in episodes_in(folder)}
