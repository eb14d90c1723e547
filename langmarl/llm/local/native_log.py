"""What llama.cpp prints goes to a file of its own.

It writes to the C library's ``stderr``, hundreds of lines a model. The C library lets a program put another stream into
that variable; Python's own ``sys.stderr`` does not go through it and stays where it is.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from pathlib import Path

_NAMES = {"linux": "stderr", "darwin": "__stderrp"}
_BY_LINE = 1  # _IOLBF
_TAIL_BYTES = 20_000

_lock = threading.Lock()
_opened: dict[Path, int] = {}


def redirect(path: Path) -> bool:
    """Send what C code prints on ``stderr`` to the end of ``path`` from now on.

    Returns:
        Whether that is possible on this system; if not, nothing was changed.

    Raises:
        OSError: The file cannot be written.
    """
    name = _NAMES.get(sys.platform)
    if name is None:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    # Made here, so that only its owner may read it: it may quote what a model was asked.
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
    library = ctypes.CDLL(None)
    with _lock:
        if path not in _opened:
            stream = _open(library, path)
            if stream is None:
                return False
            _opened[path] = stream
        try:
            ctypes.c_void_p.in_dll(library, name).value = _opened[path]
        except ValueError:  # a C library without such a variable
            return False
    return True


def tail(path: Path, lines: int = 5) -> str:
    """The last complaints in the file, or the last lines where it holds none."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    read = [line.strip() for line in text.splitlines() if line.strip()]
    complaints = [line for line in read if " E " in line or "error" in line.casefold()]
    return "\n".join((complaints or read)[-lines:])


def _open(library: ctypes.CDLL, path: Path) -> int | None:
    library.fopen.restype = ctypes.c_void_p
    library.setvbuf.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_size_t]
    stream: int | None = library.fopen(os.fsencode(path), b"a")
    if stream is not None:
        library.setvbuf(stream, None, _BY_LINE, 0)
    return stream
