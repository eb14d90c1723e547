"""The program of the first sandbox: executes the code under test and answers calls to one of its functions.

Nothing here is trusted. The code under test shares this process and can rewrite all of it; all it gains is to
choose which plain values are sent back.
"""

from __future__ import annotations

import sys

from langmarl.envs.sandbox.guest.confinement import confine
from langmarl.envs.sandbox.guest.values import NotPlainError, receive, send

TYPE_CHECKING = False  # not typing's own: importing `typing` takes longer than the check
if TYPE_CHECKING:
    from typing import Any

MODULE = "candidate"


def main(channels: tuple[int, int], cpu_s: int, user: int) -> None:
    """Give up what can be given up, then `serve`."""
    requests, replies = confine(channels, cpu_s, user)
    serve(requests, replies)


def serve(requests: int, replies: int) -> None:
    """Execute one program and answer calls until the tests close their end.

    Frames in: ``(source, entry_point, seed)`` once, then ``(args, kwargs)`` a call. Frames out: ``("ready",)``
    before anything else; then one an incoming frame: ``("returned", value)``, ``("raised", names, args, text)``
    with the names of the exception's class and its bases, or ``("unusable", reason)``.
    """
    send(replies, ("ready",))
    source, entry_point, seed = receive(requests)
    if seed is not None:
        _seed(seed)
    module = type(sys)(MODULE)
    sys.modules[MODULE] = module  # dataclasses and typing look a class's module up
    _answer(replies, _load(source, entry_point, module.__dict__))
    function = module.__dict__.get(entry_point)
    while True:
        try:
            args, kwargs = receive(requests)
        except EOFError:
            return
        _answer(replies, _call(function, args, kwargs))


def _seed(seed: int) -> None:
    import random  # only where the program mentions it: the import takes as long as starting up does

    random.seed(seed)


def _load(source: str, entry_point: str, namespace: dict[str, Any]) -> tuple[Any, ...]:
    try:
        exec(compile(source, "<program>", "exec"), namespace)
    except BaseException as error:
        return _raised(error)
    if entry_point not in namespace:
        return ("unusable", f"the program does not define {entry_point!r}")
    return ("returned", None)


def _call(function: Any, args: list[Any], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    try:
        return ("returned", function(*args, **kwargs))
    except BaseException as error:
        return _raised(error)


def _raised(error: BaseException) -> tuple[Any, ...]:
    names = [kind.__name__ for kind in type(error).__mro__]
    try:
        text = str(error)
    except Exception:
        text = ""
    return ("raised", names, error.args, text)


def _answer(replies: int, reply: tuple[Any, ...]) -> None:
    try:
        send(replies, reply)
    except NotPlainError as error:
        if reply[0] == "raised":
            send(replies, ("raised", reply[1], (reply[3],), reply[3]))
        else:
            send(replies, ("unusable", str(error)))
