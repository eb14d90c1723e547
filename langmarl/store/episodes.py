"""The episodes of a run, one file each: ``trajectories/iter_0003/episode_0000.json``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from langmarl.errors import UserMistake
from langmarl.store.atomic import read_json, write_json
from langmarl.store.layout import episode_file, episodes_in, iteration_name, iterations_in
from langmarl.trajectory import Trajectory

if TYPE_CHECKING:
    from langmarl.store.local import LocalStore


@dataclass(frozen=True, slots=True)
class FailedEpisode:
    """An episode that came to nothing, after its retries.

    Attributes:
        kind: What sort of failure, in one word (an error's class name, for example).
        message: What happened, in one sentence.
    """

    kind: str
    message: str


class TrajectoryStore:
    """The episodes of one run, those that failed included.

    Different episodes may be saved from several threads at once; each file is whole or absent. Only the run's
    owner may save; anyone may read at any time.

    Args:
        store: Where the runs are.
        run_id: The run, or ``"latest"``. A run that does not exist yet begins with the first save.
        folder: ``"trajectories"`` for training episodes; ``"held_out"`` for evaluation episodes, where the
            iteration is the checkpoint that was evaluated.

    Raises:
        UnknownNameError: ``run_id`` is no possible name of a run.
    """

    def __init__(
        self, store: LocalStore, run_id: str, folder: Literal["trajectories", "held_out"] = "trajectories"
    ) -> None:
        layout = store.layout(run_id)
        self._folder = layout.held_out if folder == "held_out" else layout.trajectories

    @classmethod
    def at(cls, folder: Path) -> TrajectoryStore:
        """The episodes in ``folder``."""
        episodes = cls.__new__(cls)
        episodes._folder = folder
        return episodes

    def save(self, iteration: int, episode_id: int | str, trajectory: Trajectory) -> None:
        """Save a complete episode; one that exists is replaced.

        Raises:
            TypeError: The trajectory holds something that JSON has no form for.
            OSError: The disk is full or cannot be written.
        """
        self._write(iteration, episode_id, trajectory.to_dict())

    def save_failure(self, iteration: int, episode_id: int | str, kind: str, message: str) -> None:
        """Record that an episode failed for good: :meth:`load` leaves it out, :meth:`failures` shows it."""
        self._write(iteration, episode_id, {"failed": {"kind": kind, "message": message}})

    def get(self, iteration: int, episode_id: int | str) -> Trajectory | FailedEpisode | None:
        """One episode as it ended; None where it was not finished yet.

        Raises:
            UserMistake: Its file is damaged, or was written by a newer LangMARL.
        """
        path = self._path(iteration, episode_id)
        try:
            data = read_json(path)
        except FileNotFoundError:
            return None
        try:
            if "failed" in data:
                return FailedEpisode(str(data["failed"]["kind"]), str(data["failed"]["message"]))
            return Trajectory.from_dict(data)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UserMistake(
                f"{path} is damaged: it is no episode ({error!r}).", "Delete it; the episode is played again."
            ) from error

    def load(self, iteration: int, limit: int | None = None) -> list[Trajectory]:
        """The complete episodes of ``iteration`` in order, without the failed ones.

        Args:
            iteration: Which iteration; one that has no episodes gives an empty list.
            limit: At most so many, from the first on; None for all.

        Raises:
            UserMistake: A file is damaged, or was written by a newer LangMARL.
        """
        found: list[Trajectory] = []
        for episode in self.episodes(iteration):
            if limit is not None and len(found) >= limit:
                break
            ended = self.get(iteration, episode)
            if isinstance(ended, Trajectory):
                found.append(ended)
        return found

    def count(self, iteration: int) -> int:
        """How many complete episodes ``iteration`` has: the length of :meth:`load` without a limit."""
        return len(self.load(iteration))

    def failures(self, iteration: int) -> dict[int | str, FailedEpisode]:
        """The episodes of ``iteration`` that failed, by episode."""
        ended = {episode: self.get(iteration, episode) for episode in self.episodes(iteration)}
        return {episode: value for episode, value in ended.items() if isinstance(value, FailedEpisode)}

    def forget_failures(self, iteration: int) -> None:
        """Forget the episodes of ``iteration`` that failed, so that they are played again."""
        for episode in self.failures(iteration):
            self._path(iteration, episode).unlink(missing_ok=True)

    def episodes(self, iteration: int) -> list[int | str]:
        """Every episode of ``iteration`` that has ended, failed or not: numbers ascending, then names."""
        return episodes_in(self._folder / iteration_name(iteration))

    def iterations(self) -> list[int]:
        """The iterations that have episodes, ascending."""
        return iterations_in(self._folder)

    def _path(self, iteration: int, episode_id: int | str) -> Path:
        return self._folder / iteration_name(iteration) / episode_file(episode_id)

    def _write(self, iteration: int, episode_id: int | str, data: dict[str, Any]) -> None:
        write_json(self._path(iteration, episode_id), {"iteration": iteration, "episode": episode_id, **data})
