from __future__ import annotations

import ipaddress
import itertools
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from langmarl.config import LLMConfig
from langmarl.llm import BackoffPolicy, LLMClient, RunCalls
from langmarl.store.journal import CallJournal
from tests.llm.server import ScriptedServer

QUICK = BackoffPolicy(base_s=0.001, cap_s=0.005, rate_limit_total_s=20.0)

_numbers = itertools.count()


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse every connection that would leave this computer."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not ipaddress.ip_address(address[0]).is_loopback:
            raise AssertionError(f"a test tried to connect to {address!r}")
        connect(self, address)

    resolve = socket.getaddrinfo

    def guarded_lookup(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host not in ("localhost", "127.0.0.1", "::1", None):
            raise AssertionError(f"a test tried to look up {host!r}")
        return resolve(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_lookup)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    scripted = ScriptedServer()
    yield scripted
    scripted.close()


ConfigMaker = Callable[..., LLMConfig]
ClientMaker = Callable[..., LLMClient]
CallsMaker = Callable[..., RunCalls]


@pytest.fixture
def make_config(server: ScriptedServer) -> ConfigMaker:
    """A config for the server; each has a model name of its own, so nothing learned is shared between tests."""

    def make(**fields: Any) -> LLMConfig:
        defaults = {
            "model_string": f"model-{next(_numbers)}",
            "base_url": server.base_url,
            "input_price_per_million": 1.0,
            "output_price_per_million": 2.0,
        }
        return LLMConfig(**{**defaults, **fields})

    return make


@pytest.fixture
def make_client(make_config: ConfigMaker) -> ClientMaker:
    def make(backoff: BackoffPolicy = QUICK, **fields: Any) -> LLMClient:
        return LLMClient(make_config(**fields), backoff=backoff)

    return make


@pytest.fixture
def open_calls(tmp_path: Path) -> CallsMaker:
    """A run's calls over one directory; each call of it is like a new process that resumes the run."""

    def make(**limits: Any) -> RunCalls:
        return RunCalls(CallJournal(tmp_path / "calls", tmp_path / "set_aside"), **limits)

    return make
