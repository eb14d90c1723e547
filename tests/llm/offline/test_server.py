"""The model over HTTP: same replies, faults to order, and a count of what was delivered."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx2
import openai
import pytest
import uvicorn

from langmarl.llm.offline.faults import FAULTS, PROSE, FaultPlan
from langmarl.llm.offline.model import SELF_DESCRIPTION, complete
from langmarl.llm.offline.server import create_app
from tests.llm.offline.test_critic import critic_body

WIRE = httpx2.Client(trust_env=False)
HELLO = {"model": "offline", "messages": [{"role": "user", "content": "Hello"}]}
CRITIC = critic_body(["A bridge.", "1803"], 0.0)


@contextmanager
def served(**options: Any) -> Iterator[str]:
    """A server on a free port of this computer; gives its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(create_app(**options), log_level="critical"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@pytest.fixture(scope="module")
def sound() -> Iterator[str]:
    with served() as address:
        yield address


def send(address: str, body: dict[str, Any]) -> httpx2.Response:
    return WIRE.post(f"{address}/v1/chat/completions", json=body)


def stats(address: str) -> dict[str, Any]:
    found: dict[str, Any] = WIRE.get(f"{address}/stats").json()
    return found


def test_the_official_client_gets_the_same_reply_as_in_process(sound: str) -> None:
    client = openai.OpenAI(api_key="none", base_url=f"{sound}/v1", http_client=httpx2.Client(trust_env=False))
    reply = client.chat.completions.create(model="offline", messages=[{"role": "user", "content": "Hello"}])
    assert reply.choices[0].message.content == complete(HELLO).text
    assert [model.id for model in client.models.list()] == ["offline"]
    client.close()


def test_bad_requests_are_refused_and_counted_apart(sound: str) -> None:
    WIRE.post(f"{sound}/stats/reset")
    assert WIRE.post(f"{sound}/v1/chat/completions", content=b"{").status_code == 400
    assert WIRE.get(f"{sound}/v1/nothing").status_code == 404
    assert stats(sound) == {"requests": 1, "rejected": 1, "faults": {}, "delivered": 0, "roles": {}}


def test_calls_and_tokens_are_counted_by_role(sound: str) -> None:
    WIRE.post(f"{sound}/stats/reset")
    replies = [send(sound, body).json()["usage"] for body in (HELLO, HELLO, CRITIC)]
    roles = stats(sound)["roles"]
    assert roles["actor"]["calls"] == 2
    assert roles["critic"]["output_tokens"] == replies[2]["completion_tokens"]
    assert sum(role["input_tokens"] for role in roles.values()) == sum(usage["prompt_tokens"] for usage in replies)


def test_requests_at_the_same_time_all_get_their_own_reply() -> None:
    bodies = [{**HELLO, "max_tokens": limit} for limit in range(1, 41)]
    with served(latency_ms=50) as address, ThreadPoolExecutor(40) as pool:
        usages = [reply.json()["usage"] for reply in pool.map(lambda body: send(address, body), bodies)]
        assert [usage["completion_tokens"] for usage in usages] == [complete(body).completion_tokens for body in bodies]
        assert stats(address)["delivered"] == 40


def outcome(address: str, body: dict[str, Any]) -> str:
    """What happened to a request, as its sender sees it."""
    try:
        reply = send(address, body)
    except httpx2.TransportError:
        return "dropped"
    if reply.status_code == 429:
        return "rate_limit" if float(reply.headers["retry-after"]) == 0.25 else "429 without a pause"
    if reply.status_code == 500:
        return "server_error"
    try:
        choice = reply.json()["choices"][0]
    except ValueError:
        return "broken_body"
    if choice["finish_reason"] == "length":
        return "cut"
    return "prose" if choice["message"]["content"] == PROSE else "fine"


def test_every_fault_happens_and_is_counted_as_its_sender_saw_it() -> None:
    with served(fault_rate=1.0, seed=3, retry_after_s=0.25) as address:
        seen = [outcome(address, CRITIC) for _ in range(60)]
        told = stats(address)
    assert set(seen) == set(FAULTS)
    assert told["faults"] == {fault: seen.count(fault) for fault in FAULTS}
    assert told["delivered"] == seen.count("cut") + seen.count("prose")


def test_about_the_share_asked_for_goes_wrong_and_the_rest_is_sound() -> None:
    with served(fault_rate=0.25, seed=1) as address:
        seen = [outcome(address, HELLO) for _ in range(80)]
    assert 10 <= 80 - seen.count("fine") <= 30
    assert "prose" not in seen


def test_the_same_seed_draws_the_same_faults() -> None:
    draws = [[FaultPlan(0.5, seed).draw(json_wanted=True) for _ in range(1)] for seed in (7, 7)]
    assert draws[0] == draws[1]
    first, again, other = (FaultPlan(0.5, seed) for seed in (1, 1, 2))
    sequence = [first.draw(json_wanted=True) for _ in range(30)]
    assert sequence == [again.draw(json_wanted=True) for _ in range(30)]
    assert sequence != [other.draw(json_wanted=True) for _ in range(30)]


def test_a_cut_reply_has_half_the_text_and_says_so() -> None:
    with served(fault_rate=1.0, seed=0) as address:
        for _ in range(40):
            try:
                reply = send(address, HELLO)
                choice = json.loads(reply.content)["choices"][0]
            except (httpx2.TransportError, ValueError, KeyError):
                continue
            assert choice["finish_reason"] == "length"
            assert SELF_DESCRIPTION.startswith(choice["message"]["content"])
            return
    pytest.fail("no cut reply among forty")
