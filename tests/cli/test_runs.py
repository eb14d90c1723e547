from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.cli.shell import QUICKSTART, Result

Command = Callable[..., Result]


def test_runs_are_listed_newest_first_with_names_whole(finished: Path, langmarl: Command) -> None:
    assert langmarl("train", QUICKSTART, "exp_name=second", "num_iterations=1", "max_total_tokens=2000").code == 4
    header, newest, oldest = (line.split("\t") for line in langmarl("runs").out.splitlines())

    row = dict(zip(header, oldest, strict=True))
    assert newest[0].startswith("second_")
    assert newest[1] == "budget_reached"
    assert (row["run"], row["state"], row["env"]) == (finished.name, "completed", "language/qa")
    assert (row["paradigm"], row["iterations"], row["cost"]) == ("central_credit", "2/2", "$0.0000")
    assert "→" in row["reward"]


def test_runs_by_state_and_number_as_json(finished: Path, langmarl: Command) -> None:
    shutil.copytree(finished, finished.with_name("copied"))

    everything = langmarl("runs", "--json").json
    assert {row["run_id"] for row in everything} == {finished.name, "copied"}
    assert everything[0]["iterations_done"] == 2
    assert everything[0]["cost_usd"] == 0.0
    assert len(langmarl("runs", "--limit", 1, "--json").json) == 1
    assert langmarl("runs", "--state", "failed", "--state", "queued", "--json").json == []
    assert len(langmarl("runs", "--state", "failed", "--state", "completed", "--json").json) == 2


def test_asking_for_runs_where_there_are_none_makes_nothing(tmp_path: Path, langmarl: Command) -> None:
    listed, indexed = langmarl("runs"), langmarl("index")

    assert (listed.code, listed.out) == (0, "")
    assert "langmarl train" in listed.err
    assert indexed.code == 0
    assert langmarl("runs", "--json").json == []
    assert list(tmp_path.iterdir()) == []


def test_stop_without_an_owner_says_so_and_asks_nobody(finished: Path, langmarl: Command) -> None:
    result = langmarl("stop", finished.name, "--wait", 5)

    assert result.code == 0
    assert "no process runs it" in result.out
    assert not (finished / "stop").exists()


def test_the_index_follows_the_run_directories_and_can_be_rebuilt(finished: Path, langmarl: Command) -> None:
    first = langmarl("index", "--json").json
    shutil.copytree(finished, finished.with_name("copied"))
    second = langmarl("index", "--json").json
    shutil.rmtree(finished.with_name("copied"))
    (finished.parent / "index.db").write_bytes(b"no database")
    third = langmarl("index", "--rebuild")

    assert (first["runs"], first["updated"]) == (1, [finished.name])  # copied with its index, it has another path
    assert (second["runs"], second["added"]) == (2, ["copied"])
    assert third.code == 0
    assert third.out.startswith("1 run in the index")
    assert [row["run_id"] for row in langmarl("runs", "--json").json] == [finished.name]


def test_runs_are_listed_without_an_index_that_can_be_written(finished: Path, langmarl: Command) -> None:
    for part in finished.parent.glob("index.db*"):
        part.unlink()
    (finished.parent / "index.db").mkdir()  # what no permission keeps from failing, whoever runs the test

    result = langmarl("runs", "--json")

    assert (result.code, [row["run_id"] for row in result.json]) == (0, [finished.name])
    [line] = result.err.splitlines()
    assert "cannot be used" in line


def test_a_run_that_cannot_be_read_is_told_once(finished: Path, langmarl: Command) -> None:
    (finished / "run.json").write_text("{", encoding="utf-8")

    result = langmarl("runs")

    assert (result.code, result.out) == (0, "")
    assert result.err.startswith("1 run cannot be read: ")
    assert result.err.count("run.json is damaged") == 1
    assert "There is no run" not in result.err
