"""Checks in Monty, where bubblewrap cannot run: an interpreter for a part of Python, which has no system to call.

The program runs in one Monty session and the tests in another, each a process of its own. A call from the tests comes
out as plain values, is checked here, and goes into the program's session; this process executes neither.
"""

from __future__ import annotations

import atexit
import os
import string
import threading
import time
from functools import cache
from typing import Any

import pydantic_monty
from pydantic_monty import (
    ExternalModule,
    Monty,
    MontyCrashedError,
    MontyError,
    MontyRuntimeError,
    MontySession,
    MontySyntaxError,
    OSPolicy,
    ResourceLimits,
)

from langmarl.envs.sandbox.guest.confinement import MEMORY_BYTES
from langmarl.envs.sandbox.guest.tester import ENDS_LOOPS, brief, describe
from langmarl.envs.sandbox.guest.values import NotPlainError, TooLargeError, decode, encode
from langmarl.envs.sandbox.monty_gaps import is_gap
from langmarl.envs.sandbox.verdict import Finding, Job, Outcome, SandboxError, Verdict

VERSION = pydantic_monty.__version__

_TIMED_OUT = "the program did not finish in time"
_SESSIONS_PER_CHECK = 2
_CALLS = 1_000_000
_POLICY: OSPolicy = {"random_start": {"seed": 0}}

# Monty has no module `string`; its constants, which HumanEval's tests use, are mere text.
_CONSTANTS = {
    name: value for name, value in vars(string).items() if isinstance(value, str) and not name.startswith("_")
}
_MODULES = {"string": ExternalModule(_CONSTANTS)}

_processors = len(os.sched_getaffinity(0))
_slots = threading.BoundedSemaphore(_processors)
_pool_lock = threading.Lock()


@cache
def _open_pool() -> Monty:
    pool = Monty(min_processes=0, max_processes=_SESSIONS_PER_CHECK * _processors)
    pool.__enter__()
    atexit.register(pool.__exit__, None, None, None)
    return pool


def _pool() -> Monty:
    with _pool_lock:
        return _open_pool()


def check(job: Job, timeout_s: float) -> Verdict:
    """Run the tests of one program; waits for a free processor first. Safe from any thread.

    Raises:
        SandboxError: Monty did not start.
    """
    with _slots:
        began = time.monotonic()
        try:
            with (
                _session(timeout_s) as program,
                _session(timeout_s) as tests,
            ):
                finding = _judge(_Candidate(program, job.entry_point, began + timeout_s), tests, job)
        except UnicodeEncodeError as error:
            finding = Finding("invalid_program", f"the program is no text: {error}")
        except (OSError, RuntimeError) as error:
            raise SandboxError(f"Monty did not start: {error}") from error
        return Verdict.of(finding, time.monotonic() - began, "monty")


def _session(timeout_s: float) -> MontySession:
    limits: ResourceLimits = {
        "max_feed_duration_secs": timeout_s,
        "max_memory": MEMORY_BYTES,
        "max_suspensions": _CALLS,
        "max_total_sleep_secs": timeout_s,
    }
    return _pool().checkout(limits=limits, os_policy=_POLICY, external_modules=_MODULES)


class _FailedError(Exception):
    """The candidate is beyond use; what the tests make of this exception no longer matters."""


class _Candidate:
    """Calls the function in the program's session; arguments and results are copies.

    Attributes:
        failure: Why no verdict but a failure is possible any more.
        error: The exception that the last call raised.
        last_call: The last call and what came of it, in words.
    """

    def __init__(self, program: MontySession, name: str, deadline: float) -> None:
        self._program, self._name, self._deadline = program, name, deadline
        self.failure: Finding | None = None
        self.error: Exception | None = None
        self.last_call = ""

    def load(self, source: str) -> None:
        """Execute the program. Raises `_FailedError` where that fails."""
        try:
            self._feed(source)
            self._feed(self._name)
        except MontyError as error:
            raise self._fail(_classified(error, "invalid_program", "the program does not load")) from None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function under test."""
        if self.failure:
            raise _FailedError
        self.error = None
        shown = [brief(value) for value in args] + [f"{key}={brief(value)}" for key, value in kwargs.items()]
        call = f"{self._name}({', '.join(shown)})"
        try:
            inputs = decode(encode({"_args": args, "_kwargs": kwargs}))
        except TooLargeError as error:  # tests hand results on as arguments; the fault may be the program's
            raise self._fail(Finding("not_plain", f"an argument of the tests: {error}")) from None
        except NotPlainError as error:
            raise self._fail(
                Finding("broken_tests", f"an argument of the tests is not a plain value: {error}")
            ) from None
        try:
            result = decode(encode(self._feed(f"{self._name}(*_args, **_kwargs)", inputs)))
        except NotPlainError as error:
            raise self._fail(Finding("not_plain", str(error))) from None
        except MontyError as error:
            finding = _classified(error, "raised", f"{call} raised an exception")
            if finding.outcome != "raised":
                raise self._fail(finding) from None
            raise self._pass_on(error.exception(), call) from None
        self.last_call = f"{call} returned {brief(result)}"
        return result

    def _pass_on(self, raised: BaseException, call: str) -> Exception:
        self.last_call = f"{call} raised {describe(raised)}"
        if not isinstance(raised, Exception) or isinstance(raised, ENDS_LOOPS):
            return self._fail(Finding("raised", self.last_call))
        self.error = raised
        return raised

    def _feed(self, code: str, inputs: dict[str, Any] | None = None) -> Any:
        if time.monotonic() > self._deadline:
            raise self._fail(Finding("timed_out", _TIMED_OUT))
        return self._program.feed_run(code, inputs=inputs, print_callback=_discard)

    def _fail(self, finding: Finding) -> _FailedError:
        self.failure = finding
        return _FailedError(finding.reason)


def _judge(candidate: _Candidate, tests: MontySession, job: Job) -> Finding:
    """How the check ended. A failure of the candidate stands, even where the tests swallowed it."""
    try:
        candidate.load(job.source)
    except _FailedError:
        return candidate.failure or Finding("crashed", "")
    finding = _run_tests(candidate, tests, job)
    return candidate.failure or finding


def _run_tests(candidate: _Candidate, tests: MontySession, job: Job) -> Finding:
    known = {"candidate": candidate.__call__}
    try:
        _feed_prelude(tests, job.prelude)
        tests.feed_run(f"{job.entry_point} = candidate", external_lookup=known, print_callback=_discard)
        tests.feed_run(job.tests, external_lookup=known, print_callback=_discard)
        tests.feed_run("check", print_callback=_discard)
    except MontyError as error:
        return _classified(error, "broken_tests", "the tests do not load")
    try:
        tests.feed_run(f"check({job.entry_point})", external_lookup=known, print_callback=_discard)
    except MontyRuntimeError as error:
        return _explained(error, candidate)
    except MontyError as error:
        return _classified(error, "broken_tests", "the process of the tests ended without a verdict")
    return Finding("passed", "all tests passed")


def _feed_prelude(tests: MontySession, prelude: str) -> None:
    """The prelude may stop where the program is to go on; one that is no Python at all defines nothing."""
    for text in (prelude, f"{prelude}\n    pass\n"):
        try:
            tests.feed_run(text, print_callback=_discard)
            return
        except MontySyntaxError:
            continue


def _explained(error: MontyRuntimeError, candidate: _Candidate) -> Finding:
    raised = error.exception()
    frames = error.traceback()
    line = (frames[-1].source_line or "").strip() if frames else ""
    what = "failed" if isinstance(raised, AssertionError) else f"raised {describe(raised)}"
    reason = "; ".join(part for part in (f"`{line}` {what}", candidate.last_call) if part)
    if candidate.error is not None and (type(raised), raised.args) == (type(candidate.error), candidate.error.args):
        return Finding("raised", reason)
    otherwise: Outcome = "broken_tests" if isinstance(raised, NameError) else "wrong_answer"
    return Finding(_limit(raised) or otherwise, reason)


def _classified(error: MontyError, otherwise: Outcome, what: str) -> Finding:
    """A limit that was reached and a feature that Monty lacks have outcomes of their own."""
    raised = error.exception()
    reason = f"{what}: {describe(raised)}"
    if isinstance(error, MontyCrashedError):
        return Finding("timed_out", _TIMED_OUT) if error.timed_out else Finding("crashed", reason)
    return Finding(_limit(raised) or otherwise, reason)


def _limit(raised: BaseException) -> Outcome | None:
    if isinstance(raised, TimeoutError):
        return "timed_out"
    if isinstance(raised, MemoryError):
        return "crashed"
    return "unsupported" if is_gap(raised) else None


def _discard(stream: str, text: str) -> None:
    """What the code prints goes nowhere."""
