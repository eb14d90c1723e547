"""Calls that share an endpoint share its rate limit."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from langmarl.llm import BackoffPolicy, LLMClient, call_scope
from langmarl.llm.backoff import EndpointPausedError, Gate, Ticket
from tests.llm.conftest import QUICK, CallsMaker, ClientMaker, ConfigMaker
from tests.llm.server import Answer, Received, ScriptedServer, completion, json_answer


def never_halted() -> None:
    """The check of a run that goes on."""


def test_when_one_call_is_limited_every_call_to_that_endpoint_waits(
    server: ScriptedServer, make_config: ConfigMaker
) -> None:
    limited_until: list[float] = []
    too_early: list[float] = []

    def limit(_: Received) -> Answer:
        limited_until.append(time.monotonic() + 0.4)
        return json_answer({}, 429, retry_after_ms="400")

    def answer(_: Received) -> Answer:
        if time.monotonic() < limited_until[0] - 0.02:
            too_early.append(time.monotonic())
        return completion()

    server.script = [limit]
    server.otherwise = answer
    config = make_config()
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(LLMClient(config, backoff=QUICK).chat, "s", "first")
        while not limited_until:
            time.sleep(0.005)
        time.sleep(0.05)
        others = [pool.submit(LLMClient(config, backoff=QUICK).chat, "s", str(number)) for number in range(3)]
        assert [future.result() for future in [first, *others]] == ["hello"] * 4
    assert too_early == []


def test_another_model_does_not_wait(server: ScriptedServer, make_client: ClientMaker) -> None:
    server.script = [json_answer({"error": "later"}, 429, retry_after="3600")]
    with pytest.raises(Exception, match="rate_limit"):
        make_client().chat("s", "u")
    assert make_client().chat("s", "u") == "hello"


def test_a_provider_with_a_quota_slows_the_calls_down_and_fails_none(
    server: ScriptedServer, make_config: ConfigMaker
) -> None:
    lock = threading.Lock()
    window_ends, left = [0.0], [0]

    def quota(_: Received) -> Answer:
        """Ten requests every 0.2 seconds, as a provider counts them."""
        with lock:
            now = time.monotonic()
            if now >= window_ends[0]:
                window_ends[0], left[0] = now + 0.2, 10
            if left[0] == 0:
                return json_answer({}, 429, retry_after=f"{window_ends[0] - now:.3f}")
            left[0] -= 1
        return completion()

    server.otherwise = quota
    config = make_config(max_retries=0)
    client = LLMClient(config, backoff=QUICK)
    with ThreadPoolExecutor(16) as pool:
        texts = list(pool.map(lambda number: client.chat("s", str(number)), range(60)))
    assert texts == ["hello"] * 60
    refused = len(server.received) - 60
    assert refused < 60, "more requests were refused than answered: calls do not hold back"


def test_after_a_burst_was_refused_fewer_requests_are_in_flight(
    server: ScriptedServer, make_config: ConfigMaker
) -> None:
    burst = threading.Barrier(8)

    def refuse(_: Received) -> Answer:
        burst.wait(10)
        return json_answer({}, 429, retry_after_ms="50")

    def slowly(_: Received) -> Answer:
        if len(server.received) == 9:
            server.most_in_flight = 0
        time.sleep(0.03)
        return completion()

    server.script = [refuse] * 8
    server.otherwise = slowly
    client = LLMClient(make_config(), backoff=QUICK)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda number: client.chat("s", str(number)), range(8))) == ["hello"] * 8
    assert server.most_in_flight <= 6


def test_one_burst_of_refusals_halves_the_window_once() -> None:
    gate = Gate()
    tickets = [gate.enter(never_halted, 1.0) for _ in range(8)]
    for ticket in tickets:
        gate.slow_down(ticket, 0.0, QUICK)
    for _ in tickets:
        gate.leave()
    inside = [gate.enter(never_halted, 1.0) for _ in range(4)]
    assert len(inside) == 4

    def stop() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        gate.enter(stop, 1.0)


def test_successes_widen_the_window_again() -> None:
    gate = Gate()
    ticket = gate.enter(never_halted, 1.0)
    gate.slow_down(ticket, 0.0, QUICK)
    gate.leave()
    for _ in range(3):
        gate.succeeded(gate.enter(never_halted, 1.0))
        gate.leave()
    assert [gate.enter(never_halted, 1.0) for _ in range(2)]


def test_a_pause_beyond_ones_patience_is_refused_at_once() -> None:
    gate = Gate()
    gate.slow_down(gate.enter(never_halted, 1.0), 3600.0, QUICK)
    gate.leave()
    with pytest.raises(EndpointPausedError) as paused:
        gate.enter(never_halted, 60.0)
    assert 3500 < paused.value.pause_s <= 3600


def test_a_pause_that_proves_too_short_grows() -> None:
    gate = Gate()
    policy = BackoffPolicy(base_s=1000.0, cap_s=1e9)
    pauses = []
    for _ in range(6):
        gate._open_at = 0.0
        pauses.append(gate.slow_down(gate.enter(never_halted, 1.0), 0.001, policy))
        gate.leave()
    assert pauses[0] == 0.001
    assert max(pauses) > 0.001


def test_backoff_is_exponential_with_full_jitter_and_a_cap() -> None:
    policy = BackoffPolicy(base_s=1.0, cap_s=8.0)
    longest = [max(policy.delay(tries) for _ in range(400)) for tries in (1, 2, 3, 4, 9)]
    shortest = min(policy.delay(4) for _ in range(400))
    for longest_seen, bound in zip(longest, (1, 2, 4, 8, 8), strict=True):
        assert 0.8 * bound < longest_seen <= bound
    assert shortest < 1.0


def test_a_run_is_told_of_a_rate_limit_once_and_not_for_every_call(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    told: list[str] = []
    server.script = [json_answer({}, 429, retry_after_ms="20") for _ in range(3)]
    with call_scope(calls=open_calls(on_trouble=told.append)):
        assert make_client().chat("s", "u") == "hello"
    limits = [line for line in told if "limits the rate" in line]
    assert len(limits) == 1
    assert "127.0.0.1" in limits[0]


def test_a_gate_for_few_never_lets_more_through() -> None:
    gate = Gate(most=2)
    tickets = [gate.enter(lambda: None, 1), gate.enter(lambda: None, 1)]
    for ticket in tickets:
        gate.succeeded(ticket)
    third: list[Ticket] = []
    waiting = threading.Thread(target=lambda: third.append(gate.enter(lambda: None, 1)), daemon=True)
    waiting.start()
    waiting.join(0.3)
    assert third == []
    gate.leave()
    waiting.join(10)
    assert len(third) == 1
