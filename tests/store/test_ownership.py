from __future__ import annotations

import json
import os
import re
import signal
import socket
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from langmarl.errors import RunOwnedError
from langmarl.store import RunDirectory, ownership
from langmarl.store.lock import LockTimeoutError, is_locked, locked
from tests.store.processes import FORK, kill, running


def own(run: RunDirectory, ready: Callable[[], None]) -> None:
    """Own ``run``, in state running, until killed."""
    with run.acquire():
        run.write_state("running")
        ready()
        signal.pause()


def write_owner(run: RunDirectory, *, boot_id: str, age_s: float, host: str = "elsewhere") -> None:
    moment = (datetime.now(UTC) - timedelta(seconds=age_s)).isoformat()
    owner = {"pid": 4321, "boot_id": boot_id, "host": host, "started_at": moment, "heartbeat_at": moment}
    run.layout.owner.write_text(json.dumps(owner), encoding="utf-8")


def test_an_owner_says_who_it_is_and_lets_go(run: RunDirectory) -> None:
    assert run.owner is None
    with run.acquire() as owner:
        assert (owner.pid, owner.host) == (os.getpid(), socket.gethostname())
        assert run.owner == owner
        assert json.loads((run.path / "owner.json").read_text(encoding="utf-8"))["pid"] == os.getpid()
    assert run.owner is None
    assert not (run.path / "owner.json").exists()
    with run.acquire():
        pass


def test_a_run_is_let_go_when_the_work_fails(run: RunDirectory) -> None:
    with pytest.raises(ZeroDivisionError), run.acquire():
        _ = 1 / 0
    assert run.owner is None
    with run.acquire():
        pass


def test_a_second_owner_is_told_where_the_first_one_is(run: RunDirectory) -> None:
    with running(partial(own, run)) as process:
        who = re.escape(f"process {process.pid} on {socket.gethostname()} since 20")
        with pytest.raises(RunOwnedError, match=f"{run.run_id} is being written by {who}"), run.acquire():
            pass
        assert run.owner is not None
        assert run.owner.pid == process.pid


def test_a_second_owner_in_the_same_process_is_refused(run: RunDirectory) -> None:
    with run.acquire(), pytest.raises(RunOwnedError), RunDirectory.open(run.path).acquire():
        pass


def test_a_killed_owner_frees_the_run_and_leaves_it_interrupted(run: RunDirectory) -> None:
    with running(partial(own, run)) as process:
        assert run.state().state == "running"
        kill(process)
        state = run.state()
        assert state.state == "interrupted"
        assert f"process {process.pid}" in (state.reason or "")
        assert state.remedy
        assert run.stored_state().state == "running"
        assert run.owner is None
    with run.acquire():
        assert run.state().state == "running"


def test_a_worker_that_outlives_its_owner_does_not_keep_the_run(run: RunDirectory) -> None:
    receiver, sender = FORK.Pipe(duplex=False)

    def own_with_worker(ready: Callable[[], None]) -> None:
        with run.acquire():
            worker = FORK.Process(target=signal.pause)
            worker.start()
            sender.send(worker.pid)
            ready()
            signal.pause()

    with running(own_with_worker) as process:
        worker = receiver.recv()
        try:
            assert is_locked(run.layout.lock)
            kill(process)
            os.kill(worker, 0)  # it does live
            assert not is_locked(run.layout.lock)
            with run.acquire():
                pass
        finally:
            os.kill(worker, signal.SIGKILL)


def test_a_worker_that_ends_does_not_free_the_run(run: RunDirectory) -> None:
    with run.acquire():
        worker = FORK.Process(target=int)
        worker.start()
        worker.join()
        assert is_locked(run.layout.lock)
        assert run.owner is not None


def test_a_queued_or_ended_run_needs_no_owner(run: RunDirectory) -> None:
    for state in ("queued", "completed", "stopped", "budget_reached", "failed"):
        run.write_state(state)  # type: ignore[arg-type]
        assert run.state().state == state


def test_running_without_any_owner_is_interrupted(run: RunDirectory) -> None:
    run.write_state("running")
    assert run.state().state == "interrupted"


def test_a_beating_owner_on_another_host_counts_as_alive(run: RunDirectory) -> None:
    run.write_state("running")
    write_owner(run, boot_id="another-kernel", age_s=1)
    assert run.state().state == "running"
    with pytest.raises(RunOwnedError, match="process 4321 on elsewhere"), run.acquire():
        pass


def test_a_silent_owner_on_another_host_counts_as_dead(run: RunDirectory) -> None:
    run.write_state("running")
    write_owner(run, boot_id="another-kernel", age_s=ownership.STALE_S + 1)
    assert run.state().state == "interrupted"
    with run.acquire() as owner:
        assert owner.pid == os.getpid()


def test_an_owner_on_this_host_is_judged_by_its_lock_alone(run: RunDirectory) -> None:
    run.write_state("running")
    boot_id = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    write_owner(run, boot_id=boot_id, age_s=0, host=socket.gethostname())
    assert run.state().state == "interrupted"
    with run.acquire():
        pass


@pytest.mark.parametrize("content", ["{", "{}", '{"heartbeat_at": "yesterday"}', '{"schema_version": 99}'])
def test_a_damaged_owner_file_stands_in_nobodys_way(run: RunDirectory, content: str) -> None:
    run.layout.owner.write_text(content, encoding="utf-8")
    assert run.owner is None
    with run.acquire():
        assert run.owner is not None


def test_the_heart_beats_while_the_run_is_owned(run: RunDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ownership, "HEARTBEAT_S", 0.01)
    changed = threading.Event()
    with run.acquire() as owner:
        while not changed.wait(0.01):
            current = run.owner
            assert current is not None
            if current.heartbeat_at > owner.heartbeat_at:
                assert current.started_at == owner.started_at
                changed.set()
    assert "langmarl-heartbeat" not in [thread.name for thread in threading.enumerate()]


def test_looking_does_not_keep_anybody_from_owning(run: RunDirectory) -> None:
    ended = threading.Event()

    def look() -> None:
        while not ended.is_set():
            is_locked(run.layout.lock)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        for _ in range(20):
            with run.acquire():
                pass
    finally:
        ended.set()
        watcher.join()


def test_a_lock_can_be_waited_for(tmp_path: Path) -> None:
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with locked(tmp_path / "lock"):
            held.set()
            release.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    with pytest.raises(LockTimeoutError), locked(tmp_path / "lock", patience_s=0):
        pass
    release.set()
    with locked(tmp_path / "lock"):
        assert is_locked(tmp_path / "lock")
    holder.join()
    assert not is_locked(tmp_path / "lock")
    assert not is_locked(tmp_path / "no such lock")
