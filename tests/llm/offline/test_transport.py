"""The official client reaches the model without a socket, and gets proper errors."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import openai
import pytest

from langmarl.llm.offline.model import SELF_DESCRIPTION
from langmarl.llm.offline.transport import OfflineTransport


@pytest.fixture
def client() -> Iterator[openai.OpenAI]:
    with httpx2.Client(transport=OfflineTransport()) as http:
        yield openai.OpenAI(api_key="none", base_url="offline://in-process", http_client=http, max_retries=0)


@pytest.fixture
def wire() -> Iterator[httpx2.Client]:
    with httpx2.Client(transport=OfflineTransport(), base_url="http://offline/v1") as http:
        yield http


def test_a_chat_is_answered(client: openai.OpenAI) -> None:
    reply = client.chat.completions.create(model="offline", messages=[{"role": "user", "content": "Hello"}])
    assert reply.choices[0].message.content == SELF_DESCRIPTION
    assert reply.choices[0].finish_reason == "stop"
    assert reply.usage is not None
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens > 0


def test_the_models_are_listed(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["offline"]
    assert client.models.retrieve("offline").owned_by == "langmarl"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("gpt-9")


@pytest.mark.parametrize(
    ("content", "param"),
    [
        (b"{", None),
        (b"[]", None),
        (b'{"model": "offline"}', "messages"),
        (b'{"model": "offline", "messages": []}', "messages"),
        (b'{"model": "offline", "messages": ["hi"]}', "messages"),
        (b'{"messages": [{"role": "user", "content": "hi"}]}', "model"),
        (b'{"model": "offline", "messages": [{"role": "user", "content": "hi"}], "stream": true}', "stream"),
        (b'{"model": "offline", "messages": [{"role": "user", "content": "hi"}], "n": 2}', "n"),
        (b'{"model": "offline", "messages": [{"role": "user", "content": "hi"}], "max_tokens": 0}', "max_tokens"),
        (b'{"model": "offline", "messages": [{"role": "user", "content": "hi"}], "response_format": {"type": "x"}}',
         "response_format"),
    ],
)  # fmt: skip
def test_a_bad_request_gets_a_400_in_the_official_form(wire: httpx2.Client, content: bytes, param: str | None) -> None:
    reply = wire.post("/chat/completions", content=content)
    assert reply.status_code == 400
    error = reply.json()["error"]
    assert error["type"] == "invalid_request_error"
    assert error["param"] == param
    assert error["message"]


def test_unknown_paths_and_methods_are_refused(wire: httpx2.Client) -> None:
    assert wire.get("/embeddings").status_code == 404
    assert wire.get("/chat/completions").status_code == 405
    assert wire.post("/models").status_code == 405
