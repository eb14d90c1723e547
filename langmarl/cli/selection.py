"""From what the user typed to a run, a checkpoint of it, and its agents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from langmarl.cli.options import EXPERIMENTS
from langmarl.errors import LangMARLError, UnknownNameError, UserMistake
from langmarl.store import LocalStore, RunDirectory

FIRST, BEST, LATEST = "first", "best", "latest"


def experiments_folder(folder: Path) -> Path:
    """``folder``, if it can hold runs.

    Raises:
        UserMistake: It was named by the user and is no directory. The default one need not exist yet.
    """
    if folder.is_dir() or (folder == EXPERIMENTS and not folder.exists()):
        return folder
    what = "is a file, not a directory" if folder.exists() else "does not exist"
    raise UserMistake(f"--experiments {folder}: it {what}.", "Name the folder that holds the run directories.")


def open_run(run: str, experiments: Path) -> RunDirectory:
    """The run called ``run`` in ``experiments``, the newest one for "latest", or the one in the directory ``run``.

    Raises:
        UnknownNameError: There is no such run; names those that exist.
        UserMistake: The folder does not exist, or the run is damaged.
    """
    store, directory = LocalStore(experiments_folder(experiments)), Path(run)
    is_listed = directory.name == run and is_file(experiments / run / "run.json")
    if not is_listed and is_file(directory / "run.json"):
        return RunDirectory.open(directory.resolve())
    try:
        return store.run(run)
    except (OSError, ValueError) as error:
        if isinstance(error, LangMARLError):
            raise
        # No name that a directory could have.
        names = store.run_ids()
        raise UnknownNameError("run", run, [LATEST, *names] if names else []) from error


def is_file(path: Path) -> bool:
    """Whether there is such a file; not for a name that no file can have, either."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def checkpoint_number(run: RunDirectory, name: str) -> int:
    """The checkpoint that ``name`` means: a number, "first", "best" or "latest".

    Raises:
        UnknownNameError: There is no such checkpoint; names those that exist.
        UserMistake: No best one is known yet.
    """
    known = run.checkpoints.iterations()
    if name == BEST:
        return _best(run)
    if name in (FIRST, LATEST) and known:
        return known[0 if name == FIRST else -1]
    # "3" and "0003" and "iter_0003" are how people see it written.
    digits = name.removeprefix("iter_")
    if digits.isascii() and digits.isdigit() and int(digits) in known:
        return int(digits)
    raise UnknownNameError("checkpoint", name, [*known, *((FIRST, BEST, LATEST) if known else ())])


def chosen_agents(policies: Mapping[str, str], agent: str | None) -> dict[str, str]:
    """The policies of all agents, or of the one named.

    Raises:
        UnknownNameError: There is no such agent; names those that exist.
    """
    if agent is None:
        return dict(policies)
    if agent not in policies:
        raise UnknownNameError("agent", agent, policies)
    return {agent: policies[agent]}


def _best(run: RunDirectory) -> int:
    best = run.metrics.read().best_checkpoint
    if best is None:
        raise UserMistake(
            f"no best checkpoint of {run.run_id} is known yet: no iteration is finished.",
            'Use "latest", or wait for the first iteration.',
        )
    return best
