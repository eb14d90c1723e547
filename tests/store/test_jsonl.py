from __future__ import annotations

import itertools
import json
import resource
import signal
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from langmarl.errors import UserMistake
from langmarl.store.jsonl import append_line, read_lines
from tests.store.processes import kill, running


def write_without_end(path: Path, ready: Callable[[], None]) -> None:
    for number in itertools.count():
        append_line(path, {"number": number, "text": "x" * (number * 37 % 5000)})
        if number == 50:
            ready()


def test_a_file_cut_at_any_byte_keeps_every_finished_line_and_takes_more(tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    lines = [{"n": 1, "text": "grün\u2028\n"}, {"n": 2, "text": ""}, {"n": 3, "text": "🙂"}]
    for line in lines:
        append_line(whole, line)
    content = whole.read_bytes()
    for length in range(len(content) + 1):
        cut = tmp_path / "cut.jsonl"
        cut.write_bytes(content[:length])
        finished = lines[: content[:length].count(b"\n")]
        assert read_lines(cut) == finished
        append_line(cut, {"n": 4})
        assert read_lines(cut) == [*finished, {"n": 4}]
        assert all(json.loads(line) for line in cut.read_bytes().splitlines())


def test_a_torn_tail_longer_than_one_block_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    append_line(path, {"n": 1})
    with path.open("ab") as file:
        file.write(b"\0" * 200_000)
    append_line(path, {"n": 2})
    assert read_lines(path) == [{"n": 1}, {"n": 2}]


def test_a_killed_writer_leaves_whole_lines_in_order(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    with running(partial(write_without_end, path)) as writer:
        kill(writer)
        assert writer.exitcode == -signal.SIGKILL
    before = read_lines(path)
    assert [line["number"] for line in before] == list(range(len(before)))
    append_line(path, {"number": "after"})
    assert [line["number"] for line in read_lines(path)] == [*range(len(before)), "after"]


def test_threads_and_processes_append_side_by_side(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"

    def write(name: str) -> None:
        for number in range(100):
            append_line(path, {"by": name, "number": number})

    with running(partial(write_without_end, path)) as writer:
        threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        kill(writer)
    lines = read_lines(path)
    for name in "abc":
        assert [line["number"] for line in lines if line.get("by") == name] == list(range(100))


def test_a_write_that_does_not_fit_on_the_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    append_line(path, {"n": 1})
    before = path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, hard))
        with pytest.raises(OSError, match=r"disk full|File too large"):
            append_line(path, {"n": 2, "text": "x" * 100})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert path.read_bytes() == before


def test_a_damaged_finished_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    append_line(path, {"n": 1})
    with path.open("ab") as file:
        file.write(b"{oops}\n")
    append_line(path, {"n": 3})
    with pytest.raises(UserMistake, match=r"file\.jsonl, line 2 is damaged"):
        read_lines(path)


def test_no_file_is_no_lines(tmp_path: Path) -> None:
    assert read_lines(tmp_path / "none.jsonl") == []
