"""What a check is asked and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from langmarl.errors import LangMARLError

REASON_CHARS = 600

Backend = Literal["bwrap", "monty"]

Outcome = Literal[
    "passed",
    "wrong_answer",
    "raised",
    "not_plain",
    "timed_out",
    "crashed",
    "invalid_program",
    "unsupported",
    "broken_tests",
]
"""How a check ended.

- ``passed``: every test passed.
- ``wrong_answer``: a test failed.
- ``raised``: the function raised where the tests did not expect it.
- ``not_plain``: it returned something that is no plain value, or too much of it.
- ``timed_out``: it was still running at the time-out.
- ``crashed``: its process or that of its tests ended, or what came from it was no result.
- ``invalid_program``: the source does not load, or does not define the function.
- ``unsupported``: the program may be right, but this backend cannot run it (Monty runs a part of Python).
- ``broken_tests``: the benchmark's fault; no program could pass, and none can bring this about.
"""


@dataclass(frozen=True, slots=True)
class Job:
    """One program and its tests; see `langmarl.envs.sandbox.check_program` for the fields."""

    source: str
    entry_point: str
    tests: str
    prelude: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What a backend found out: the part of a `Verdict` that is about the program."""

    outcome: Outcome
    reason: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a check.

    Attributes:
        passed: Whether every test passed.
        outcome: How it ended, for counting.
        reason: The same for people: the test that failed and the call before it, or what went wrong. At most
            600 characters, and partly written by the program: show it as text.
        duration_s: Seconds from start to verdict, starting the sandboxes included.
        backend: What ran it.
    """

    passed: bool
    outcome: Outcome
    reason: str
    duration_s: float
    backend: Backend

    @classmethod
    def of(cls, finding: Finding, duration_s: float, backend: Backend) -> Verdict:
        """The verdict that follows from a finding."""
        return cls(finding.outcome == "passed", finding.outcome, finding.reason[:REASON_CHARS], duration_s, backend)


class SandboxError(LangMARLError):
    """A sandbox did not start, or broke, for a reason of its own: nothing is known of the program."""
