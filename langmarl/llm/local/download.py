"""Fetching a model file from the hub: resumed after a break, checked by its SHA-256, whole or absent."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2

from langmarl.config.paths import kind_of
from langmarl.errors import LangMARLError, RunFailed, UserMistake
from langmarl.llm.local.catalog import ENDPOINT_VARIABLE, Downloadable
from langmarl.llm.local.files import FOLDER_VARIABLE
from langmarl.store.atomic import sync_folder
from langmarl.store.lock import LockTimeoutError, locked

Report = Callable[[int, int], None]
"""Told how many bytes are there, and how many there will be. The first number falls where a server starts anew."""

_PAUSES_S = (0.5, 1.0, 2.0, 4.0)
"""Before each new try; as many tries in a row may get no further than those before."""

_TIMEOUT = httpx2.Timeout(60.0, connect=10.0)  # seconds; 60 without a single byte
_SPACE_MARGIN_BYTES = 16_000_000
_LOCK_PATIENCE_S = 0.1

# A proxy from the environment must not come between this computer and itself.
_PAST_THE_PROXY = ("all://localhost", "all://127.0.0.1", "all://[::1]")

_NOT_REACHED = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError)
_HOPELESS = (httpx2.TooManyRedirects, httpx2.UnsupportedProtocol, httpx2.LocalProtocolError, httpx2.InvalidURL)


class _Broken(Exception):
    """The transfer ended before the file was whole; another try may get the rest."""


def pull(model: Downloadable, folder: Path, *, report: Report | None = None, force: bool = False) -> Path:
    """Fetch a model's file into ``folder``, unless it is there already.

    What has come is kept in ``FILE.part`` until the file is whole, also when this call is interrupted; the next call
    goes on from there. No key or token is sent. One pull of a file at a time, over all processes.

    Args:
        model: What to fetch.
        folder: Where to; made where missing.
        report: Called in this thread, often.
        force: Fetch it even where there is a file of its name, and replace that one.

    Returns:
        The file's path. Its content has the SHA-256 of the catalogue, and has reached the disk.

    Raises:
        UserMistake: The hub cannot be reached or does not serve this file, the disk is too full, another process
            is pulling it, or another file has its name; the message says what to do.
        RunFailed: The transfer broke off time and again; what has come is kept.
        OSError: The disk refuses a write.
    """
    target = folder / model.file
    if not force and _is_there(target, model):
        return target
    with _alone_in(folder, model):
        if not force and _is_there(target, model):  # since another process has just pulled it
            return target
        part = folder / f"{model.file}.part"
        transfer = _Transfer(model, model.url, part, report or (lambda _done, _size: None))
        transfer.discard_if_too_long()
        _check_space(folder, model, model.size_bytes - transfer.done)
        transfer.complete()
        _check_content(part, model)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.replace(target)
        sync_folder(folder)
    return target


def _is_there(target: Path, model: Downloadable) -> bool:
    kind = kind_of(target)
    if kind == "absent":
        return False
    if kind == "file" and target.stat().st_size == model.size_bytes and _sha256(target) == model.sha256:
        return True
    raise UserMistake(
        f"{target} is there, but it is not the file of {model.name}.",
        f"Move it away, or replace it: langmarl models pull {model.name} --force",
    )


@contextlib.contextmanager
def _alone_in(folder: Path, model: Downloadable) -> Iterator[None]:
    with contextlib.ExitStack() as held:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            held.enter_context(locked(folder / f".{model.file}.lock", patience_s=_LOCK_PATIENCE_S))
        except LockTimeoutError:
            raise UserMistake(
                f"{model.file} is being pulled by another process.", "Wait for that one, or end it first."
            ) from None
        except OSError as error:
            raise UserMistake(
                f"Nothing can be stored in {folder}: {error.strerror}.", f"{FOLDER_VARIABLE} names another folder."
            ) from error
        yield


def _check_space(folder: Path, model: Downloadable, missing_bytes: int) -> None:
    needed, free = missing_bytes + _SPACE_MARGIN_BYTES, shutil.disk_usage(folder).free
    if needed > free:
        raise UserMistake(
            f"{model.name} needs {_megabytes(needed)} in {folder}, where {_megabytes(free)} are free.",
            f"Make room, or name a folder on another disk in {FOLDER_VARIABLE}.",
        )


def _check_content(part: Path, model: Downloadable) -> None:
    found = _sha256(part)
    if found != model.sha256:
        part.unlink()
        raise UserMistake(
            f"What came from {model.url} is not the catalogue's file: its SHA-256 is {found}, not {model.sha256}. "
            "It was removed.",
            f"Pull it again; should that not help, {ENDPOINT_VARIABLE} may name another mirror.",
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class _Transfer:
    """From the hub into the part file, which alone knows how far it has come."""

    model: Downloadable
    url: str
    part: Path
    report: Report

    @property
    def done(self) -> int:
        """Bytes that are there."""
        return self.part.stat().st_size if self.part.exists() else 0

    def discard_if_too_long(self) -> None:
        """Start anew where the part file cannot be a part of this file."""
        if self.done > self.model.size_bytes:
            self.part.unlink()

    def complete(self) -> None:
        """Fetch what is missing.

        Raises:
            UserMistake: The hub is out of reach, or does not serve this file.
            RunFailed: It broke off too often.
        """
        self.report(self.done, self.model.size_bytes)
        if self.done == self.model.size_bytes:
            return
        furthest, pauses = self.done, iter(_PAUSES_S)
        with _client() as client:
            while self.done < self.model.size_bytes:
                try:
                    self._attempt(client)
                except _Broken as broken:
                    if self.done > furthest:
                        furthest, pauses = self.done, iter(_PAUSES_S)
                    pause_s = next(pauses, None)
                    if pause_s is None:
                        raise self._gave_up(str(broken)) from broken
                    time.sleep(pause_s)

    def _attempt(self, client: httpx2.Client) -> None:
        start = self.done
        # Compressed on the way it could not be continued: a range counts the bytes as they are sent.
        headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={start}-"} if start else {})}
        try:
            with client.stream("GET", self.url, headers=headers) as response:
                self._write(response, self._start_of(response, start))
        except _HOPELESS as error:
            raise self._out_of_reach(_words(error)) from error
        except httpx2.RequestError as error:
            if isinstance(error, _NOT_REACHED) and not self.done:
                raise self._out_of_reach(_words(error)) from error
            raise _Broken(_words(error)) from error
        if self.done < self.model.size_bytes:
            raise _Broken("the connection ended too early")

    def _start_of(self, response: httpx2.Response, wanted: int) -> int:
        """Where in the file the response's body begins: at ``wanted``, or at 0 where the server starts anew."""
        status = response.status_code
        if status in (408, 429) or status >= 500:
            raise _Broken(_words(response))
        if status not in (200, 206, 416):
            raise self._out_of_reach(_words(response))
        size = _announced_size(response)
        if size is not None and size != self.model.size_bytes:
            raise self._another_file(f"{size:,} bytes")
        if status == 200:
            return 0
        start = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
        if status == 416 or start is None or int(start[1]) != wanted:
            self.part.unlink(missing_ok=True)  # the next try asks for the whole file
            raise _Broken("the server does not continue where it was asked to")
        return wanted

    def _write(self, response: httpx2.Response, start: int) -> None:
        done, size = start, self.model.size_bytes
        with self.part.open("ab" if start else "wb") as file:
            self.report(done, size)
            for chunk in response.iter_raw():
                done += len(chunk)
                if done > size:
                    self.part.unlink()
                    raise self._another_file(f"more than {size:,} bytes")
                file.write(chunk)
                self.report(done, size)

    def _gave_up(self, why: str) -> LangMARLError:
        if not self.done:
            return self._out_of_reach(why)
        return RunFailed(
            f"{self.model.name} broke off time and again, at {_megabytes(self.done)} of "
            f"{_megabytes(self.model.size_bytes)}: {why}.",
            f"The same command goes on from here. {self._other_ways()}",
        )

    def _out_of_reach(self, why: str) -> UserMistake:
        return UserMistake(f"{self.model.name} cannot be fetched from {self.url}: {why}.", self._other_ways())

    def _another_file(self, found: str) -> UserMistake:
        return UserMistake(
            f"{self.url} is not the catalogue's file: it has {found}, not {self.model.size_bytes:,}.",
            self._other_ways(),
        )

    def _other_ways(self) -> str:
        return (
            f"Set {ENDPOINT_VARIABLE} to a mirror of the hub that can be reached from here; or fetch "
            f"{self.model.hub_url} (SHA-256 {self.model.sha256}) on another machine, and put it into "
            f"{self.part.parent} as {self.model.file}; or use any other GGUF file, with local:<path>."
        )


def _client() -> httpx2.Client:
    try:
        return httpx2.Client(timeout=_TIMEOUT, follow_redirects=True, mounts=dict.fromkeys(_PAST_THE_PROXY))
    except (ValueError, ImportError, httpx2.InvalidURL) as error:
        # The address stays out of the message: it may hold a password.
        raise UserMistake(
            "The proxy that the environment names cannot be used.", "Correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY."
        ) from error


def _announced_size(response: httpx2.Response) -> int | None:
    """The whole file's size as the server tells it, in bytes; None where it does not."""
    if response.status_code == 200:
        text = "" if "Content-Encoding" in response.headers else response.headers.get("Content-Length", "")
    else:
        text = response.headers.get("Content-Range", "").rpartition("/")[2]
    return int(text) if text.isdecimal() else None


def _words(trouble: httpx2.Response | Exception) -> str:
    if isinstance(trouble, httpx2.Response):
        return f"the server answers {trouble.status_code} {trouble.reason_phrase}".strip()
    return str(trouble).rstrip(".") or type(trouble).__name__


def _megabytes(size_bytes: int) -> str:
    return f"{size_bytes / 1e6:,.1f} MB"
