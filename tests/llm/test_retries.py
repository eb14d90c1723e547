from __future__ import annotations

import email.utils
import socket
import threading
import time

import pytest

from langmarl.errors import ModelCallError, ModelRefusedError, RunHalted
from langmarl.llm import BackoffPolicy, call_scope
from tests.llm.conftest import CallsMaker, ClientMaker
from tests.llm.server import Answer, Received, ScriptedServer, completion, error, json_answer

LIMITED = json_answer({"error": {"message": "slow down"}}, 429, retry_after_ms="5")

TRANSIENT = {
    "500": error(500, "boom"),
    "502 in HTML": Answer(502, b"<html><body>Bad gateway</body></html>", {"Content-Type": "text/html"}),
    "503": error(503, "busy"),
    "529": error(529, "overloaded"),
    "408": error(408, "too slow"),
    "409": error(409, "conflict"),
    "dropped connection": Answer(drop=True),
    "half a body": Answer(200, completion().body, cut=20),
    "half a JSON": Answer(200, completion().body[:-9]),
    "prose": Answer(200, b"We are down for maintenance.", {"Content-Type": "text/plain"}),
    "a list": Answer(200, b"[]"),
    "no choices": json_answer({"choices": []}),
    "choices of null": json_answer({"choices": None}),
    "no message": json_answer({"choices": [{"finish_reason": "stop"}]}),
    "an error inside a 200": json_answer({"error": {"message": "upstream is gone", "code": 502}}),
    "broken off": completion("part", finish_reason="error"),
}


@pytest.mark.parametrize("answer", TRANSIENT.values(), ids=TRANSIENT.keys())
def test_a_passing_fault_is_tried_again(
    answer: Answer, server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    server.script = [answer, answer]
    calls = open_calls()
    with call_scope(calls=calls):
        reply = make_client().complete("s", "u")
    assert reply.text == "hello"
    assert reply.usage.retries == 2
    [record] = calls._journal.read(0)
    assert len(record.retries) == 2
    assert all(set(retry) == {"kind", "status", "message", "waited_s"} for retry in record.retries)


@pytest.mark.parametrize("answer", TRANSIENT.values(), ids=TRANSIENT.keys())
def test_a_lasting_fault_ends_after_max_retries(
    answer: Answer, server: ScriptedServer, make_client: ClientMaker
) -> None:
    server.otherwise = answer
    with pytest.raises(ModelCallError, match="after 3 tries"):
        make_client(max_retries=2).complete("s", "u")
    assert len(server.received) == 3


def test_a_server_that_does_not_answer_in_time_is_tried_again(server: ScriptedServer, make_client: ClientMaker) -> None:
    release = threading.Event()

    def hang(_: Received) -> Answer:
        release.wait(10)
        return Answer(drop=True)

    server.script = [hang]
    try:
        assert make_client(request_timeout_s=0.2).chat("s", "u") == "hello"
    finally:
        release.set()


def test_a_reply_that_trickles_without_end_runs_into_the_time_limit(make_client: ClientMaker) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def trickle() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999999\r\n\r\n")
            try:
                while not ended.wait(0.02):
                    connection.sendall(b" ")
            except OSError:
                return

    threading.Thread(target=trickle, daemon=True).start()
    try:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        with pytest.raises(ModelCallError, match="timeout"):
            make_client(base_url=address, request_timeout_s=0.3, max_retries=0).chat("s", "u")
    finally:
        ended.set()
        listener.close()


def test_a_server_that_is_not_there_is_named_with_the_remedy(make_client: ClientMaker) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(ModelCallError) as failure:
        make_client(base_url=f"http://127.0.0.1:{port}/v1", max_retries=1).chat("s", "u")
    assert f"Is a server running at 127.0.0.1:{port}" in str(failure.value)


def test_tokens_of_unusable_replies_are_counted_too(server: ScriptedServer, make_client: ClientMaker) -> None:
    usage = {"prompt_tokens": 40, "completion_tokens": 2, "total_tokens": 42}
    server.script = [json_answer({"choices": [], "usage": usage})]
    got = make_client().complete("s", "u").usage
    assert (got.calls, got.input_tokens, got.output_tokens) == (1, 140, 12)


def test_rate_limits_do_not_use_up_the_retries(server: ScriptedServer, make_client: ClientMaker) -> None:
    server.script = [LIMITED] * 5
    reply = make_client(max_retries=0).complete("s", "u")
    assert reply.text == "hello"
    assert reply.usage.retries == 5


@pytest.mark.parametrize(
    "requested",
    [
        lambda: {"retry_after_ms": "300"},
        lambda: {"retry_after": "0.3"},
        lambda: {"retry_after": email.utils.formatdate(time.time() + 2, usegmt=True)},
    ],
    ids=["milliseconds", "seconds", "date"],
)
def test_the_pause_that_a_server_asks_for_is_kept(requested, server: ScriptedServer, make_client: ClientMaker) -> None:
    times: list[float] = []

    def limit(_: Received) -> Answer:
        times.append(time.monotonic())
        return json_answer({}, 429, **requested())

    def succeed(_: Received) -> Answer:
        times.append(time.monotonic())
        return completion()

    server.script = [limit, succeed]
    make_client().chat("s", "u")
    assert times[1] - times[0] >= 0.28


def test_a_rate_limit_inside_a_200_is_a_rate_limit(server: ScriptedServer, make_client: ClientMaker) -> None:
    server.script = [json_answer({"error": {"message": "rate limited upstream", "code": 429}})] * 3
    assert make_client(max_retries=0).chat("s", "u") == "hello"


def test_a_rate_limit_without_end_has_an_end(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    server.otherwise = json_answer({"error": {"message": "never"}}, 429, retry_after="0")
    policy = BackoffPolicy(base_s=0.01, cap_s=0.01, rate_limit_total_s=0.1)
    calls = open_calls()
    with call_scope(calls=calls), pytest.raises(ModelCallError, match="rate_limit"):
        make_client(policy).chat("s", "u")
    assert 2 <= len(server.received) <= 11
    [record] = calls._journal.read(0)
    assert record.error is not None
    assert record.error["kind"] == "rate_limit"


def test_a_pause_longer_than_a_call_would_wait_fails_this_call_and_the_next_at_once(
    server: ScriptedServer, make_client: ClientMaker
) -> None:
    server.otherwise = json_answer({"error": {"message": "quota of the day is used up"}}, 429, retry_after="86400")
    client = make_client()
    for _ in range(2):
        with pytest.raises(ModelCallError, match="rate_limit"):
            client.chat("s", "u")
    assert len(server.received) == 1


def test_a_server_that_is_down_for_the_day_is_not_waited_for(server: ScriptedServer, make_client: ClientMaker) -> None:
    server.otherwise = json_answer({"error": {"message": "maintenance"}}, 503, retry_after="86400")
    with pytest.raises(ModelCallError, match="maintenance"):
        make_client().chat("s", "u")
    assert len(server.received) == 1


def test_an_account_without_quota_is_the_users_affair(server: ScriptedServer, make_client: ClientMaker) -> None:
    server.otherwise = error(
        429, "You exceeded your current quota", type="insufficient_quota", code="insufficient_quota"
    )
    with pytest.raises(ModelRefusedError, match="billing"):
        make_client().chat("s", "u")
    assert len(server.received) == 1


@pytest.mark.timeout(30)
def test_a_halt_ends_the_wait_for_a_rate_limit(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    server.otherwise = json_answer({}, 429, retry_after="600")
    calls = open_calls()
    limited = threading.Event()

    def limit(_: Received) -> Answer:
        limited.set()
        return json_answer({}, 429, retry_after="600")

    server.script = [limit]
    outcome: list[BaseException] = []

    def work() -> None:
        try:
            with call_scope(calls=calls):
                make_client(BackoffPolicy()).chat("s", "u")
        except RunHalted as halt:
            outcome.append(halt)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    assert limited.wait(10)
    time.sleep(0.3)  # until the answer has come and the call sits out its pause
    calls.halt("stopped", "asked to")
    thread.join(10)
    assert [str(halt) for halt in outcome] == ["asked to"]
    assert len(server.received) == 1


@pytest.mark.timeout(30)
def test_a_pause_shorter_than_the_patience_is_sat_out(server: ScriptedServer, make_client: ClientMaker) -> None:
    policy = BackoffPolicy(base_s=0.01, cap_s=0.02, rate_limit_total_s=0.8)
    server.script = [json_answer({}, 429, retry_after_ms="500")]
    assert make_client(policy).chat("s", "u") == "hello"


@pytest.mark.timeout(30)
def test_a_halt_ends_the_wait_before_a_retry(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    calls = open_calls()
    failed = threading.Event()

    def fail(_: Received) -> Answer:
        failed.set()
        return json_answer({}, 503, retry_after="600")

    server.script = [fail]
    halted: list[bool] = []

    def work() -> None:
        with call_scope(calls=calls), pytest.raises(RunHalted):
            make_client(BackoffPolicy()).chat("s", "u")
        halted.append(True)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    assert failed.wait(10)
    calls.halt("stopped", "asked to")
    thread.join(10)
    assert halted == [True]
    assert len(server.received) == 1


REFUSED = {
    "401": (error(401, "no such key"), "OPENROUTER_API_KEY"),
    "403": (error(403, "not for you"), "OPENROUTER_API_KEY"),
    "402": (error(402, "no credit left"), "billing"),
    "404": (error(404, "no such model"), "'the-model'"),
    "400": (error(400, "top_p must be at most 1"), "top_p must be at most 1"),
    "422": (json_answer({"detail": [{"msg": "bad input"}]}, 422), "bad input"),
    "max_tokens too large": (error(400, "max_tokens is too large: 99999", param="max_tokens"), "too large"),
}


@pytest.mark.parametrize(("answer", "expected"), REFUSED.values(), ids=REFUSED.keys())
def test_a_refusal_is_told_once_with_model_host_and_remedy(
    answer: Answer,
    expected: str,
    server: ScriptedServer,
    make_client: ClientMaker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", "secret-of-the-user")
    server.otherwise = answer
    with pytest.raises(ModelRefusedError) as refusal:
        make_client(model_string="the-model", api_key_env_var="OPENROUTER_API_KEY").chat("s", "u")
    text = str(refusal.value)
    assert expected in text
    assert "'the-model'" in text
    assert "127.0.0.1" in text
    assert "secret-of-the-user" not in text
    assert len(server.received) == 1


EPISODES_AFFAIR = {
    "context length by code": error(400, "too long", code="context_length_exceeded"),
    "context length in words": error(400, "This model's maximum context length is 8192 tokens"),
    "context length as a server error": error(500, "the request exceeds the available context size"),
    "max_tokens beyond the context": error(400, "max_tokens is too large: the maximum context length is 4096"),
    "content filter": error(400, "blocked by the content management policy", code="content_filter"),
    "request too large": error(413, "too large"),
}


@pytest.mark.parametrize("answer", EPISODES_AFFAIR.values(), ids=EPISODES_AFFAIR.keys())
def test_a_request_that_only_this_episode_makes_costs_only_this_episode(
    answer: Answer, server: ScriptedServer, make_client: ClientMaker
) -> None:
    server.otherwise = answer
    with pytest.raises(ModelCallError):
        make_client().chat("s", "u")
    assert len(server.received) == 1
