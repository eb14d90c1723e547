from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from langmarl.errors import UserMistake
from langmarl.store import CallJournal, CallKey, CallRecord
from langmarl.usage import Usage

KEY = CallKey("train", "critic", iteration=3, episode=1, agent="agent_1", turn=0, attempt=1)
RECORD = CallRecord(
    key=KEY,
    digest="d1",
    model="offline",
    endpoint="offline://in-process",
    request={"messages": [{"role": "user", "content": "grün\n"}]},
    reply={"text": "yes\ud83d", "finish_reason": "stop"},
    error=None,
    usage=Usage(calls=1, input_tokens=5, output_tokens=2, cost_usd=None, retries=1),
    started_at="2026-01-01T00:00:00+00:00",
    duration_s=0.25,
    retries=[{"kind": "rate_limit", "status": 429, "message": "slow down", "waited_s": 1.0}],
)


def test_a_record_comes_back_as_it_was(tmp_path: Path) -> None:
    journal = CallJournal(tmp_path / "calls")
    failed = replace(RECORD, reply=None, error={"kind": "timeout", "message": "no answer"}, retries=[])
    journal.append(RECORD)
    journal.append(failed)
    assert journal.read(3) == [RECORD, failed]
    assert (tmp_path / "calls" / "iter_0003.jsonl").is_file()


def test_records_are_kept_by_iteration(tmp_path: Path) -> None:
    journal = CallJournal(tmp_path / "calls")
    assert journal.iterations() == []
    assert journal.read_all() == []
    records = [replace(RECORD, key=replace(KEY, iteration=iteration)) for iteration in (12000, 2, 0)]
    for record in records:
        journal.append(record)
    assert journal.iterations() == [0, 2, 12000]
    assert journal.read(1) == []
    assert journal.read_all() == [records[2], records[1], records[0]]


def test_another_object_sees_each_call_at_once(tmp_path: Path) -> None:
    reader = CallJournal(tmp_path / "calls")
    CallJournal(tmp_path / "calls").append(RECORD)
    assert reader.read(3) == [RECORD]


def test_set_aside_calls_are_read_apart(tmp_path: Path) -> None:
    CallJournal(tmp_path / "set_aside" / "1" / "calls").append(RECORD)
    journal = CallJournal(tmp_path / "calls", tmp_path / "set_aside")
    assert journal.read_set_aside() == [RECORD]
    assert journal.read_all() == []


def test_a_line_that_is_no_call_is_named(tmp_path: Path) -> None:
    journal = CallJournal(tmp_path)
    journal.append(RECORD)
    with journal.path(3).open("a", encoding="utf-8") as file:
        file.write('{"key": 1}\n')
    with pytest.raises(UserMistake, match=r"iter_0003\.jsonl, line 2 is damaged"):
        journal.read(3)
