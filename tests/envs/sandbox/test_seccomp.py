"""The filter's decisions, computed by a small interpreter of classic BPF; the kernel's own are in test_attacks."""

from __future__ import annotations

import errno
import struct

import pytest

from langmarl.envs.sandbox.seccomp import syscall_filter

ALLOW, KILL = 0x7FFF0000, 0x80000000
EPERM, ENOSYS = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
X86_64, AARCH64 = 0xC000003E, 0xC00000B7


def decide(program: bytes, architecture: int, number: int, argument: int = 0) -> int:
    data = struct.pack("=IIQQ", number, architecture, 0, argument)
    instructions = [struct.unpack_from("=HBBI", program, offset) for offset in range(0, len(program), 8)]
    at = accumulator = 0
    while True:
        code, when_true, when_false, value = instructions[at]
        at += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("=I", data, value)
            case 0x15:
                at += when_true if accumulator == value else when_false
            case 0x45:
                at += when_true if accumulator & value else when_false
            case 0x06:
                return value
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")


@pytest.mark.parametrize(
    ("machine", "architecture", "read", "socket", "keyctl", "clone"),
    [("x86_64", X86_64, 0, 41, 250, 56), ("aarch64", AARCH64, 63, 198, 219, 220)],
)
def test_calls_are_told_apart(machine, architecture, read, socket, keyctl, clone):
    program = syscall_filter(machine)
    assert program is not None
    assert decide(program, architecture, read) == ALLOW
    assert decide(program, architecture, socket) == EPERM
    assert decide(program, architecture, keyctl) == EPERM
    assert decide(program, architecture, 425) == EPERM  # io_uring_setup
    assert decide(program, architecture, 435) == ENOSYS  # clone3
    assert decide(program, architecture, clone, 0x00010F00) == ALLOW  # a thread
    assert decide(program, architecture, clone, 0x10000000) == EPERM  # a user namespace


def test_calls_of_another_abi_end_the_program():
    program = syscall_filter("x86_64")
    assert program is not None
    assert decide(program, 0x40000003, 102) == KILL  # socketcall of 32-bit x86
    assert decide(program, X86_64, 0x40000000 | 41) == KILL


def test_an_unknown_machine_has_no_filter_rather_than_a_wrong_one():
    assert syscall_filter("riscv64") is None
