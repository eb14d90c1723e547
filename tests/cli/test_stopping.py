from __future__ import annotations

import json
import os
import pty
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from tests.cli.shell import QUICKSTART, Result, Shell, end_of, only_run, rest_of, state_of, wait_for

SMALL = ("trajectories_per_iteration=3",)
SLOW = (*SMALL, "num_iterations=50", "max_workers=2")
"""A run that never ends by itself while a test lasts."""


def journal(folder: Path) -> list[dict[str, object]]:
    """Every call that the one run in ``folder`` has recorded."""
    files = sorted(folder.glob("experiments/*/calls/*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def start_and_wait(shell: Shell, slow_model: str) -> subprocess.Popen[str]:
    """A run in the middle of its first iteration."""
    process = shell.start("train", QUICKSTART, *SLOW, "-o", slow_model, "--json")
    wait_for(lambda: process.poll() is not None or len(journal(shell.folder)) >= 3, "the first calls")
    return process


def one_more(result: Result) -> tuple[str, ...]:
    """Overrides that let the run of ``result`` end with the iteration it was in, with more calls at once."""
    return (*SMALL, f"num_iterations={len(result.json['iterations']) + 1}", "max_workers=20")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_run_and_a_rerun_completes_it(shell: Shell, slow_model: str, number: int) -> None:
    process = start_and_wait(shell, slow_model)
    process.send_signal(number)
    stopped = end_of(process)

    assert stopped.code == 130, stopped.err
    assert (stopped.json["state"], stopped.json["run_id"]) == ("stopped", only_run(shell.folder).name)
    assert signal.Signals(number).name in stopped.json["reason"]
    assert "stopping after the calls in flight" in stopped.err

    again = shell.run("train", QUICKSTART, *one_more(stopped), "-o", slow_model, "--json")

    assert (again.code, again.json["state"], again.json["run_id"]) == (0, "completed", stopped.json["run_id"])
    assert [row["iteration"] for row in again.json["iterations"]] == list(range(len(stopped.json["iterations"]) + 1))
    keys = [json.dumps(call["key"]) for call in journal(shell.folder)]
    assert len(keys) == len(set(keys)), "a call that was paid for was made again"


def test_stop_from_another_process(shell: Shell, slow_model: str) -> None:
    process = start_and_wait(shell, slow_model)
    asked = shell.run("stop", "latest", "--wait", 30)
    stopped = end_of(process)

    assert asked.code == 0, asked.err
    assert f"process {process.pid}" in asked.out
    assert asked.out.rstrip().endswith("stopped.")
    assert (stopped.code, stopped.json["state"]) == (130, "stopped")

    resumed = shell.run("resume", "latest", *one_more(stopped), "--json")

    assert (resumed.code, len(resumed.json["iterations"])) == (0, len(stopped.json["iterations"]) + 1)


def test_a_second_signal_ends_at_once_and_the_run_can_go_on(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        model = {"model_string": "m", "base_url": f"http://127.0.0.1:{silent.getsockname()[1]}/v1", "local": True}
        process = shell.start("train", QUICKSTART, *SLOW, "-o", f"llm={json.dumps(model)}")
        silent.settimeout(60)
        calls = [silent.accept()[0]]  # a call that will never be answered
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        wait_for(lambda: "stopping" in process.stderr.readline(), "the answer to the first signal")
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        ended = end_of(process)
        for call in calls:
            call.close()

    assert ended.code == 130
    assert "ended at once" in ended.err
    assert "interrupted" in shell.run("runs", "--state", "interrupted").out


def test_the_owner_of_a_run_is_named_to_a_second_one(shell: Shell, slow_model: str) -> None:
    process = start_and_wait(shell, slow_model)
    try:
        second = shell.run("resume", "latest")
        impatient = shell.run("stop", "latest", "--wait", 0)
    finally:
        process.send_signal(signal.SIGTERM)
        end_of(process)

    assert second.code == 2
    assert f"process {process.pid}" in second.err
    assert "Traceback" not in second.err
    assert impatient.code == 3
    assert "still running" in impatient.err


def test_a_killed_run_is_interrupted_and_goes_on(shell: Shell, slow_model: str) -> None:
    process = start_and_wait(shell, slow_model)
    process.kill()
    process.communicate()
    run = only_run(shell.folder)
    assert state_of(run) == "running"

    shown = shell.run("show", run.name, "--json")
    [listed] = shell.run("runs", "--json").json
    calls = journal(shell.folder)
    resumed = shell.run("resume", run.name, *one_more(shown), "--json")

    assert shown.json["state"] == "interrupted"
    used = sum(call["usage"]["total_tokens"] for call in calls)  # type: ignore[index]
    assert shown.json["totals"]["total_tokens"] == listed["total_tokens"] == used > 0
    assert shown.json["totals"]["calls"] == len(calls)
    assert (resumed.code, len(resumed.json["iterations"])) == (0, len(shown.json["iterations"]) + 1)


def test_ctrl_c_typed_into_a_terminal_stops_the_run(shell: Shell, slow_model: str) -> None:
    ours, theirs = pty.openpty()
    process = shell.start(
        "train",
        QUICKSTART,
        *SLOW,
        "-o",
        slow_model,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        preexec_fn=lambda: os.login_tty(theirs),  # what is typed there reaches the process as a signal
    )
    os.close(theirs)
    shown = b""
    while len(journal(shell.folder)) < 3:
        shown += os.read(ours, 65536)
    os.write(ours, b"\x03")
    shown += rest_of(ours)

    assert process.wait(60) == 130
    assert shown.decode().rindex("\x1b[?25h") > shown.decode().rindex("\x1b[?25l"), "the cursor stayed hidden"
    assert "stopped" in shown.decode()
