"""The models that ``langmarl models pull`` knows, as data in ``catalog.json``."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import urlsplit

from langmarl.errors import UnknownNameError, UserMistake

ENDPOINT_VARIABLE = "HF_ENDPOINT"
"""The hub's own name for the variable that points at a mirror of it."""

_HUB = "https://huggingface.co"
_PRESET_PREFIX = "local-"


@dataclass(frozen=True, slots=True)
class Downloadable:
    """One model file on the hub.

    Attributes:
        name: What ``langmarl models pull`` calls it.
        repository: Owner and name of its repository on the hub.
        file: Its name there, and on this computer.
        sha256: SHA-256 of its content, in lower-case hexadecimal digits.
        size_bytes: Its size.
        licence: SPDX identifier of the licence that the model comes under.
    """

    name: str
    repository: str
    file: str
    sha256: str
    size_bytes: int
    licence: str

    @property
    def url(self) -> str:
        """Where it is fetched from, on the hub or the mirror that ``HF_ENDPOINT`` names.

        Raises:
            UserMistake: ``HF_ENDPOINT`` is no address.
        """
        return f"{endpoint()}/{self._place}"

    @property
    def preset(self) -> str:
        """What a config calls it."""
        return f"{_PRESET_PREFIX}{self.name}"

    @property
    def hub_url(self) -> str:
        """Where it is on the hub itself, whatever ``HF_ENDPOINT`` names."""
        return f"{_HUB}/{self._place}"

    @property
    def _place(self) -> str:
        return f"{self.repository}/resolve/main/{self.file}"


@cache
def downloadables() -> tuple[Downloadable, ...]:
    """Every model that can be pulled, in the file's order."""
    text = files("langmarl.llm.local").joinpath("catalog.json").read_text(encoding="utf-8")
    return tuple(Downloadable(**fields) for fields in json.loads(text)["models"])


def find(name: str) -> Downloadable:
    """The model of this name; that of its preset (``local-`` before it) will do as well.

    Raises:
        UnknownNameError: With the nearest name.
    """
    by_name = {model.name: model for model in downloadables()}
    try:
        return by_name[name.removeprefix(_PRESET_PREFIX)]
    except KeyError:
        raise UnknownNameError("model to pull", name, by_name) from None


def with_file(file: str) -> Downloadable | None:
    """The model whose file has this name, or None."""
    return next((model for model in downloadables() if model.file == file), None)


def endpoint() -> str:
    """The address of the hub, or of the mirror that ``HF_ENDPOINT`` names, without a slash at its end.

    Raises:
        UserMistake: ``HF_ENDPOINT`` is no address that can be used.
    """
    address = os.environ.get(ENDPOINT_VARIABLE, "").strip().rstrip("/") or _HUB
    if not _is_plain_address(address):
        # The value stays out of the message: what is wrong with it may be that it holds a password.
        raise UserMistake(
            f"{ENDPOINT_VARIABLE} holds no address that can be used.",
            f"It takes one such as {_HUB}: http or https, without a user's name, a password or a query.",
        )
    return address


def _is_plain_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        _ = parts.port  # reading it checks it
    except ValueError:
        return False
    credentials = parts.username is not None or parts.password is not None
    plain = not (credentials or parts.query or parts.fragment) and address.isprintable() and " " not in address
    return parts.scheme in ("http", "https") and bool(parts.hostname) and plain
