from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from langmarl.cli import main
from tests.cli.shell import QUICKSTART, SMALL, Result, Shell, end_of, scrubbed_environment

LATENCY_MS = 100


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """The command as processes of their own, in an empty working directory."""
    return Shell(tmp_path)


@pytest.fixture
def langmarl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Result]]:
    """The command within this process: the same code, without the second that an interpreter takes to start."""
    for name in set(os.environ) - {"PYTEST_CURRENT_TEST"}:
        monkeypatch.delenv(name)
    for name, value in scrubbed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    before = signal.getsignal(signal.SIGTERM)

    def run(*arguments: object) -> Result:
        monkeypatch.setattr("sys.argv", ["langmarl", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return Result(int(ended.value.code or 0), printed.out, printed.err)

    yield run
    signal.signal(signal.SIGTERM, before)


@pytest.fixture(scope="session")
def finished_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working directory with one completed run, evaluated on held-out tasks; not to be written to."""
    folder = tmp_path_factory.mktemp("finished")
    evaluated = ("eval_tasks=4", "train_test_split=0.7")
    result = Shell(folder).run("train", QUICKSTART, "-o", *SMALL, *evaluated)
    assert result.code == 0, result.err
    return folder


@pytest.fixture
def finished(finished_folder: Path, tmp_path: Path) -> Path:
    """The completed run, in the working directory of this test: free to be changed."""
    shutil.copytree(finished_folder / "experiments", tmp_path / "experiments")
    (run,) = (path.parent for path in (tmp_path / "experiments").glob("*/run.json"))
    return run


@pytest.fixture(scope="session")
def slow_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The override that names the offline model behind a server where each call takes a while."""
    server = Shell(tmp_path_factory.mktemp("server")).start(
        "serve-offline", "--port", 0, "--latency-ms", LATENCY_MS, stderr=subprocess.DEVNULL
    )
    try:
        assert server.stdout is not None
        server.stdout.readline()
        found = re.search(r"\{.*\}", server.stdout.readline())
        assert found is not None
        yield f"llm={json.dumps({**json.loads(found.group()), 'local': True})}"
    finally:
        server.send_signal(signal.SIGINT)
        ended = end_of(server)
    assert ended.code == 0
