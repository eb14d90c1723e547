"""A process that gives hostile programs to one sandbox, as root or as an ordinary user, and prints what came of it.

Standard input: ``{"backend": …, "user": … or null, "programs": {name: [source, seconds]}}``; without a backend the
programs are run with nothing to hold them. Standard output: ``{"user": …, "passed": {name: …}, "reasons": {name: …},
"heard": …, "written": …}``.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

from langmarl.envs.sandbox import Backend, check_program
from tests.envs.sandbox.hostile_programs import TESTS

_UNHELD = "\ndef check(candidate):\n    pass\nraise SystemExit(0 if f(20) == 421 else 1)\n"


class Listener:
    """Counts the connections to a port of this machine."""

    def __init__(self) -> None:
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = self._server.getsockname()[1]
        self.heard = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            self._server.accept()[0].close()
            self.heard += 1


def become(user: int) -> None:
    """Give up root for good."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def main() -> None:
    """Do what standard input asks for."""
    job = json.load(sys.stdin)
    if job["user"] is not None:
        become(job["user"])
    with tempfile.TemporaryDirectory() as folder, _neighbour() as neighbour:
        (Path(folder) / "secret.txt").write_text("planted", encoding="utf-8")
        listener = Listener()
        tasks = files("langmarl.envs.language").joinpath("data", "coding.jsonl")
        places = {"FOLDER": folder, "PORT": listener.port, "PID": neighbour, "TASKS": tasks}

        def run(name: str) -> tuple[bool, str]:
            source, seconds = job["programs"][name]
            for place, value in places.items():
                source = source.replace(f"@{place}@", str(value))
            return _in_sandbox(source, seconds, job["backend"]) if job["backend"] else (_unheld(source), "")

        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            found = dict(zip(job["programs"], pool.map(run, job["programs"]), strict=True))
        written = Path(folder, "written").exists()
    passed = {name: passed for name, (passed, _) in found.items()}
    reasons = {name: reason for name, (_, reason) in found.items()}
    outside = {"user": os.getuid(), "heard": listener.heard, "written": written}
    print(json.dumps({"passed": passed, "reasons": reasons, **outside}))


@contextlib.contextmanager
def _neighbour() -> Iterator[int]:
    """Another process of the same user. This one will not do: who has changed the user is hidden from himself."""
    with subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process.pid


def _in_sandbox(source: str, seconds: float, backend: Backend) -> tuple[bool, str]:
    verdict = check_program(source, "f", TESTS, timeout_s=seconds, backend=backend)
    return verdict.passed, verdict.reason


def _unheld(source: str) -> bool:
    return subprocess.run([sys.executable, "-c", source + _UNHELD], capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    main()
