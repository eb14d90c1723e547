"""Archived runs: out of sight, not out of place. An empty file ``archived`` in the run directory marks them."""

from __future__ import annotations

from pathlib import Path

from langmarl.errors import UserMistake

MARK = "archived"


def is_archived(run_path: Path | str) -> bool:
    """Whether the run in this directory is archived."""
    return (Path(run_path) / MARK).exists()


def set_archived(run_path: Path | str, archived: bool) -> None:
    """Archive the run, or bring it back; nothing is moved or deleted.

    Raises:
        UserMistake: The directory cannot be written.
    """
    mark = Path(run_path) / MARK
    try:
        if archived:
            mark.touch()
        else:
            mark.unlink(missing_ok=True)
    except OSError as error:
        raise UserMistake(f"{mark} cannot be written: {error}.", "Check the folder's permissions.") from error
