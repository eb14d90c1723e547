from __future__ import annotations

import logging
from datetime import datetime

import pytest

from langmarl.errors import UserMistake
from langmarl.store import LocalStore, RunDirectory, RunLogger


def lines_of(store: LocalStore) -> list[str]:
    return (store.base_dir / "some_run" / "run.log").read_text(encoding="utf-8").split("\n")[:-1]


def test_lines_go_to_the_file_and_to_the_console(store: LocalStore, capsys: pytest.CaptureFixture[str]) -> None:
    logger = RunLogger(store, "some_run", "DEBUG")
    logger.debug("a")
    logger.info("b 100% {x} %s")
    logger.warning("c")
    logger.error("größer")
    logger.close()
    fields = [line.split(maxsplit=2) for line in lines_of(store)]
    assert [(level, text) for _, level, text in fields] == [
        ("DEBUG", "a"), ("INFO", "b 100% {x} %s"), ("WARNING", "c"), ("ERROR", "größer"),
    ]  # fmt: skip
    assert all(datetime.fromisoformat(time).tzinfo is not None for time, _, _ in fields)
    shown = capsys.readouterr()
    assert [line.split(maxsplit=1)[1] for line in shown.err.splitlines()] == ["a", "b 100% {x} %s", "c", "größer"]
    assert shown.out == ""


def test_less_than_the_level_is_left_out(store: LocalStore, capsys: pytest.CaptureFixture[str]) -> None:
    logger = RunLogger(store, "some_run", "warning")
    logger.info("no")
    logger.warning("yes")
    logger.close()
    assert len(lines_of(store)) == 1
    assert "no" not in capsys.readouterr().err


def test_opening_again_appends_and_writes_no_line_twice(store: LocalStore, capsys: pytest.CaptureFixture[str]) -> None:
    first = RunLogger(store, "some_run")
    first.info("one")
    second = RunLogger(store, "some_run")
    second.info("two")
    first.close()
    second.close()
    third = RunLogger(store, "some_run", console=False)
    third.info("three")
    third.close()
    assert [line.split()[-1] for line in lines_of(store)] == ["one", "two", "three"]
    assert len(capsys.readouterr().err.splitlines()) == 2


def test_nothing_is_written_after_closing(store: LocalStore, capsys: pytest.CaptureFixture[str]) -> None:
    logger = RunLogger(store, "some_run")
    logger.info("one")
    logger.close()
    logger.close()
    logger.error("two")
    assert len(lines_of(store)) == 1
    assert "two" not in capsys.readouterr().err


def test_a_message_cannot_forge_a_line_or_steer_the_terminal(
    store: LocalStore, capsys: pytest.CaptureFixture[str]
) -> None:
    logger = RunLogger(store, "some_run")
    logger.info("a\nINFO forged\r\x1b[2J\u2028\x85\ud83d\tb")
    logger.close()
    [line] = lines_of(store)
    assert line.endswith("a\\nINFO forged\\r\\x1b[2J\\u2028\\x85\\ud83d\tb")
    assert len(line.splitlines()) == 1
    assert "\x1b" not in capsys.readouterr().err


def test_a_logger_of_an_open_run_writes_there(run: RunDirectory) -> None:
    logger = RunLogger.at(run, console=False)
    logger.info("here")
    logger.close()
    assert "here" in (run.path / "run.log").read_text(encoding="utf-8")


def test_loggers_leave_the_programs_own_logging_alone(store: LocalStore) -> None:
    before = (list(logging.root.handlers), set(logging.root.manager.loggerDict))
    logger = RunLogger(store, "some_run")
    assert (logging.root.handlers, set(logging.root.manager.loggerDict)) == before
    logger.close()


def test_an_unknown_level_names_those_allowed(store: LocalStore) -> None:
    with pytest.raises(UserMistake, match="'loud'; allowed: DEBUG, INFO"):
        RunLogger(store, "some_run", "loud")
