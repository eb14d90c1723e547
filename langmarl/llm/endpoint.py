"""Endpoints, and the connections to them that all clients of the process share."""

from __future__ import annotations

import math
import os
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx2
from openai import Omit, OpenAI

from langmarl.config import LLMConfig
from langmarl.llm.local.settings import ServerSettings

OPENAI_ADDRESS = "https://api.openai.com/v1"

_PLACEHOLDER_KEY = "no-key-needed"
"""The SDK insists on a key; endpoints that need none ignore it."""

_CONNECT_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where requests go and with which key.

    Attributes:
        address: The base URL.
        key: The key; None where the endpoint needs none. Not in the repr.
        loopback: Whether it is on this computer.
        served_here: How llama.cpp serves it inside this process; None where it does not.
    """

    address: str
    key: str | None = field(repr=False)
    loopback: bool = False
    served_here: ServerSettings | None = None

    @classmethod
    def of(cls, config: LLMConfig) -> Endpoint:
        """The endpoint of a model, with the key as it is set now.

        Raises:
            UserMistake: It is a model file, and there is none.
        """
        key = (config.get_api_key() or "").strip() or None
        served_here = ServerSettings.of(config) if config.is_gguf else None
        return cls(config.base_url or OPENAI_ADDRESS, key, config.is_loopback, served_here)

    @property
    def key_is_sendable(self) -> bool:
        """Whether the key, if there is one, can stand in a header: visible ASCII characters only."""
        return self.key is None or all("!" <= character <= "~" for character in self.key)

    @property
    def host(self) -> str:
        """Host and port, for messages."""
        return urlsplit(self.address).netloc

    @property
    def is_offline(self) -> bool:
        """Whether it is the program built into this process."""
        return urlsplit(self.address).scheme == "offline"

    @property
    def most_in_flight(self) -> float:
        """The most requests that it can work on at once; infinite where it sees to that by itself."""
        return math.inf if self.served_here is None else self.served_here.slots

    @property
    def is_openai(self) -> bool:
        """Whether it is OpenAI's own."""
        host = urlsplit(self.address).hostname or ""
        return host == "openai.com" or host.endswith(".openai.com")


class Connections:
    """One SDK client, with its connection pool, for each endpoint and key. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clients: dict[Endpoint, OpenAI] = {}

    def to(self, endpoint: Endpoint) -> OpenAI:
        """The client of ``endpoint``; it never retries by itself.

        Raises:
            UserMistake: It is a model file, and llama.cpp cannot serve it.
        """
        if endpoint.served_here is not None:
            endpoint = _served(endpoint.served_here)
        with self._lock:
            if endpoint not in self._clients:
                self._clients[endpoint] = _connect(endpoint)
            return self._clients[endpoint]


CONNECTIONS = Connections()
"""Shared by all clients of the process."""


def _served(settings: ServerSettings) -> Endpoint:
    """Where a model file is served, once it is: loading it takes seconds, in which other clients go on."""
    # Imported here: most runs need no model of their own.
    from langmarl.llm.local.servers import SERVERS

    running = SERVERS.running(settings)
    return Endpoint(running.address, running.key, loopback=True)


def timeout(request_timeout_s: float) -> httpx2.Timeout:
    """Time-outs of one request: connecting, and then waiting for the reply and reading it."""
    return httpx2.Timeout(request_timeout_s, connect=min(_CONNECT_TIMEOUT_S, request_timeout_s), pool=None)


def _connect(endpoint: Endpoint) -> OpenAI:
    key = endpoint.key or _PLACEHOLDER_KEY
    # Explicit everywhere: the SDK would fill each gap from an OPENAI_* variable, and so send one provider's
    # key, organisation or headers to another.
    headers: dict[str, Any] = {} if endpoint.is_openai else _without_ambient_headers()
    client = OpenAI(
        api_key=key,
        base_url=endpoint.address,
        max_retries=0,
        default_headers={**headers, "Authorization": f"Bearer {key}"},
        http_client=_http_client(endpoint),
    )
    client.admin_api_key = None
    if not endpoint.is_openai:
        client.organization = client.project = client.webhook_secret = None
    return client


def _without_ambient_headers() -> dict[str, Omit]:
    """Take back the headers that the SDK reads from OPENAI_CUSTOM_HEADERS."""
    lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
    names = [line.partition(":")[0].strip() for line in lines if ":" in line]
    return {name: Omit() for name in names if name.casefold() != "authorization"}


def _http_client(endpoint: Endpoint) -> httpx2.Client:
    if endpoint.is_offline:
        # Imported here: the built-in model is a program of its own that most runs with real models never load.
        from langmarl.llm.offline.transport import OfflineTransport

        return httpx2.Client(transport=OfflineTransport(), trust_env=False)
    return httpx2.Client(
        verify=_tls(),
        # A proxy from the environment must not come between this computer and itself.
        trust_env=not endpoint.loopback,
        # A redirect would carry prompts, and perhaps the key, to an address that nobody named.
        follow_redirects=False,
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=100),
        event_hooks={"response": [_limit_reading_time]},
    )


@cache
def _tls() -> ssl.SSLContext:
    """One for all clients: loading the authorities' certificates takes longer than a local call."""
    return httpx2.create_ssl_context()


def _limit_reading_time(response: httpx2.Response) -> None:
    """Make the read time-out hold for the whole body: servers that send blanks to keep a connection open reset it."""
    limit_s = response.request.extensions.get("timeout", {}).get("read")
    if limit_s is not None and isinstance(response.stream, httpx2.SyncByteStream):
        response.stream = _TimedStream(response.stream, limit_s)


class _TimedStream(httpx2.SyncByteStream):
    """A stream that must end within ``limit_s`` seconds from now."""

    def __init__(self, stream: httpx2.SyncByteStream, limit_s: float) -> None:
        self._stream = stream
        self._end = time.monotonic() + limit_s

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            if time.monotonic() > self._end:
                raise httpx2.ReadTimeout("the reply did not end in time")
            yield chunk

    def close(self) -> None:
        """Close the stream underneath."""
        self._stream.close()
