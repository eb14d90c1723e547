"""``langmarl diff``."""

from __future__ import annotations

from typing import Annotated

import typer

from langmarl.cli.options import EXPERIMENTS, Agent, Experiments, RunName
from langmarl.cli.printing import say
from langmarl.cli.selection import FIRST, LATEST, checkpoint_number, chosen_agents, open_run

_STYLES = {"+++": "bold", "---": "bold", "@@": "cyan", "+": "green", "-": "red"}
"""A line's beginning → how it looks; the first that fits counts."""


def diff(
    run: RunName,
    old: Annotated[str, typer.Argument(metavar="A", help="The older checkpoint.")] = FIRST,
    new: Annotated[str, typer.Argument(metavar="B", help="The newer checkpoint.")] = LATEST,
    agent: Agent = None,
    experiments: Experiments = EXPERIMENTS,
) -> None:
    """Show how the policies changed.

    From checkpoint A to checkpoint B, by default from the first to the latest. A and B are numbers, "first", "best" or
    "latest".
    """
    directory = open_run(run, experiments)
    before, after = checkpoint_number(directory, old), checkpoint_number(directory, new)
    differences = directory.checkpoints.diff_policies(before, after)
    for name, text in chosen_agents(differences, agent).items():
        if not text:
            say(f"{name}: the same in checkpoints {before} and {after}")
            continue
        for line in text.split("\n"):
            say(line, _style(line))


def _style(line: str) -> str:
    return next((style for beginning, style in _STYLES.items() if line.startswith(beginning)), "")
