"""Files that are whole or absent, whatever instant the process dies at.

A file is written under a hidden temporary name in its own folder and renamed over the old one. A reader sees
the old content or the new, never a part. With ``durable=True`` the content and the folder entry have also
reached the disk when the call returns, so the file survives a power cut.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from langmarl.store.schema import DamagedFileError, check_version, stamped

TEMPORARY_SUFFIX = ".tmp"
"""Files that end in this are unfinished writes; nothing reads them."""


def write_text(path: Path, text: str, *, durable: bool = False) -> None:
    """Replace ``path`` with ``text`` in one step; missing folders are made.

    Args:
        path: The file to write.
        text: Its content, stored as UTF-8 without any change of line ends. Lone surrogates, which a model can
            produce, are kept and read back by :func:`read_text`.
        durable: Whether to wait until the disk has it.

    Raises:
        OSError: The disk is full or the folder cannot be written; the old file is untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{secrets.token_hex(8)}{TEMPORARY_SUFFIX}")
    try:
        with temporary.open("xb") as file:
            file.write(text.encode("utf-8", "surrogatepass"))
            if durable:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if durable:
        sync_folder(path.parent)


def read_text(path: Path) -> str:
    """What :func:`write_text` wrote, byte for byte.

    Raises:
        FileNotFoundError: There is no such file.
        DamagedFileError: The file is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise DamagedFileError(
            f"{path} is not UTF-8 text: {error.reason} at byte {error.start}.", "Save it as UTF-8."
        ) from error


def write_json(path: Path, data: Mapping[str, Any], *, durable: bool = False) -> None:
    """Replace ``path`` with ``data`` as indented JSON, stamped with the schema version.

    Raises:
        TypeError: ``data`` holds something that JSON has no form for.
        OSError: As :func:`write_text`.
    """
    write_text(path, dump_json(stamped(data), indent=2) + "\n", durable=durable)


def read_json(path: Path) -> dict[str, Any]:
    """The object that :func:`write_json` wrote, without its ``schema_version``.

    Raises:
        FileNotFoundError: There is no such file.
        DamagedFileError: The file is damaged; the message names it.
        UserMistake: It was written by a newer LangMARL.
    """
    try:
        data = json.loads(read_text(path))
    except ValueError as error:
        raise DamagedFileError(
            f"{path} is damaged: it is not valid JSON ({error}).", "Restore it from a copy, or move it away."
        ) from error
    if not isinstance(data, dict):
        raise DamagedFileError(
            f"{path} is damaged: it holds {type(data).__name__}, not an object.",
            "Restore it from a copy, or move it away.",
        )
    check_version(data, path)
    data.pop("schema_version", None)
    return data


def dump_json(data: Any, *, indent: int | None = None) -> str:
    """JSON text that is always encodable as UTF-8.

    Characters stay readable; only where the text holds a lone surrogate is everything escaped. NumPy scalars
    and arrays become numbers and lists.

    Raises:
        TypeError: ``data`` holds something that JSON has no form for.
    """
    text = json.dumps(data, ensure_ascii=False, indent=indent, default=_plain)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(data, ensure_ascii=True, indent=indent, default=_plain)
    return text


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the entries (names) of ``folder``."""
    _sync(folder)


def sync_tree(path: Path) -> None:
    """Wait until the disk has ``path`` and everything below it; nothing happens where it does not exist."""
    if path.is_dir():
        for child in path.iterdir():
            sync_tree(child)
    if path.exists():
        _sync(path)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no JSON form: {value!r:.100}")
