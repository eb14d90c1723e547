"""llama.cpp's own server inside this process: one for each model file and way to serve it, started on first use."""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import logging
import secrets
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from langmarl.errors import ModelRefusedError
from langmarl.llm.local import native_log, speed
from langmarl.llm.local.files import models_dir
from langmarl.llm.local.settings import ServerSettings

LOG_FILE = "llama.cpp.log"
"""In the folder of pulled models: what llama.cpp prints."""

_CHATTY, _SILENT = 3, 0
_BATCH = 512

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that listens on this computer.

    Attributes:
        address: Its API, with the path.
        key: Without it no request is answered: other programs here, and web pages, could otherwise use the model.
        native: llama.cpp's server; it ends with this object.
    """

    address: str
    key: str = field(repr=False)
    native: Any = field(repr=False)


class Servers:
    """Those of this process. Thread-safe; clients that use the same file in the same way share one server."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._starting: dict[ServerSettings, threading.Lock] = {}
        self._running: dict[ServerSettings, RunningServer] = {}

    def running(self, settings: ServerSettings) -> RunningServer:
        """The server for ``settings``; started, which takes seconds, where it is not running yet.

        Raises:
            ModelRefusedError: xllamacpp is not installed, or llama.cpp cannot load the file.
        """
        with self._lock:
            turn = self._starting.setdefault(settings, threading.Lock())
        with turn:
            if settings not in self._running:
                self._running[settings] = _start(settings)
            return self._running[settings]

    def stop(self) -> None:
        """End all of them; a later call starts them again."""
        with self._lock:
            self._running.clear()


SERVERS = Servers()
"""Shared by all clients of the process."""

atexit.register(SERVERS.stop)


def require_llama_cpp() -> None:
    """See that llama.cpp is installed.

    Raises:
        ModelRefusedError: It is not.
    """
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelRefusedError(
            "a local model needs llama.cpp, and the package xllamacpp is not installed.",
            "Install it with: pip install 'langmarl[local]'",
        )


def _start(settings: ServerSettings) -> RunningServer:
    require_llama_cpp()
    llama = importlib.import_module("xllamacpp")
    log = models_dir() / LOG_FILE
    key = secrets.token_urlsafe(24)
    began = time.monotonic()
    try:
        verbosity = _CHATTY if native_log.redirect(log) else _SILENT
    except OSError as error:
        _log.warning("llama.cpp keeps no log: %s", error)
        verbosity = _SILENT
    try:
        native = llama.Server(_parameters(llama, settings, key, verbosity))
    except RuntimeError as error:
        raise _unusable(settings, log if verbosity else None) from error
    server = RunningServer(f"{native.listening_address}/v1", key, native)
    _log.info(
        "%s is loaded (%.1f s): %d threads, %d tokens of context, %d calls at once; llama.cpp's own log: %s",
        settings.file.name, time.monotonic() - began, settings.threads, settings.context, settings.slots, log,
    )  # fmt: skip
    _measure(settings, server)
    return server


def _parameters(llama: Any, settings: ServerSettings, key: str, verbosity: int) -> Any:
    chosen = llama.CommonParams()
    chosen.model.path = str(settings.file)
    chosen.n_parallel = settings.slots
    chosen.n_ctx = settings.context * settings.slots
    chosen.n_batch = _BATCH
    chosen.cpuparams.n_threads = settings.threads
    chosen.cpuparams_batch.n_threads = settings.threads
    chosen.api_keys = [key]
    chosen.cors_origins = ""
    chosen.ui = False
    chosen.endpoint_slots = False  # it would show what others asked
    chosen.verbosity = verbosity
    return chosen


def _unusable(settings: ServerSettings, log: Path | None) -> ModelRefusedError:
    reason = native_log.tail(log) if log is not None else ""
    where = f" Its log, {log}, ends with:\n{reason}" if reason else ""
    return ModelRefusedError(
        f"llama.cpp cannot load {settings.file}.{where}",
        "Is it a whole GGUF file of a chat model, and is there memory for it? A smaller context_window, fewer slots or "
        "a smaller file need less. `langmarl models pull NAME --force` fetches a model anew.",
    )


def _measure(settings: ServerSettings, server: RunningServer) -> None:
    try:
        found = speed.measured(server.address, server.key)
    except (httpx2.HTTPError, ValueError) as error:
        _log.warning("the speed of %s cannot be measured: %s", settings.file.name, error)
        return
    if found is not None:
        speed.remember(settings.file, found)
