"""Making a run directory: whole, under a name of its own, in a known order."""

from __future__ import annotations

import contextlib
import importlib.metadata
import secrets
import shutil
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from langmarl.errors import UserMistake
from langmarl.store.atomic import TEMPORARY_SUFFIX, sync_folder
from langmarl.store.fingerprint import Fingerprint
from langmarl.store.layout import RunLayout, run_folder_name
from langmarl.store.manifest import Manifest, read_manifest, write_manifest
from langmarl.store.state import write_state

if TYPE_CHECKING:
    from langmarl.config import BaseConfig


def run_folders(experiment_dir: Path) -> list[Path]:
    """The directories in ``experiment_dir`` that hold a run, in no particular order."""
    if not experiment_dir.is_dir():
        return []
    return [entry for entry in experiment_dir.iterdir() if entry.name[0] != "." and (entry / "run.json").is_file()]


def create_run(folder: Path, config: BaseConfig, fingerprint: Fingerprint, checkpoint_dir: Path | str | None) -> Path:
    """Make the directory of a new run in ``folder``, built under a hidden name and renamed.

    Returns:
        The directory.

    Raises:
        UserMistake: ``folder`` or ``checkpoint_dir`` cannot be written.
    """
    building = folder / f".new-{secrets.token_hex(8)}{TEMPORARY_SUFFIX}"
    try:
        building.mkdir(parents=True)
    except OSError as error:
        raise UserMistake(
            f"no run can be created in {folder}: {error}.", "Set experiment_dir to a folder you can write."
        ) from error
    try:
        config.to_json(building / "config.json")
        write_state(RunLayout.inside(building), "queued")
        (building / ".lock").touch()
        path = _publish(building, folder, config, fingerprint, checkpoint_dir)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise
    sync_folder(folder)
    return path


def _publish(
    building: Path,
    folder: Path,
    config: BaseConfig,
    fingerprint: Fingerprint,
    checkpoint_dir: Path | str | None,
) -> Path:
    """Give the finished directory its name: the first of this second that is free."""
    created = datetime.now().astimezone()
    stamp, created_ns = created.strftime("%Y%m%d_%H%M%S"), _next_creation(folder)
    ordinal = 1
    while True:
        final = folder / run_folder_name(config.exp_name, stamp, ordinal)
        checkpoints = Path(checkpoint_dir).resolve() / final.name if checkpoint_dir else None
        manifest = Manifest(
            run_id=final.name,
            exp_name=config.exp_name,
            env=config.env,
            created_at=created.isoformat(timespec="milliseconds"),
            created_ns=created_ns,
            langmarl_version=importlib.metadata.version("langmarl"),
            fingerprint=fingerprint,
            checkpoint_dir=str(checkpoints) if checkpoints else None,
        )
        write_manifest(building / "run.json", manifest)
        if _take_name(building, final, checkpoints):
            return final
        ordinal += 1


def _take_name(building: Path, final: Path, checkpoints: Path | None) -> bool:
    """Rename ``building`` to ``final`` and make its folder of checkpoints; False where either name is taken."""
    if checkpoints is not None:
        try:
            checkpoints.mkdir(parents=True)
        except FileExistsError:
            return False
        except OSError as error:
            raise UserMistake(
                f"no checkpoints can be kept in {checkpoints.parent}: {error}.",
                "Set checkpoint_dir to a folder you can write.",
            ) from error
    try:
        building.rename(final)
    except OSError:
        if checkpoints is not None:
            checkpoints.rmdir()
        if not final.exists():
            raise
        return False
    return True


def _next_creation(folder: Path) -> int:
    """Now, in nanoseconds since 1970, or just after the newest run where the clock was set back."""
    newest = 0
    for run in run_folders(folder):
        with contextlib.suppress(UserMistake, OSError):
            newest = max(newest, read_manifest(run / "run.json").created_ns)
    return max(time.time_ns(), newest + 1)
