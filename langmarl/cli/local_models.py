"""``langmarl models pull`` and ``langmarl models list``: the files of models that run in this process."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.filesize import decimal
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from langmarl.cli.options import Json
from langmarl.cli.printing import complain, say, say_json, show_table
from langmarl.llm.local import catalog
from langmarl.llm.local.download import Report
from langmarl.llm.local.download import pull as download
from langmarl.llm.local.files import files_on_disk, models_dir, not_on_disk


def pull(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The model, as `langmarl models list` names it.")],
    force: Annotated[
        bool, typer.Option("--force", "-f", help="Fetch it even if it is there, and replace that file.")
    ] = False,
) -> None:
    """Fetch a small model that runs in this process.

    Prints the file's path. What was fetched before a break or Ctrl-C is kept: the same command goes on from there.
    """
    model = catalog.find(name)
    try:
        with _progress(model.name) as report:
            path = download(model, models_dir(), report=report, force=force)
    except KeyboardInterrupt:
        complain("Stopped; the same command goes on from here.")
        raise
    say(str(path))


def list_files(as_json: Json = False) -> None:
    """List the local models: those here, and those to pull.

    Here are the GGUF files in the folder of models; LANGMARL_MODELS_DIR names another folder.
    """
    listing = _listing()
    if as_json:
        say_json(listing)
        return
    here, to_pull = listing["on_disk"], listing["can_be_pulled"]
    say(f"In {listing['folder']}:" if here else f"There is no model in {listing['folder']}.", style="bold")
    if here:
        rows = [(row["name"] or "–", row["file"], decimal(row["size_bytes"]), row["path"]) for row in here]
        show_table(["name", "file", "size", "path"], rows)
    if to_pull:
        say("\nTo be had with `langmarl models pull NAME`:", style="bold")
        rows = [(row["name"], row["file"], decimal(row["size_bytes"]), row["licence"]) for row in to_pull]
        show_table(["name", "file", "size", "licence"], rows)


def _listing() -> dict[str, Any]:
    here = files_on_disk()
    return {
        "folder": str(models_dir()),
        "on_disk": [
            {
                "name": file.name,
                "file": file.path.name,
                "size_bytes": file.size_bytes,
                "path": str(file.path),
            }
            for file in here
        ],
        "can_be_pulled": [
            {"name": model.name, "file": model.file, "size_bytes": model.size_bytes, "licence": model.licence}
            for model in not_on_disk(here)
        ],
    }


@contextlib.contextmanager
def _progress(name: str) -> Iterator[Report]:
    """What to report to: a bar in a terminal, plain lines elsewhere; always on stderr."""
    console = Console(stderr=True)
    if not (sys.stderr.isatty() and console.is_interactive):
        yield _Lines(name)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        yield _Bar(name, progress)


class _Bar:
    """A bar that appears with the first report, where it may be far along already."""

    def __init__(self, name: str, progress: Progress) -> None:
        self._name, self._progress = name, progress
        self._task: TaskID | None = None

    def __call__(self, done: int, size: int) -> None:
        if self._task is None:
            # Begun at what an earlier pull left: only what comes now counts for the speed.
            self._task = self._progress.add_task(self._name, total=size, completed=done)
        self._progress.update(self._task, completed=done)


class _Lines:
    """A line at the beginning, and at most one for every tenth of the file."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._last_tenth = -1

    def __call__(self, done: int, size: int) -> None:
        tenth = 10 * done // size
        if tenth > self._last_tenth:
            self._last_tenth = tenth
            line = f"{self._name}: {100 * done // size}%, {decimal(done)} of {decimal(size)}"
            print(line, file=sys.stderr, flush=True)
