from __future__ import annotations

import contextvars
from concurrent.futures import ThreadPoolExecutor

import pytest

from langmarl.errors import ModelCallError, RunHalted
from langmarl.llm import call_scope
from tests.llm.conftest import CallsMaker, ClientMaker
from tests.llm.server import ScriptedServer, completion, error

WORKERS = 4
COST = {"prompt_tokens": 1_000_000, "completion_tokens": 0, "total_tokens": 1_000_000}  # one dollar a call


def test_a_budget_is_overshot_by_the_calls_in_flight_at_most(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    server.otherwise = completion(usage=COST)
    calls = open_calls(max_cost_usd=5.0)
    client = make_client()

    def episode(number: int) -> str:
        try:
            with call_scope(calls=calls, episode=number):
                return client.chat("s", str(number))
        except RunHalted:
            return "halted"

    with ThreadPoolExecutor(WORKERS) as pool:
        outcomes = list(pool.map(episode, range(30)))
    paid = outcomes.count("hello")
    assert 5 <= paid < 5 + WORKERS
    assert paid == len(server.received)
    assert calls.usage()["actor"].cost_usd == pytest.approx(paid)


def test_replies_already_paid_for_are_given_beyond_the_budget(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    server.otherwise = completion(usage=COST)
    client = make_client()
    with call_scope(calls=open_calls(max_cost_usd=1.0)):
        client.chat("s", "u")
    with call_scope(calls=open_calls(max_cost_usd=1.0)):
        assert client.chat("s", "u") == "hello"
        with pytest.raises(RunHalted, match=r"max_cost_usd 1\.00 reached: spent 1\.0000"):
            client.chat("s", "another")
    with call_scope(calls=open_calls(max_cost_usd=2.0)):
        client.chat("s", "u")
        client.chat("s", "another")
    assert len(server.received) == 2


def test_a_halt_passes_through_an_environment_that_catches_every_exception(
    make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    calls = open_calls()
    calls.halt("stopped", "asked to")
    client = make_client()

    def careless_environment() -> str:
        try:
            return client.chat("s", "u")
        except Exception:
            return "sorry, I could not reach the model"

    with call_scope(calls=calls), pytest.raises(RunHalted):
        careless_environment()


def test_failed_calls_cost_nothing_and_count_as_failures(
    server: ScriptedServer, make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    server.otherwise = error(500, "boom")
    calls = open_calls()
    unpriced = {"input_price_per_million": None, "output_price_per_million": None}
    with call_scope(calls=calls), pytest.raises(ModelCallError):
        make_client(max_retries=1, **unpriced).chat("s", "u")
    usage = calls.usage()["actor"]
    assert (usage.calls, usage.failures, usage.retries, usage.cost_usd) == (1, 1, 1, 0.0)


def test_threads_of_an_environment_are_counted_when_given_the_context(
    make_client: ClientMaker, open_calls: CallsMaker
) -> None:
    calls, client = open_calls(), make_client()
    with call_scope(calls=calls), ThreadPoolExecutor(1) as pool:
        pool.submit(contextvars.copy_context().run, client.chat, "s", "u").result()
    assert calls.usage()["actor"].calls == 1
