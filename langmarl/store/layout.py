"""Where everything of a run lies, and how iterations, episodes and agents are named there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from langmarl.errors import UserMistake

TEAM = "team"
"""The folder of gradients that all agents share (paradigm ``central_global``)."""

_ITERATION = re.compile(r"iter_(\d{4,})")
_PLAIN_NUMBER = re.compile(r"\d+")
_MAX_NAME_BYTES = 200


@dataclass(frozen=True, slots=True)
class RunLayout:
    """The paths of one run; nothing here touches the disk.

    Attributes:
        root: The run directory.
        checkpoints: The folder of the checkpoints; inside ``root`` unless ``checkpoint_dir`` was set.
    """

    root: Path
    checkpoints: Path

    @classmethod
    def inside(cls, root: Path) -> RunLayout:
        """The layout with the checkpoints in the run directory itself."""
        return cls(root, root / "checkpoints")

    @property
    def manifest(self) -> Path:
        """``run.json``: what the run is."""
        return self.root / "run.json"

    @property
    def config(self) -> Path:
        """``config.json``: enough to run it again."""
        return self.root / "config.json"

    @property
    def state(self) -> Path:
        """``state.json``: how far it is, and why it ended."""
        return self.root / "state.json"

    @property
    def owner(self) -> Path:
        """``owner.json``: the process that writes it."""
        return self.root / "owner.json"

    @property
    def lock(self) -> Path:
        """``.lock``: held by the owner."""
        return self.root / ".lock"

    @property
    def log(self) -> Path:
        """``run.log``: what happened, a line an event."""
        return self.root / "run.log"

    @property
    def metrics(self) -> Path:
        """``metrics.json``: rewards, tokens and cost of each finished iteration."""
        return self.root / "metrics.json"

    @property
    def stop(self) -> Path:
        """``stop``: exists when the run is asked to stop."""
        return self.root / "stop"

    @property
    def set_aside(self) -> Path:
        """``set_aside/``: what forced restarts put away."""
        return self.root / "set_aside"

    @property
    def tasks(self) -> Path:
        """``tasks/``: the tasks of each iteration, and the held-out ones."""
        return self.root / "tasks"

    @property
    def trajectories(self) -> Path:
        """``trajectories/``: the training episodes."""
        return self.root / "trajectories"

    @property
    def held_out(self) -> Path:
        """``held_out/``: the evaluation episodes of each checkpoint."""
        return self.root / "held_out"

    @property
    def evaluations(self) -> Path:
        """``evaluations/``: what the critic said of each training episode."""
        return self.root / "evaluations"

    @property
    def gradients(self) -> Path:
        """``gradients/``: each note, the merged one and the update, by agent."""
        return self.root / "gradients"

    @property
    def calls(self) -> Path:
        """``calls/``: the journal of model calls."""
        return self.root / "calls"


def iteration_name(iteration: int) -> str:
    """``iter_0003`` for 3.

    Raises:
        ValueError: ``iteration`` is negative or no whole number.
    """
    if isinstance(iteration, bool) or not isinstance(iteration, int) or iteration < 0:
        raise ValueError(f"an iteration is a whole number from 0, not {iteration!r}")
    return f"iter_{iteration:04d}"


def iteration_number(name: str) -> int | None:
    """3 for ``iter_0003``, with or without a file's extension; None for any other name."""
    match = _ITERATION.fullmatch(name.partition(".")[0])
    return int(match.group(1)) if match else None


def iterations_in(folder: Path) -> list[int]:
    """The iterations that have an entry in ``folder``, ascending; empty where there is no folder."""
    if not folder.is_dir():
        return []
    numbers = (iteration_number(entry.name) for entry in folder.iterdir())
    return sorted({number for number in numbers if number is not None})


def episode_file(episode: int | str) -> str:
    """``episode_0007.json`` for 7 or ``"7"``; other names keep their letters.

    Raises:
        ValueError: ``episode`` is negative.
    """
    text = str(episode)
    if _PLAIN_NUMBER.fullmatch(text):
        return f"episode_{int(text):04d}.json"
    if isinstance(episode, int):
        raise ValueError(f"an episode is a whole number from 0, not {episode!r}")
    return f"episode_{safe_name(text, 'episode')}.json"


def episodes_in(folder: Path) -> list[int | str]:
    """The episodes that have a file in ``folder``: numbers ascending, then names."""
    if not folder.is_dir():
        return []
    stems = [entry.name[len("episode_") : -len(".json")] for entry in folder.glob("episode_*.json")]
    numbers = sorted(int(stem) for stem in stems if _PLAIN_NUMBER.fullmatch(stem))
    names = sorted(original_name(stem) for stem in stems if not _PLAIN_NUMBER.fullmatch(stem))
    return [*numbers, *names]


def safe_name(name: str, kind: str = "agent") -> str:
    """A file name for any agent's name, plain names unchanged; :func:`original_name` gives the name back.

    Letters and digits of every script, ``_``, ``-``, space and inner dots stay; the rest becomes ``%XX`` by its
    UTF-8 bytes, so that no name can leave its folder or hide in it.

    Raises:
        UserMistake: The name is empty, or too long for a file name.
    """
    if not name:
        raise UserMistake(f"an {kind}'s name is empty.", f"Give every {kind} a name.")
    escaped = "".join(char if _stays(char) else _percent(char) for char in name)
    if escaped[0] in ". ":
        escaped = _percent(escaped[0]) + escaped[1:]
    if len(escaped.encode("utf-8")) > _MAX_NAME_BYTES:
        raise UserMistake(
            f"the {kind} name {name[:40]!r}… is too long for a file name.",
            f"Use a name of at most {_MAX_NAME_BYTES} bytes.",
        )
    return escaped


def original_name(file_stem: str) -> str:
    """The name that :func:`safe_name` turned into ``file_stem``."""
    return unquote(file_stem, encoding="utf-8", errors="surrogatepass")


def run_folder_name(exp_name: str, stamp: str, ordinal: int) -> str:
    """``<exp_name>_<stamp>``, with ``_2`` and so on from the second run of one second.

    Characters that do not belong in a folder's name become ``_``; the manifest keeps the name as given.
    """
    kept = re.sub(r"[^\w.-]", "_", exp_name).strip(".")
    while len(kept.encode("utf-8")) > _MAX_NAME_BYTES:
        kept = kept[:-1]
    suffix = "" if ordinal == 1 else f"_{ordinal}"
    return f"{kept or 'run'}_{stamp}{suffix}"


def in_natural_order(names: Iterable[str]) -> list[str]:
    """Sorted as people count: ``agent_2`` before ``agent_10``."""
    return sorted(names, key=lambda name: [(len(part), part) if part.isdigit() else (0, part) for part in _parts(name)])


def _parts(name: str) -> list[str]:
    return re.split(r"(\d+)", name)


def _stays(char: str) -> bool:
    return char.isalnum() or char in "_-. "


def _percent(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogatepass"))
