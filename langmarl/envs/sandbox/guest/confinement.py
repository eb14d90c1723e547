"""The first thing that runs in a sandbox: limits, and channels that the code beside it does not stumble over."""

from __future__ import annotations

import os
import resource

MIB = 1024 * 1024
MEMORY_BYTES = 512 * MIB
"""Address space of one process."""
FILE_BYTES = 16 * MIB
"""Size of one file; the file system itself is limited by its mount."""
PROCESSES = 8
"""Processes and threads of one sandbox, its init and the interpreter among them."""
OPEN_FILES = 64

_FIRST_FREE = 3
_MOST_DESCRIPTORS = 1 << 20


def confine(channels: tuple[int, ...], cpu_s: int, user: int) -> list[int]:
    """Close every descriptor but the channels, send standard input and output to nowhere, and give up what can be.

    Sets the limits and, for root, changes the user.

    Args:
        channels: Descriptors to keep.
        cpu_s: Seconds of processor time that each process may use.
        user: Id of the user and group to become; 0 where this process is an ordinary user's already.

    Returns:
        The channels under their new numbers, in order; 0, 1 and 2 are the null device from here on, so `print`
        can neither fill a pipe nor speak in the program's place.
    """
    kept = [os.dup(channel) for channel in channels]
    null = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    start = _FIRST_FREE
    for descriptor in sorted(kept):
        os.closerange(start, descriptor)
        start = descriptor + 1
    os.closerange(start, min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], _MOST_DESCRIPTORS))
    for name, limit in (
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_AS, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, FILE_BYTES),
        (resource.RLIMIT_NPROC, PROCESSES),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(name, (limit, limit))
    if user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    return kept
