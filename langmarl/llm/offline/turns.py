"""Who may compute: one reply of the offline model at a time, and none that can wait while somebody looks on.

The interpreter lets one thread compute at any moment. A dozen workers that want to would leave everything else in the
process, such as a page that a person waits for, a small share of the time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """Hands out turns. Thread-safe.

    Args:
        patience_s: The longest that one turn waits for those with precedence, in seconds, so that work which never
            pauses slows training down and does not stop it.
    """

    def __init__(self, patience_s: float) -> None:
        self._patience_s = patience_s
        self._turn = threading.Lock()
        self._ahead = 0
        self._clear = threading.Condition()

    @contextmanager
    def precedence(self) -> Iterator[None]:
        """While this block lasts, no turn begins that has not waited its patience out."""
        with self._clear:
            self._ahead += 1
        try:
            yield
        finally:
            with self._clear:
                self._ahead -= 1
                self._clear.notify_all()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """This block runs alone among turns."""
        with self._turn:
            self._give_way()
            yield

    def _give_way(self) -> None:
        end = time.monotonic() + self._patience_s
        with self._clear:
            while self._ahead and (left := end - time.monotonic()) > 0:
                self._clear.wait(left)


TURNS = Turns(patience_s=0.1)
"""Those of this process."""
