"""The tasks of each iteration, written down before its first call.

A rerun reads them instead of drawing again, so that an environment that draws differently a second time does no
harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langmarl.errors import UserMistake
from langmarl.store.atomic import read_json, write_json
from langmarl.store.layout import iteration_name


class TaskStore:
    """The files ``tasks/iter_0003.json`` and ``tasks/held_out.json`` of one run.

    Only the run's owner may save; anyone may read. Files are whole or absent.

    Args:
        folder: The run's ``tasks`` folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, iteration: int, tasks: Sequence[dict[str, Any]]) -> None:
        """Write down the tasks of ``iteration``, one an episode, in episode order."""
        write_json(self._path(iteration), {"tasks": list(tasks)})

    def get(self, iteration: int) -> list[dict[str, Any]] | None:
        """The tasks of ``iteration``; None where they are not drawn yet.

        Raises:
            UserMistake: The file is damaged, or was written by a newer LangMARL.
        """
        return _read(self._path(iteration))

    def save_held_out(self, tasks: Sequence[dict[str, Any]]) -> None:
        """Write down the tasks that every checkpoint is evaluated on."""
        write_json(self._folder / "held_out.json", {"tasks": list(tasks)})

    def get_held_out(self) -> list[dict[str, Any]] | None:
        """The tasks that every checkpoint is evaluated on; None where they are not drawn yet.

        Raises:
            UserMistake: The file is damaged, or was written by a newer LangMARL.
        """
        return _read(self._folder / "held_out.json")

    def _path(self, iteration: int) -> Path:
        return self._folder / f"{iteration_name(iteration)}.json"


def _read(path: Path) -> list[dict[str, Any]] | None:
    try:
        tasks = read_json(path).get("tasks")
    except FileNotFoundError:
        return None
    if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
        raise UserMistake(f"{path} is damaged: it holds no list of tasks.", "Restore it from a copy of the run.")
    return tasks
