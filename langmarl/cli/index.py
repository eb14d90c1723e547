"""``langmarl index``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from langmarl.cli.options import EXPERIMENTS, Experiments, Json
from langmarl.cli.printing import complain, say, say_json
from langmarl.cli.selection import experiments_folder


def index(
    experiments: Experiments = EXPERIMENTS,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Empty it, and read every run anew.")] = False,
    as_json: Json = False,
) -> None:
    """Bring the index of runs up to date.

    The index holds nothing of its own: everything in it is read from the runs, and deleting it loses nothing.
    """
    if not experiments_folder(experiments).is_dir():
        complain(f"There are no runs: {experiments} does not exist.")
        return
    from langmarl.store import Index  # SQLAlchemy takes longer to import than all else that commands need

    runs = Index(experiments)
    changes = runs.rebuild() if rebuild else runs.reconcile()
    count = runs.count()
    if as_json:
        say_json({"runs": count, **asdict(changes)})
        return
    say(f"{count} run{'' if count == 1 else 's'} in the index of {experiments}.")
    say(f"added: {len(changes.added)}, updated: {len(changes.updated)}, removed: {len(changes.removed)}")
