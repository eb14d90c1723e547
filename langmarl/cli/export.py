"""``langmarl export``."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from langmarl.cli.options import EXPERIMENTS, Checkpoint, Experiments, RunName
from langmarl.cli.printing import say
from langmarl.cli.selection import LATEST, checkpoint_number, open_run
from langmarl.errors import UserMistake
from langmarl.store import RunDirectory
from langmarl.store.layout import safe_name

Files = Mapping[str, str]

_COLUMNS = (
    "iteration",
    "num_episodes",
    "avg_reward",
    "min_reward",
    "max_reward",
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "cost_usd",
    "calls",
    "retries",
    "duration_s",
    "failed_episodes",
    "unparsed_answers",
    "unusable_notes",
    "refused_updates",
    "reverted_to",
)


def export(
    run: RunName,
    checkpoint: Checkpoint = LATEST,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="DIR_OR_ZIP",
            help="Where to; a name that ends in .zip gives a zip.  [default: RUN_export]",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace what is there.")] = False,
    experiments: Experiments = EXPERIMENTS,
) -> None:
    """Export a run: policies, config and figures.

    Writes policies/AGENT.txt, config.json (which train accepts, and goes on with this run), metrics.json and
    metrics.csv (a row an iteration).
    """
    directory = open_run(run, experiments)
    number = checkpoint_number(directory, checkpoint or LATEST)
    files = _files(directory, number)
    target = output or Path(f"{directory.run_id}_export")
    if not target.parent.is_dir():
        raise UserMistake(
            f"{target} cannot be written: the folder {target.parent} does not exist.",
            "Make it first, or name another place with --output.",
        )
    try:
        if target.suffix.casefold() == ".zip":
            _write_zip(target, files, force=force)
        else:
            _write_folder(target, files, force=force)
    except OSError as error:
        raise UserMistake(f"{target} cannot be written: {error}.", "Name another place with --output.") from error
    say(f"Checkpoint {number} of {directory.run_id} is in {target}:")
    for name in files:
        say(f"  {name}")


def _files(run: RunDirectory, checkpoint: int) -> Files:
    """File's name → content."""
    metrics = run.metrics.read()
    policies = run.checkpoints.get_policies(checkpoint)
    return {
        **{f"policies/{safe_name(agent)}.txt": text for agent, text in policies.items()},
        "config.json": _json(run.config_data()),
        "metrics.json": _json({"run_id": run.run_id, "exported_checkpoint": checkpoint, **metrics.to_dict()}),
        "metrics.csv": _table(metrics.iterations),
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _table(iterations: Sequence[Mapping[str, Any]]) -> str:
    """One row an iteration; an unknown cost is an empty cell, as is a metric that an iteration lacks."""
    metrics = sorted({name for row in iterations for name in row.get("metrics", {})})
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*_COLUMNS, *metrics])
    for row in iterations:
        values = row.get("metrics", {})
        writer.writerow([*(row.get(name) for name in _COLUMNS), *(values.get(name) for name in metrics)])
    return text.getvalue()


def _write_zip(target: Path, files: Files, *, force: bool) -> None:
    if target.is_dir():
        raise UserMistake(f"{target} is a directory.", "Name another file with --output.")
    if target.exists() and not force:
        raise _exists(target)
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in files.items():
                archive.writestr(f"{target.stem}/{name}", text.encode("utf-8"))
        Path(temporary).chmod(0o644)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _write_folder(target: Path, files: Files, *, force: bool) -> None:
    if target.exists() and not target.is_dir():
        raise UserMistake(f"{target} is a file.", "Name a directory with --output, or a name that ends in .zip.")
    if target.is_dir() and any(target.iterdir()) and not force:
        raise _exists(target)
    # Only what an export wrote: with --force the user gives up those files, and nothing else in the folder.
    shutil.rmtree(target / "policies", ignore_errors=True)
    for name, text in files.items():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def _exists(target: Path) -> UserMistake:
    return UserMistake(
        f"{target} exists already.", "Add --force to replace what an export writes, or name another --output."
    )
