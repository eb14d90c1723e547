"""The way in: one program, one verdict."""

from __future__ import annotations

import keyword

from langmarl.envs.sandbox.backends import working_check
from langmarl.envs.sandbox.verdict import Backend, Job, Verdict
from langmarl.errors import UserMistake


def check_program(
    source: str,
    entry_point: str,
    tests: str,
    *,
    timeout_s: float,
    prelude: str = "",
    backend: Backend | None = None,
) -> Verdict:
    """Run the tests of a program that nobody trusts; safe from any thread.

    The program runs in one sandbox, its tests in another; arguments and results pass between them as copies of plain
    values. So the program can neither reach the verdict nor hand the tests anything but data. What it prints is
    discarded.

    Args:
        source: The whole program.
        entry_point: The function that it defines and the tests call.
        tests: Python that defines ``check(candidate)``, which raises where the function is wrong (HumanEval's form).
        timeout_s: Wall-clock seconds for loading the program and all its tests, > 0; starting the sandboxes and
            waiting for a free processor do not count.
        prelude: Python that the tests may refer to, executed before them. It comes from the benchmark, never from the
            program: HumanEval's prompts define functions that some tests use (``encode_cyclic``, ``poly``), and taken
            from the program they would let it choose its own yardstick. May be cut off where the program is to go on.
        backend: What to run it in; None for the best that works here.

    Returns:
        The verdict. A program that is wrong, hangs, crashes or attacks is a verdict, never an exception.

    Raises:
        UserMistake: No sandbox works on this machine, or ``backend`` does not; ``entry_point`` is not a name.
        SandboxError: A sandbox that worked before did not start.
    """
    if not entry_point.isidentifier() or keyword.iskeyword(entry_point):
        raise UserMistake(f"entry_point: {entry_point!r} is not the name of a function.", "Correct the benchmark file.")
    return working_check(backend)(Job(source, entry_point, tests, prelude), timeout_s)
