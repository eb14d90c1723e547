"""The episodes that ended last."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dashboard.queries.live.following import Followed, is_episode, stamp
from dashboard.queries.live.numbers import known, mapping, number
from langmarl.store.layout import RunLayout, iteration_name, iteration_number

SHOWN = 6
"""How many episodes are shown."""

_TEXT_LIMIT = 700
_TASK_FIELDS = ("question", "problem", "prompt", "task", "instruction", "description", "text")
_LARGEST_FILE = 8 * 2**20
"""Bytes; what is larger is named but not read: a page that refreshes itself must stay quick."""


@dataclass(frozen=True, slots=True)
class ShownEpisode:
    """One episode that has ended, in few words. All texts are as a model or a file gave them.

    Attributes:
        iteration: Its iteration; for an evaluation the checkpoint.
        episode: Its number.
        is_evaluation: Whether it was played on a held-out task.
        ended_at: Seconds since 1970.
        task: What was asked; its beginning.
        reward: The team's return; None where it failed or cannot be read.
        speaker: Who spoke last; empty where nobody did.
        message: What was said last; its beginning.
        failure: Why it failed or cannot be read; None in good order.
    """

    iteration: int
    episode: str
    is_evaluation: bool
    ended_at: float
    task: str = ""
    reward: float | None = None
    speaker: str = ""
    message: str = ""
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class _Entry:
    path: Path
    stamp: tuple[int, int, int]
    is_evaluation: bool

    @property
    def order(self) -> tuple[int, str]:
        return self.stamp[0], self.path.name


class NewestEpisodes:
    """Follows the episodes of a run: folders are listed only after they changed, files are read once.

    Args:
        layout: Where the run lies.
    """

    def __init__(self, layout: RunLayout) -> None:
        self._layout = layout
        self._iteration: int | None = None
        self._followed: Followed[tuple[ShownEpisode, ...]]
        self._read: dict[_Entry, ShownEpisode] = {}

    def look(self, iteration: int) -> tuple[ShownEpisode, ...]:
        """The newest episodes of ``iteration`` and the one before it, newest first; the same object when unchanged."""
        if iteration != self._iteration:
            names = [iteration_name(number) for number in (iteration, iteration - 1) if number >= 0]
            folders = [kind / name for name in names for kind in (self._layout.trajectories, self._layout.held_out)]
            self._iteration, self._followed = iteration, Followed(folders, lambda: self._newest(folders), ())
        return self._followed.look().value

    def _newest(self, folders: list[Path]) -> tuple[ShownEpisode, ...]:
        entries = [entry for folder in folders for entry in self._entries(folder)]
        newest = sorted(entries, key=lambda entry: entry.order, reverse=True)[:SHOWN]
        self._read = {entry: self._read.get(entry) or _shown(entry) for entry in newest}
        return tuple(self._read.values())

    def _entries(self, folder: Path) -> list[_Entry]:
        is_evaluation = folder.parent == self._layout.held_out
        try:
            paths = [entry for entry in folder.iterdir() if is_episode(entry.name)]
        except OSError:
            return []
        stamps = [(path, stamp(path)) for path in paths]
        return [_Entry(path, seen, is_evaluation) for path, seen in stamps if seen is not None]


def _shown(entry: _Entry) -> ShownEpisode:
    place = {
        "iteration": iteration_number(entry.path.parent.name) or 0,
        "episode": _episode_name(entry.path),
        "is_evaluation": entry.is_evaluation,
        "ended_at": entry.stamp[0] / 1e9,
    }
    if entry.stamp[1] > _LARGEST_FILE:
        return ShownEpisode(**place, failure="its file is too large to be shown here")
    try:
        data: Any = json.loads(entry.path.read_bytes().decode("utf-8", "surrogatepass"))
        return ShownEpisode(**place, **_content(data))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return ShownEpisode(**place, failure=f"its file cannot be read ({type(error).__name__})")


def _content(data: Mapping[str, Any]) -> dict[str, Any]:
    if "failed" in data:
        failed = data["failed"]
        return {"failure": _beginning(f"{failed['kind']}: {failed['message']}")}
    last = data["steps"][-1] if data["steps"] else {}
    return {
        "task": _beginning(_task_text(data["task"])),
        "reward": known(number(data["reward"])),
        "speaker": str(mapping(last).get("agent_id", "")),
        "message": _beginning(str(mapping(last).get("action", ""))),
    }


def _task_text(task: object) -> str:
    """What was asked, by the names that tasks usually give it; else the whole task."""
    fields = mapping(task)
    for name in _TASK_FIELDS:
        if isinstance(fields.get(name), str) and fields[name].strip():
            return fields[name]
    return json.dumps(task, ensure_ascii=False)


def _beginning(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _TEXT_LIMIT else text[:_TEXT_LIMIT].rstrip() + "…"


def _episode_name(path: Path) -> str:
    name = path.stem.removeprefix("episode_")
    return str(int(name)) if name.isdecimal() else name
