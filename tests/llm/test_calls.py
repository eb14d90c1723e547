from __future__ import annotations

import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from langmarl.errors import RunHalted
from langmarl.llm import RunCalls
from langmarl.store.journal import CallJournal, CallKey, CallRecord
from langmarl.usage import Usage
from tests.llm.conftest import CallsMaker

KEY = CallKey("train", "actor", 0, 0, "agent_1", 0, 0)


def record(
    key: CallKey = KEY, text: str | None = "yes", digest: str = "d", model: str = "m", cost_usd: float | None = 0.1
) -> CallRecord:
    return CallRecord(
        key=key,
        digest=digest,
        model=model,
        endpoint="http://127.0.0.1/v1",
        request={"model": model},
        reply=None if text is None else {"text": text, "finish_reason": "stop"},
        error=None if text is not None else {"kind": "timeout", "message": "no answer"},
        usage=Usage(calls=1, input_tokens=70, output_tokens=30, cost_usd=cost_usd, failures=int(text is None)),
        started_at="2026-01-01T00:00:00+00:00",
        duration_s=1.0,
    )


def test_usage_is_told_by_role_phase_and_iteration(open_calls: CallsMaker) -> None:
    calls = open_calls()
    calls.record(record())
    calls.record(record(replace(KEY, turn=1)))
    calls.record(record(replace(KEY, role="critic")))
    calls.record(record(replace(KEY, iteration=1)))
    calls.record(record(replace(KEY, phase="eval")))
    assert {role: usage.calls for role, usage in calls.usage().items()} == {"actor": 4, "critic": 1}
    in_training = calls.usage(phase="train", iteration=0)
    assert {role: usage.total_tokens for role, usage in in_training.items()} == {"actor": 200, "critic": 100}
    assert calls.usage(phase="eval")["actor"].calls == 1
    assert calls.usage(iteration=9) == {}


def test_usage_is_told_by_model(open_calls: CallsMaker) -> None:
    calls = open_calls()
    calls.record(record(model="small"))
    calls.record(record(replace(KEY, role="critic"), model="large", cost_usd=None))
    by_model = calls.usage_by_model()
    assert by_model["small"].cost_usd == pytest.approx(0.1)
    assert by_model["large"].cost_usd is None


def test_usage_is_the_same_after_the_journal_is_loaded_again(open_calls: CallsMaker) -> None:
    first = open_calls()
    first.record(record())
    first.record(record(replace(KEY, iteration=2), text=None))
    assert open_calls().usage() == first.usage()


def test_calls_set_aside_count_in_the_total_only(open_calls: CallsMaker, tmp_path: Path) -> None:
    open_calls().record(record())
    (tmp_path / "set_aside" / "1").mkdir(parents=True)
    shutil.move(tmp_path / "calls", tmp_path / "set_aside" / "1" / "calls")
    calls = open_calls(max_total_tokens=100)
    assert calls.usage()["actor"].calls == 1
    assert calls.usage(phase="train") == {}
    assert calls.recall(KEY, "d") is None
    with pytest.raises(RunHalted):
        calls.admit()


def test_a_reply_is_recalled_in_the_same_and_in_the_next_process(open_calls: CallsMaker) -> None:
    first = open_calls()
    first.record(record(text="paid"))
    for calls in (first, open_calls()):
        found = calls.recall(KEY, "d")
        assert found is not None
        assert found.reply == {"text": "paid", "finish_reason": "stop"}


def test_a_reply_to_another_question_or_a_failure_is_not_recalled(open_calls: CallsMaker) -> None:
    calls = open_calls()
    failed = replace(KEY, turn=1)
    calls.record(record())
    calls.record(record(failed, text=None))
    assert calls.recall(KEY, "another digest") is None
    assert calls.recall(failed, "d") is None
    assert calls.recall(replace(KEY, turn=2), "d") is None


def test_of_several_records_the_last_success_is_recalled(open_calls: CallsMaker) -> None:
    writer = open_calls()
    assert writer.recall(KEY, "d") is None
    for text in ("first", "second", None):
        writer.record(record(text=text))
    for calls in (writer, open_calls()):
        found = calls.recall(KEY, "d")
        assert found is not None
        assert found.reply is not None
        assert found.reply["text"] == "second"


def test_replies_of_iterations_long_past_can_still_be_recalled(open_calls: CallsMaker) -> None:
    calls = open_calls()
    for iteration in range(5):
        calls.record(record(replace(KEY, iteration=iteration), text=str(iteration)))
    for iteration in (4, 3, 2, 1, 0, 4):
        found = calls.recall(replace(KEY, iteration=iteration), "d")
        assert found is not None
        assert found.reply is not None
        assert found.reply["text"] == str(iteration)


def test_reaching_the_cost_limit_halts_the_run_and_says_how_much_was_spent(open_calls: CallsMaker) -> None:
    calls = open_calls(max_cost_usd=0.5)
    calls.record(record(cost_usd=0.25))
    calls.admit()
    calls.record(record(replace(KEY, phase="eval"), cost_usd=0.2512))
    assert calls.halted is not None
    with pytest.raises(RunHalted) as halt:
        calls.admit()
    assert halt.value.state == "budget_reached"
    assert halt.value.reason == "max_cost_usd 0.50 reached: spent 0.5012"


def test_the_token_limit_counts_what_earlier_processes_used(open_calls: CallsMaker) -> None:
    open_calls().record(record())
    open_calls(max_total_tokens=101).admit()
    with pytest.raises(RunHalted, match="max_total_tokens 100 reached: used 100"):
        open_calls(max_total_tokens=100).admit()


def test_the_first_halt_counts_and_each_refusal_is_an_exception_of_its_own(open_calls: CallsMaker) -> None:
    calls = open_calls()
    calls.admit()
    calls.halt("stopped", "asked to")
    calls.halt("budget_reached", "too late")
    refusals = []
    for _ in range(2):
        with pytest.raises(RunHalted) as halt:
            calls.admit()
        refusals.append(halt.value)
    assert {refusal.reason for refusal in refusals} == {"asked to"}
    assert refusals[0] is not refusals[1]


@pytest.mark.timeout(20)
def test_a_halt_ends_a_wait(open_calls: CallsMaker) -> None:
    calls = open_calls()
    ended = threading.Event()

    def wait() -> None:
        with pytest.raises(RunHalted):
            calls.wait(3600)
        ended.set()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    calls.halt("stopped", "asked to")
    assert ended.wait(10)


def test_a_wait_that_is_not_interrupted_just_ends(open_calls: CallsMaker) -> None:
    open_calls().wait(0.001)


def test_records_of_many_threads_all_reach_journal_and_usage(tmp_path: Path) -> None:
    journal = CallJournal(tmp_path / "calls")
    calls = RunCalls(journal)

    def work(agent: int) -> None:
        for turn in range(20):
            calls.record(record(replace(KEY, agent=f"agent_{agent}", turn=turn)))

    threads = [threading.Thread(target=work, args=(agent,)) for agent in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls.usage()["actor"].calls == 160
    assert len(journal.read(0)) == 160
