"""Real processes for tests: started, known to be ready, and killed wherever a test wants them to die."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from multiprocessing.context import ForkProcess

FORK = multiprocessing.get_context("fork")


@contextlib.contextmanager
def running(work: Callable[[Callable[[], None]], None]) -> Iterator[ForkProcess]:
    """Run ``work(ready)`` in a process of its own; go on once it has called ``ready``. Killed at the end."""
    ready = FORK.Event()
    process = FORK.Process(target=work, args=(ready.set,))
    process.start()
    try:
        assert ready.wait(60)
        yield process
    finally:
        kill(process)


def kill(process: ForkProcess) -> None:
    """SIGKILL, and wait until the process is gone."""
    process.kill()
    process.join()


def together(works: list[Callable[[], object]]) -> None:
    """Do each of ``works`` in a process of its own, all begun at the same instant, and wait for them."""
    barrier = FORK.Barrier(len(works))

    def begin(work: Callable[[], object]) -> None:
        barrier.wait()
        work()

    processes = [FORK.Process(target=begin, args=(work,)) for work in works]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * len(works)


def die_at_rename(number: int, work: Callable[[], object]) -> bool:
    """Do ``work`` in a forked child that is killed just before its ``number``-th rename (from 1).

    Every step that others can see is a rename, so with all numbers in turn a crash is tried everywhere.

    Returns:
        Whether the child was killed; False where it came to the end of its work before.
    """
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            _kill_self_at_rename(number)
            work()
            os._exit(0)
        os._exit(1)
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the work itself failed"
    return os.WIFSIGNALED(status)


def _kill_self_at_rename(number: int) -> None:
    seen = 0

    def watch(name: str, _arguments: object) -> None:
        nonlocal seen
        if name == "os.rename":
            seen += 1
            if seen == number:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)
