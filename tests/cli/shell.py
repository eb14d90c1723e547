"""The real command, as a process of its own or within this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[2]
QUICKSTART = PROJECT / "configs" / "quickstart.json"
SMALL = ("num_iterations=2", "trajectories_per_iteration=3")
"""Overrides that make any shipped config a matter of a second."""

PATIENCE_S = 60.0


def scrubbed_environment(home: Path, **more: str) -> dict[str, str]:
    """An environment without keys, colours or settings of the machine that runs the tests."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "SYSTEMROOT") if name in os.environ}
    return {**kept, "HOME": str(home), "LANG": "C.UTF-8", "LANGMARL_NO_DOTENV": "1", **more}


@dataclass(frozen=True, slots=True)
class Result:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be one JSON value and nothing else."""
        return json.loads(self.out)


class Shell:
    """Starts ``python -m langmarl`` in a working directory, with no terminal anywhere."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(self, *arguments: object, **options: Any) -> subprocess.Popen[str]:
        """Start a command and come back at once."""
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(
            [sys.executable, "-m", "langmarl", *map(str, arguments)],
            cwd=self.folder,
            env=scrubbed_environment(self.folder),
            encoding="utf-8",
            **{**streams, **options},
        )

    def run(self, *arguments: object) -> Result:
        """Run a command to its end."""
        return end_of(self.start(*arguments))


def end_of(process: subprocess.Popen[str]) -> Result:
    """Wait for a command that was started."""
    try:
        out, err = process.communicate(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return Result(process.returncode, out or "", err or "")


def rest_of(terminal: int) -> bytes:
    """What comes on a terminal until its other side is closed; then it is closed here as well."""
    shown = b""
    try:
        while chunk := os.read(terminal, 65536):
            shown += chunk
    except OSError:  # the other side is closed
        pass
    os.close(terminal)
    return shown


def wait_for(condition: Callable[[], Any], what: str) -> Any:
    """The first true value of ``condition``."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {what}")


def only_run(folder: Path) -> Path:
    """The directory of the one run that was made in the working directory ``folder``."""
    (run,) = (path.parent for path in (folder / "experiments").glob("*/run.json"))
    return run


def state_of(run: Path) -> str:
    """The state as the run's file has it."""
    return str(json.loads((run / "state.json").read_text(encoding="utf-8"))["state"])
