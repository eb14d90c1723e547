"""Programs that reach out of the sandbox, started by whoever runs the tests, and all hostile ones by an ordinary user.

Where the tests run as root, the ordinary user is ``nobody``, in a process that sees the interpreter even if it lies in
root's home. The attempts would succeed where nothing holds them; a test makes sure of that, so that none fails for a
reason of its own.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.envs.sandbox.conftest import PROJECT, require
from tests.envs.sandbox.hostile_programs import ENDLESS, ESCAPES, FORGERIES

NOBODY = 65534
REACHING = {name: (source, 5.0) for name, source in ESCAPES.items()}
FORGING = {name: (source, 0.7) for name, source in FORGERIES.items()}
STAYING = {name: (source, 0.3) for name, source in ENDLESS.items()}


def come_of(programs: Mapping[str, tuple[str, float]], backend: str | None, user: int | None) -> dict[str, Any]:
    """What came of the programs, in one process for all of them."""
    prefix = _with_a_readable_interpreter() if user is not None else ()
    ended = subprocess.run(
        [*prefix, sys.executable, "-m", "tests.envs.sandbox.escaping"],
        input=json.dumps({"backend": backend, "user": user, "programs": programs}),
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT), "PLANTED_KEY": "sk-planted-4711"},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def _with_a_readable_interpreter() -> tuple[str, ...]:
    """A command that hides homes which only root may enter, but for what an interpreter needs of them."""
    needed = {PROJECT, Path(sys.prefix), Path(sys.base_prefix).resolve(), Path(sys.executable).resolve().parents[1]}
    closed = {path: outer for path in needed if (outer := _outermost_closed(path)) is not None}
    options = [part for outer in sorted(set(closed.values())) for part in ("--perms", "0755", "--tmpfs", str(outer))]
    for path, outer in sorted(closed.items()):
        between = [folder for folder in reversed(path.parents) if folder.is_relative_to(outer) and folder != outer]
        options += [part for folder in between for part in ("--dir", str(folder))]
        options += ["--ro-bind", str(path), str(path)]
    capabilities = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    return ("bwrap", "--dev-bind", "/", "/", *options, "--die-with-parent", *capabilities, "--")


def _outermost_closed(path: Path) -> Path | None:
    folders = (*reversed(path.parents), path)
    return next((folder for folder in folders if not folder.stat().st_mode & stat.S_IXOTH), None)


@pytest.fixture(params=["whoever runs the tests", "an ordinary user"])
def user(request: pytest.FixtureRequest) -> int | None:
    return nobody() if request.param == "an ordinary user" else None


def nobody() -> int:
    if os.geteuid() != 0:
        pytest.skip("an ordinary user runs the tests already")
    require("bwrap")  # it also shows the interpreter to the other user
    return NOBODY


def test_every_attempt_succeeds_where_nothing_holds_it(user):
    found = come_of(REACHING, None, user)
    assert [name for name, passed in found["passed"].items() if not passed] == []
    assert (found["heard"], found["written"]) == (1, True)


def test_no_program_gets_out(backend, user):
    found = come_of(REACHING, backend, user)
    assert found["user"] == (os.geteuid() if user is None else user)
    assert [name for name, passed in found["passed"].items() if passed] == []
    assert (found["heard"], found["written"]) == (0, False)
    assert all(found["reasons"].values())
    assert "planted" not in str(found["reasons"])


def test_an_ordinary_users_sandbox_holds_what_roots_does(backend):
    found = come_of({**FORGING, **STAYING}, backend, nobody())
    assert [name for name, passed in found["passed"].items() if passed] == []
    assert all(found["reasons"].values())
