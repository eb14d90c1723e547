"""The server's end when a signal asks for it: prompt, whatever else still hangs on the process."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

LINGER_S = 0.8
"""How long the process may take for an orderly end once all work is safe, in seconds."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)

_log = logging.getLogger(__name__)


def end_when_asked(make_safe: Callable[[], object]) -> None:
    """From now on, a signal to end also starts ``make_safe``, and ends the process soon after that has returned.

    The web server alone would first wait for every open connection, and the interpreter for every thread: a browser
    that went to sleep, or a run that waits for a model, could hold up both for as long as it likes.

    Args:
        make_safe: Brings the work of this process to a safe state, and takes a limited time. Called once, in a
            thread of its own.
    """
    if threading.current_thread() is not threading.main_thread():
        return  # signals belong to the main thread, and to whoever runs it
    ending = threading.Thread(target=_end, args=(make_safe,), name="langmarl-ending", daemon=True)
    for number in _SIGNALS:
        signal.signal(number, _before(signal.getsignal(number), ending))


def _before(served_until_now: Any, ending: threading.Thread) -> Callable[[int, FrameType | None], None]:
    def handle(number: int, frame: FrameType | None) -> None:
        if ending.ident is None:
            ending.start()
        if callable(served_until_now):
            served_until_now(number, frame)

    return handle


def _end(make_safe: Callable[[], object]) -> None:
    try:
        make_safe()
        time.sleep(LINGER_S)
    except Exception:
        _log.exception("the end was not orderly")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
