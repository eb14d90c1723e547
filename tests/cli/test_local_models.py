from __future__ import annotations

import dataclasses
import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from langmarl.llm.local import catalog, download
from tests.cli.shell import Result, end_of, rest_of, scrubbed_environment, wait_for
from tests.llm.local.hub import CONTENT, TINY, Hub

Command = Callable[..., Result]

# The command, with the tiny model for its catalogue.
PROGRAM = f"""
from langmarl.llm.local import catalog
catalog.downloadables = lambda: (catalog.Downloadable(**{dataclasses.asdict(TINY)!r}),)
from langmarl.cli import main
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where a shell put the tests into the background
main()
"""


@pytest.fixture
def hub() -> Iterator[Hub]:
    serving = Hub()
    yield serving
    serving.close()


@pytest.fixture
def pulling(hub: Hub, langmarl: Command, monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command within this process, with the tiny model for its catalogue and a hub on loopback."""
    monkeypatch.setenv("HF_ENDPOINT", hub.address)
    monkeypatch.setattr(catalog, "downloadables", lambda: (TINY,))
    monkeypatch.setattr(download, "_PAUSES_S", (0.0,) * 4)
    return langmarl


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of models, which is not there yet."""
    return tmp_path / ".cache" / "langmarl" / "models"


def start(hub: Hub, home: Path, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "models", *arguments],
        cwd=home,
        env=scrubbed_environment(home, HF_ENDPOINT=hub.address, TERM="xterm-256color", COLUMNS="100"),
        encoding="utf-8",
        **{**streams, **options},
    )


def test_pull_prints_the_path_and_tells_its_progress_in_few_lines(pulling: Command, folder: Path) -> None:
    result = pulling("models", "pull", "local-tiny-coder")

    assert (result.code, result.out) == (0, f"{folder / TINY.file}\n")
    assert (folder / TINY.file).read_bytes() == CONTENT
    lines = result.err.splitlines()
    assert lines[0] == "tiny-coder: 0%, 0 bytes of 400.0 kB"
    assert lines[-1] == "tiny-coder: 100%, 400.0 kB of 400.0 kB"
    assert len(lines) <= 11


def test_pull_of_what_is_there_says_only_where(pulling: Command, hub: Hub, folder: Path) -> None:
    pulling("models", "pull", "tiny-coder")
    again = pulling("models", "pull", "tiny-coder")
    forced = pulling("models", "pull", "tiny-coder", "--force")

    assert (again.code, again.out, again.err) == (0, f"{folder / TINY.file}\n", "")
    assert (forced.code, len(hub.received)) == (0, 2)


def test_list_shows_what_is_here_and_what_could_be(pulling: Command, folder: Path) -> None:
    empty = pulling("models", "list")
    pulling("models", "pull", "tiny-coder")
    (folder / "mine.gguf").write_bytes(b"GGUF")
    full = pulling("models", "list")

    assert str(folder) in empty.out
    assert f"tiny-coder\t{TINY.file}\t400.0 kB\tMIT" in empty.out
    assert str(folder) in full.out.splitlines()[0]
    assert f"–\tmine.gguf\t4 bytes\t{folder / 'mine.gguf'}" in full.out
    assert f"tiny-coder\t{TINY.file}\t400.0 kB\t{folder / TINY.file}" in full.out
    assert "models pull" not in full.out


def test_list_as_json(pulling: Command, folder: Path) -> None:
    described = {"name": "tiny-coder", "file": TINY.file, "size_bytes": len(CONTENT)}
    before = pulling("models", "list", "--json").json
    pulling("models", "pull", "tiny-coder")
    after = pulling("models", "list", "--json").json

    assert before == {"folder": str(folder), "on_disk": [], "can_be_pulled": [{**described, "licence": "MIT"}]}
    assert after == {
        "folder": str(folder),
        "on_disk": [{**described, "path": str(folder / TINY.file)}],
        "can_be_pulled": [],
    }


def test_another_folder_can_be_named(pulling: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGMARL_MODELS_DIR", "~/big-disk")

    assert pulling("models", "pull", "tiny-coder").out == f"{tmp_path / 'big-disk' / TINY.file}\n"
    assert pulling("models", "list", "--json").json["folder"] == str(tmp_path / "big-disk")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["pull"], "Missing argument 'NAME'"),
        (["pull", "tinycoder"], "did you mean 'tiny-coder'"),
        (["pul", "tiny-coder"], "Did you mean 'pull'"),
        (["--json", "list"], "langmarl models list --json"),
    ],
)
def test_a_mistake_is_named_and_exits_2(arguments: list[str], expected: str, pulling: Command) -> None:
    result = pulling("models", *arguments)

    assert (result.code, result.out) == (2, "")
    assert expected in result.err
    assert "Traceback" not in result.err


def test_a_hub_that_has_it_not_is_told_with_the_ways_out(pulling: Command, hub: Hub, folder: Path) -> None:
    hub.statuses = [404]
    result = pulling("models", "pull", "tiny-coder")

    assert (result.code, result.out) == (2, "")
    for text in ("404", "HF_ENDPOINT", TINY.sha256, str(folder)):
        assert text in result.err
    assert "Traceback" not in result.err


def test_a_transfer_that_breaks_off_exits_3_and_goes_on(pulling: Command, hub: Hub) -> None:
    hub.drops = [100_000, 0, 0, 0, 0]
    broken, again = pulling("models", "pull", "tiny-coder"), pulling("models", "pull", "tiny-coder")

    assert (broken.code, broken.out) == (3, "")
    assert "The same command goes on from here" in broken.err
    assert "Traceback" not in broken.err
    assert again.code == 0
    assert again.err.splitlines()[0].startswith("tiny-coder: 24%")
    assert hub.ranges[-1] == "bytes=100000-"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_the_part_and_exits_130(number: signal.Signals, hub: Hub, tmp_path: Path, folder: Path) -> None:
    hub.stalls_after = 150_000
    part = folder / f"{TINY.file}.part"
    process = start(hub, tmp_path, "pull", "tiny-coder")
    wait_for(lambda: part.exists() and part.stat().st_size > 100_000, "the first bytes")
    second = end_of(start(hub, tmp_path, "pull", "tiny-coder"))
    process.send_signal(number)
    ended = end_of(process)
    kept = part.read_bytes()
    hub.stalls_after = None
    again = end_of(start(hub, tmp_path, "pull", "tiny-coder"))

    assert second.code == 2
    assert "is being pulled" in second.err
    assert (ended.code, ended.out) == (130, "")
    assert "the same command goes on" in ended.err
    assert "Traceback" not in ended.err
    assert kept == CONTENT[: len(kept)]
    assert again.code == 0
    assert hub.ranges[-1] == f"bytes={len(kept)}-"
    assert (folder / TINY.file).read_bytes() == CONTENT


def test_a_terminal_shows_a_bar(hub: Hub, tmp_path: Path, folder: Path) -> None:
    ours, theirs = pty.openpty()
    process = start(hub, tmp_path, "pull", "tiny-coder", stderr=theirs)
    os.close(theirs)
    shown = rest_of(ours)
    result = end_of(process)

    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode())
    assert (result.code, result.out) == (0, f"{folder / TINY.file}\n")
    assert re.search(r"tiny-coder ━+ 400\.0/400\.0 kB", text)
    assert "100%" not in text


def test_the_presets_are_listed_as_before(langmarl: Command) -> None:
    assert langmarl("models").out.startswith("preset\tprovider\tmodel\t")
    assert json.loads(langmarl("models", "--json").out)[0]["name"] == "offline"


@pytest.mark.parametrize("command", ["pull", "list"])
def test_each_command_explains_itself_with_an_example(command: str, langmarl: Command) -> None:
    result = langmarl("models", command, "--help")

    assert result.code == 0
    assert f"langmarl models {command}" in result.out.partition("Example")[2]
