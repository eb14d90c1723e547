"""The server's settings: those of ``.streamlit/config.toml``, found from any working directory."""

from __future__ import annotations

import socket
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
_ANY_ADDRESS = ("0.0.0.0", "::")


def settings_file() -> Path:
    """The file: beside the package's entry once installed, else at the checkout's root."""
    installed = _HERE / ".streamlit" / "config.toml"
    return installed if installed.is_file() else _HERE.parent / ".streamlit" / "config.toml"


def server_settings(
    host: str | None = None, port: int | None = None, *, public_name: str | None = None, open_browser: bool = True
) -> dict[str, Any]:
    """Every setting by its full name, such as ``server.address``.

    Args:
        host: The address to listen on; None: the file's.
        port: The port to listen on; None: 8501, or the next one that is free.
        public_name: The name under which browsers know a proxy in front of the server; None: there is none.
        open_browser: Whether to open the page in a browser, where there is one.
    """
    settings = dict(_flat(tomllib.loads(settings_file().read_text(encoding="utf-8"))))
    if host is not None:
        settings["server.address"] = host
        settings["server.allowedHosts"] = sorted({*settings["server.allowedHosts"], *names_of(host)})
    if public_name is not None:
        settings["server.allowedHosts"] = sorted({*settings["server.allowedHosts"], public_name})
    if port is not None:
        settings["server.port"] = port
    if not open_browser:
        settings["server.headless"] = True
    return settings


def names_of(host: str) -> set[str]:
    """The names under which browsers may reach a server that listens on ``host``."""
    if host not in _ANY_ADDRESS:
        return {host}
    own = {socket.gethostname(), socket.getfqdn()}
    addresses = {str(info[4][0]) for name in own for info in _addresses(name)}
    return own | addresses


def _addresses(name: str) -> list[Any]:
    try:
        return socket.getaddrinfo(name, None)
    except OSError:
        return []


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value
