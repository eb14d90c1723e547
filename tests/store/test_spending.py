from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from langmarl.errors import UserMistake
from langmarl.store import CallRecord, RunDirectory
from langmarl.usage import Usage
from tests.store.test_journal import KEY, RECORD

CALL = Usage(calls=1, input_tokens=8, output_tokens=2, cost_usd=0.5)


def record(iteration: int, episode: int, usage: Usage = CALL, **key: Any) -> CallRecord:
    return replace(RECORD, key=replace(KEY, iteration=iteration, episode=episode, **key), usage=usage)


def test_totals_without_figures_are_summed_from_the_journal(run: RunDirectory) -> None:
    assert run.totals() == {}
    run.write_state("running")
    run.journal.append(record(0, 0))
    run.journal.append(record(1, 0, role="actor", phase="eval"))
    totals = run.totals()
    assert (totals["calls"], totals["total_tokens"], totals["cost_usd"]) == (2, 20, 1.0)
    assert {role: usage["calls"] for role, usage in totals["by_role"].items()} == {"critic": 1, "actor": 1}
    assert totals["by_model"] == {"offline": (CALL + CALL).to_dict()}
    assert totals["train"] == totals["eval"] == CALL.to_dict()


def test_calls_that_were_set_aside_count_in_the_whole_only(run: RunDirectory) -> None:
    run.checkpoints.save_policies(0, {"agent_1": "a"})
    run.journal.append(record(0, 0))
    run.set_aside(0)
    run.journal.append(record(0, 0))
    assert (run.totals()["calls"], run.totals()["train"]["calls"]) == (2, 1)


def test_what_is_appended_later_is_added_and_nothing_counts_twice(run: RunDirectory) -> None:
    for number in range(1, 4):
        run.journal.append(record(0, number))
        with run.journal.path(0).open("ab") as file:
            file.write(b'{"torn')
        assert run.totals()["calls"] == run.totals()["calls"] == number


def test_a_journal_that_was_edited_is_summed_anew(run: RunDirectory) -> None:
    for number in range(3):
        run.journal.append(record(0, number))
    assert run.totals()["calls"] == 3
    path = run.journal.path(0)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"damaged\n" + lines[2])
    for _ in range(2):
        with pytest.raises(UserMistake, match="line 2 is damaged"):
            run.totals()
    path.write_bytes(lines[0] + lines[2])
    assert run.totals()["calls"] == 2


def test_a_run_that_ended_in_good_order_says_itself_what_it_used(run: RunDirectory) -> None:
    run.journal.append(record(0, 0))
    run.metrics.set_totals({"total_tokens": 7})
    run.write_state("completed")
    assert run.totals() == {"total_tokens": 7}
    run.write_state("running")
    assert run.totals()["total_tokens"] == 10
    run.layout.metrics.unlink()
    run.write_state("completed")
    assert run.totals()["total_tokens"] == 10


def test_an_unknown_price_stays_unknown(run: RunDirectory) -> None:
    run.journal.append(record(0, 0))
    run.journal.append(record(0, 1, replace(CALL, cost_usd=None)))
    assert run.totals()["cost_usd"] is None
