"""Ask math-verify, in its own process, whether two mathematical answers are equal."""

from __future__ import annotations

import atexit
import json
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from langmarl.envs.language.math_answers import Candidate

WORKER = Path(__file__).with_name("math_worker.py")
PASSED_ON = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LC_ALL", "HOME", "TMPDIR")
"""Environment variables that the worker gets; keys are none of its business."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of comparing an answer with its reference.

    Attributes:
        outcome: ``equal``, ``different``, ``unparsed`` (no expression in it) or ``timed_out``.
        read: What was taken for the answer, where there was something.
    """

    outcome: Literal["equal", "different", "unparsed", "timed_out"]
    read: str | None = None


class MathWorker:
    """One worker process, started at the first question, and again after one that it did not survive.

    Safe to share between threads, which take turns (a question takes some milliseconds). The process ends with its
    owner, however that ends: its stdin closes.

    Args:
        timeout_s: Seconds for one question, the worker's start not included; then the process is killed.
        start_timeout_s: Seconds for the first question of a new process, which has to import the algebra first.
    """

    def __init__(self, timeout_s: float = 20.0, start_timeout_s: float = 60.0) -> None:
        self.timeout_s = timeout_s
        self.start_timeout_s = start_timeout_s
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = os.getpid()

    def compare(self, answer: str, candidates: Sequence[Candidate]) -> Comparison:
        """Whether the first of the candidates that can be read equals the answer.

        A question that is not answered in time, or kills the worker, counts as ``timed_out`` for this answer only.
        """
        expressions = [candidate for candidate in candidates if candidate.form != "words"]
        request = {"answer": answer, "candidates": [asdict(candidate) for candidate in expressions]}
        with self._turn:
            reply = self._ask(request)
        if reply is None:
            return Comparison("timed_out")
        if reply["read"] is None:
            return Comparison("unparsed")
        return Comparison("equal" if reply["equal"] else "different", reply["read"])

    def close(self) -> None:
        """End the process; the next question starts another."""
        with self._turn:
            self._stop()

    def _ask(self, request: dict[str, Any]) -> dict[str, Any] | None:
        try:
            process, timeout_s = self._running()
            line = self._exchange(process, json.dumps(request).encode() + b"\n", timeout_s)
        except (BrokenPipeError, TimeoutError):
            line = b""
        if not line:
            self._stop()
            return None
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _running(self) -> tuple[subprocess.Popen[bytes], float]:
        """The process and the time it may take; after a fork the parent's process is left to the parent."""
        if self._process is not None and self._owner == os.getpid() and self._process.poll() is None:
            return self._process, self.timeout_s
        self._owner = os.getpid()
        # By its path and with -P: nothing of the caller's program is imported, nor found beside the worker.
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            # Ctrl-C is for the run, which ends after what is in flight, this question included.
            start_new_session=True,
            env={name: os.environ[name] for name in PASSED_ON if name in os.environ},
        )
        return self._process, self.start_timeout_s

    def _exchange(self, process: subprocess.Popen[bytes], request: bytes, timeout_s: float) -> bytes:
        """Send a line and wait for one; empty where the process ended instead."""
        assert process.stdin is not None
        assert process.stdout is not None
        view = memoryview(request)
        while view:
            view = view[process.stdin.write(view) or 0 :]
        deadline, received = time.monotonic() + timeout_s, b""
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while not received.endswith(b"\n"):
                if not selector.select(deadline - time.monotonic()):
                    raise TimeoutError
                part = os.read(process.stdout.fileno(), 65536)
                if not part:
                    return b""
                received += part
        return received

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None or self._owner != os.getpid():
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


_shared = MathWorker()
atexit.register(_shared.close)


def shared_worker() -> MathWorker:
    """The one worker of this Python process."""
    return _shared
