"""The built-in model is reached through the same client as every other."""

from __future__ import annotations

import socket

import pytest

from langmarl.config import LLMConfig
from langmarl.llm import LLMClient, call_scope, probe
from tests.llm.conftest import CallsMaker


@pytest.fixture
def no_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a socket was connected")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.usefixtures("no_sockets")
def test_the_offline_model_answers_without_a_key_or_a_socket_at_no_cost(open_calls: CallsMaker) -> None:
    calls = open_calls()
    with call_scope(calls=calls):
        reply = LLMClient(LLMConfig.from_preset("offline")).complete(
            "You are Agent 1 of 1.", "Question: Who wrote it?\n\nPassages:\n[1] Book\nAnn Lee wrote the book."
        )
    assert reply.text
    assert reply.usage.total_tokens > 0
    assert reply.usage.cost_usd == 0.0
    [record] = calls._journal.read(0)
    assert record.endpoint == "offline://in-process"
    assert record.reply is not None
    assert "estimated" not in record.reply


@pytest.mark.usefixtures("no_sockets")
def test_the_offline_model_can_be_probed() -> None:
    assert probe(LLMConfig.from_preset("offline")).reply_text
