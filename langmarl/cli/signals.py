"""Ctrl-C and SIGTERM: the first ends the run after the calls in flight, the second ends the process."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

from langmarl.cli.exit_codes import ExitCode

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_END = b"\0"  # in the pipe to the listener, where all else is a signal's number
_SHOW_CURSOR = b"\x1b[?25h"
_LAST_WORDS = b"\nended at once; what was finished is kept, and the same command goes on from there\n"


def interrupt_on_sigterm() -> None:
    """Let SIGTERM do what Ctrl-C does: ``KeyboardInterrupt`` in the main thread."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


@contextlib.contextmanager
def graceful_stop(stop: Callable[[str], None]) -> Iterator[None]:
    """Within the block, the first signal calls ``stop`` with its reason, and the second ends the process at once.

    A process that ends at once leaves its run as a crash would: whole, ``interrupted``, and to be resumed.

    Args:
        stop: Called once, in a thread of its own: a handler runs between any two steps of the main thread, which
            may hold a lock that stopping needs.
    """
    owner = os.getpid()
    reading, writing = os.pipe()
    listener = threading.Thread(target=_listen, args=(reading, stop), name="langmarl-signals", daemon=True)
    listener.start()

    def tell(number: int, _frame: FrameType | None) -> None:
        if os.getpid() == owner:  # a forked child that hears the same Ctrl-C must not count as a second one
            os.write(writing, bytes([number]))

    before = {number: signal.signal(number, tell) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        os.write(writing, _END)
        listener.join()
        os.close(writing)
        os.close(reading)


def _listen(reading: int, stop: Callable[[str], None]) -> None:
    first = os.read(reading, 1)
    if first == _END:
        return
    stop(f"asked to by {signal.Signals(first[0]).name}")
    if os.read(reading, 1) != _END:
        os.write(2, (_SHOW_CURSOR if os.isatty(2) else b"") + _LAST_WORDS)
        os._exit(ExitCode.STOPPED)
