"""Options that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

EXPERIMENTS = Path("experiments")
"""Where runs are unless a config or an option says otherwise; the default of ``experiment_dir``."""

Experiments = Annotated[Path, typer.Option("--experiments", "-e", metavar="DIR", help="The folder of all runs.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output; all else goes to standard error.")]
RunName = Annotated[str, typer.Argument(metavar="RUN", help='The run\'s name or directory, or "latest".')]
Checkpoint = Annotated[
    str | None,
    typer.Option("--checkpoint", "-k", metavar="K", help='A checkpoint\'s number, "first", "best" or "latest".'),
]
Agent = Annotated[str | None, typer.Option("--agent", "-a", metavar="NAME", help="Only this agent.")]
Plugins = Annotated[
    list[str] | None,
    typer.Option("--import", metavar="MODULE", help="Import a module that registers environments, first; repeatable."),
]


def whole_number(least: int, most: int | None = None) -> Callable[[str], int]:
    """A parser for options: a whole number in a range, or a complaint that names the value and the range."""

    def parse(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            raise typer.BadParameter(f"{text!r} is no whole number.") from None
        if value < least or (most is not None and value > most):
            raise typer.BadParameter(f"it is {value}; it must be {_range(least, most)}.")
        return value

    return parse


def number(least: float, most: float | None = None) -> Callable[[str], float]:
    """As :func:`whole_number`, for any finite number."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise typer.BadParameter(f"{text!r} is no number.") from None
        if not math.isfinite(value) or value < least or (most is not None and value > most):
            raise typer.BadParameter(f"it is {text}; it must be {_range(least, most)}.")
        return value

    return parse


def _range(least: float, most: float | None) -> str:
    return f"at least {least:g}" if most is None else f"from {least:g} to {most:g}"
