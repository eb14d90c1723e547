"""``langmarl dashboard``."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from langmarl.cli.options import EXPERIMENTS, Experiments
from langmarl.cli.printing import complain
from langmarl.errors import UserMistake

_LOOPBACK = ("127.0.0.1", "localhost", "::1")

_HOST_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")

_SHARED = (
    "Everybody who can reach {host} can read the runs and start new ones with your keys, unless you set a login up: "
    "docs/security.md says how."
)


def dashboard(
    port: Annotated[
        int | None,
        typer.Option("--port", "-p", min=1, max=65535, help="Port.  [default: 8501, or the next one that is free]"),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; any but this machine's own shares the dashboard.")
    ] = "127.0.0.1",
    public_name: Annotated[
        str | None,
        typer.Option("--public-name", metavar="NAME", help="Name of a proxy in front of it, as browsers know it."),
    ] = None,
    experiments: Experiments = EXPERIMENTS,
) -> None:
    """Open the dashboard in the browser.

    It shows the runs of ./experiments here, or of another folder, and starts new ones. Runs go on when the browser is
    closed. Ctrl-C ends the server and leaves its runs in a state from which they can be resumed.
    """
    if importlib.util.find_spec("dashboard") is None:
        raise UserMistake("the dashboard is not installed beside the library.", "Install the whole langmarl package.")
    if experiments.exists() and not experiments.is_dir():
        raise UserMistake(f"--experiments {experiments}: it is a file.", "Name the folder that holds the runs.")
    if public_name is not None and not _HOST_NAME.fullmatch(public_name):
        raise UserMistake(
            f"--public-name {public_name}: it is no host's name.", "Name the host alone, such as runs.example.com."
        )
    if host not in _LOOPBACK or public_name is not None:
        complain(_SHARED.format(host=public_name or host))
    options = ["--host", host]
    if public_name is not None:
        options += ["--public-name", public_name]
    if port is not None:
        options += ["--port", str(port)]
    if no_browser:
        options.append("--no-browser")
    _become_server(options, experiments)


def _become_server(options: list[str], experiments: Path) -> NoReturn:
    """Turn this process into the server: signals and the exit code are then the server's own."""
    # -P: what lies in the working directory is not imported by chance.
    command = [sys.executable, "-P", "-m", "dashboard", *options]
    sys.stdout.flush()
    os.execve(sys.executable, command, {**os.environ, "LANGMARL_EXPERIMENTS": str(experiments.absolute())})
