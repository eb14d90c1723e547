"""The system calls that a sandboxed program does without, as a filter for ``bwrap --seccomp``.

Namespaces keep the program apart; the filter takes away what namespaces leave: keyrings and VM sockets, which belong to
no namespace; namespaces of the program's own; and the kernel's larger interfaces, which a function under test never
needs. Blocked calls fail with EPERM.
"""

from __future__ import annotations

import errno
import platform
import struct
from dataclasses import dataclass

# Opcodes of classic BPF: load a word of the call's description, compare, decide.
_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_SET, _RETURN = 0x20, 0x15, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_ALLOW, _FAIL, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_CLONE_NEWUSER = 0x10000000
_X32_BIT = 0x40000000


@dataclass(frozen=True, slots=True)
class _Architecture:
    audit_number: int
    clone: int
    blocked: tuple[int, ...]


# socket; ptrace; add_key, request_key, keyctl; unshare, setns; mount, umount2, pivot_root; perf_event_open; bpf;
# userfaultfd.
_ARCHITECTURES = {
    "x86_64": _Architecture(0xC000003E, 56, (41, 101, 248, 249, 250, 272, 308, 165, 166, 155, 298, 321, 323)),
    "aarch64": _Architecture(0xC00000B7, 220, (198, 117, 217, 218, 219, 97, 268, 40, 39, 41, 241, 280, 282)),
}
# Since Linux 5.0, the same number everywhere: io_uring_setup, io_uring_enter, io_uring_register; open_tree … fsmount.
_BLOCKED_EVERYWHERE = (425, 426, 427, 428, 429, 430, 432)
_CLONE3 = 435


def syscall_filter(machine: str | None = None) -> bytes | None:
    """The compiled filter, or None for a machine whose call numbers are not listed here.

    Args:
        machine: As `platform.machine` has it; None for this one.
    """
    architecture = _ARCHITECTURES.get(machine or platform.machine())
    if architecture is None:
        return None
    program = [
        _instruction(_LOAD, _ARCHITECTURE_AT),
        _instruction(_JUMP_IF_EQUAL, architecture.audit_number, when_true=1),
        _instruction(_RETURN, _KILL),  # another ABI has other numbers, which would slip past
        _instruction(_LOAD, _NUMBER_AT),
        _instruction(_JUMP_IF_SET, _X32_BIT, when_false=1),
        _instruction(_RETURN, _KILL),
    ]
    for number in (*architecture.blocked, *_BLOCKED_EVERYWHERE):
        program += _answer(number, _FAIL | errno.EPERM)
    program += _answer(
        _CLONE3, _FAIL | errno.ENOSYS
    )  # its flags lie in memory, out of sight; the C library falls back to clone
    program += [
        _instruction(_JUMP_IF_EQUAL, architecture.clone, when_false=3),
        _instruction(_LOAD, _FIRST_ARGUMENT_AT),
        _instruction(_JUMP_IF_SET, _CLONE_NEWUSER, when_false=1),
        _instruction(_RETURN, _FAIL | errno.EPERM),
        _instruction(_RETURN, _ALLOW),
    ]
    return b"".join(program)


def _instruction(code: int, value: int, *, when_true: int = 0, when_false: int = 0) -> bytes:
    """One ``struct sock_filter``; the jumps count instructions to skip."""
    return struct.pack("=HBBI", code, when_true, when_false, value)


def _answer(number: int, verdict: int) -> list[bytes]:
    return [_instruction(_JUMP_IF_EQUAL, number, when_false=1), _instruction(_RETURN, verdict)]
