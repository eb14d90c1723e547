import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.request

import pytest

from dashboard import context
from dashboard.supervisor import CLAIM, Supervisor
from langmarl.errors import ConfigError, UnknownNameError, UserMistake
from langmarl.store import LocalStore
from langmarl.store.lock import is_locked, locked
from langmarl.trainer import make_trainer
from langmarl.trainer.identity import choose_run
from tests.dashboard.conftest import ROOT, small_config, train_small
from tests.dashboard.waiting import wait_for


@pytest.fixture(scope="module")
def slow_llm():
    """The offline model behind a server that takes 100 ms a call: its runs last until they are stopped."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "langmarl", "serve-offline", "--port", str(port), "--latency-ms", "100"]
    process = subprocess.Popen(command, cwd=ROOT)
    wait_for(lambda: _answers(f"http://127.0.0.1:{port}/stats"), "the model's server answers")
    yield {"model_string": "offline", "base_url": f"http://127.0.0.1:{port}/v1", "api_key_env_var": None}
    process.terminate()
    process.wait(timeout=20)


def _answers(url):
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except OSError:
        return False


@pytest.fixture
def supervisor(experiments):
    made = Supervisor(experiments, max_running=1)
    yield made
    made.close(timeout_s=30)


@pytest.fixture
def slow(slow_llm):
    """A config whose run does not end by itself while a test looks at it."""

    def make(**settings):
        return small_config(llm=slow_llm, num_iterations=50, max_workers=2, **settings)

    return make


def state_of(experiments, run_id):
    return LocalStore(experiments).run(run_id).state().state


def wait_for_state(experiments, run_id, *states):
    wait_for(lambda: state_of(experiments, run_id) in states, f"{run_id} is {states}")


def test_a_started_run_is_trained_to_its_end_in_a_thread(supervisor, experiments):
    run_id = supervisor.start(small_config(), "form")
    wait_for_state(experiments, run_id, "completed")
    assert len(LocalStore(experiments).run(run_id).metrics.iterations()) == 2
    wait_for(lambda: not supervisor.running(), "its thread has ended")


def test_one_token_starts_one_run_however_many_clicks(supervisor, experiments, slow):
    barrier, run_ids = threading.Barrier(4), []

    def click():
        barrier.wait()
        run_ids.append(supervisor.start(slow(), "one form", fresh=True))

    clicks = [threading.Thread(target=click) for _ in range(4)]
    for each in clicks:
        each.start()
    for each in clicks:
        each.join()
    assert len(set(run_ids)) == 1
    assert LocalStore(experiments).run_ids() == run_ids[:1]
    assert supervisor.start(slow(), "one form", fresh=True) == run_ids[0]


def test_two_tabs_with_the_same_settings_share_one_run(supervisor, experiments, slow):
    first = supervisor.start(slow(), "tab 1")
    assert supervisor.start(slow(), "tab 2") == first
    assert LocalStore(experiments).run_ids() == [first]


def test_a_token_can_be_used_again_after_a_mistake(supervisor):
    with pytest.raises(ConfigError):
        supervisor.start(small_config(benchmark_path="/nowhere/at-all.json"), "form")
    assert supervisor.start(small_config(), "form")


def test_runs_beyond_the_limit_wait_in_order_and_then_begin(supervisor, experiments, slow):
    first = supervisor.start(slow(exp_name="first"), "1")
    second = supervisor.start(small_config(exp_name="second"), "2")
    third = supervisor.start(small_config(exp_name="third"), "3")
    assert supervisor.running() == [first]
    assert supervisor.positions() == {second: 1, third: 2}
    assert supervisor.is_queued(second)
    assert state_of(experiments, second) == "queued"
    supervisor.stop(first)
    wait_for_state(experiments, third, "completed")
    assert state_of(experiments, second) == "completed"
    assert supervisor.positions() == {}


def test_a_stopped_run_can_be_resumed_and_finishes(supervisor, experiments, slow):
    run_id = supervisor.start(slow(), "form")
    wait_for(lambda: LocalStore(experiments).run(run_id).metrics.iterations(), "an iteration is finished")
    supervisor.stop(run_id)
    assert supervisor.is_stopping(run_id)
    wait_for_state(experiments, run_id, "stopped")
    wait_for(lambda: not supervisor.running(), "its thread has ended")
    done = len(LocalStore(experiments).run(run_id).metrics.iterations())
    assert supervisor.resume(run_id, "resume", {"num_iterations": done + 1}) == run_id
    wait_for_state(experiments, run_id, "completed")
    assert len(LocalStore(experiments).run(run_id).metrics.iterations()) == done + 1


def test_a_run_that_waits_is_stopped_at_once(supervisor, experiments, slow):
    supervisor.start(slow(exp_name="busy"), "1")
    waiting = supervisor.start(small_config(), "2")
    supervisor.stop(waiting)
    assert state_of(experiments, waiting) == "stopped"
    assert supervisor.positions() == {}
    assert not is_locked(experiments / waiting / CLAIM)


def test_a_resumed_run_that_must_wait_is_shown_as_queued(supervisor, experiments, slow):
    early = train_small(experiments, exp_name="early")
    supervisor.start(slow(), "1")
    assert supervisor.resume(early, "2", {"num_iterations": 3}) == early
    assert state_of(experiments, early) == "queued"


def test_settings_that_would_make_it_another_run_are_refused(supervisor, small_run):
    with pytest.raises(UserMistake, match="seed"):
        supervisor.resume(small_run, "form", {"seed": 99})


def test_a_key_goes_nowhere_without_consent(supervisor, experiments, monkeypatch, tmp_path):
    monkeypatch.setenv("LANGMARL_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SOME_SECRET", "s3cret")
    model = {"model_string": "m", "base_url": "https://evil.example/v1", "api_key_env_var": "SOME_SECRET"}
    with pytest.raises(UserMistake, match="SOME_SECRET"):
        supervisor.start(small_config(llm=model), "form")
    assert not experiments.exists()
    run_id = train_small(experiments)
    path = experiments / run_id / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), "llm": model}), encoding="utf-8")
    with pytest.raises(UserMistake, match="SOME_SECRET"):
        supervisor.resume(run_id, "resume")
    assert supervisor.running() == []


def test_an_unknown_run_is_refused(supervisor, experiments):
    with pytest.raises(UnknownNameError):
        supervisor.resume("nothing", "form")
    with pytest.raises(UnknownNameError):
        supervisor.stop("nothing")


def test_closing_brings_waiting_and_running_runs_into_a_state_that_can_be_resumed(supervisor, experiments, slow):
    running = supervisor.start(slow(exp_name="running"), "1")
    waiting = supervisor.start(small_config(exp_name="waiting"), "2")
    wait_for_state(experiments, running, "running")
    assert supervisor.close(timeout_s=30) == []
    assert state_of(experiments, running) == "stopped"
    assert state_of(experiments, waiting) == "interrupted"
    with pytest.raises(UserMistake, match="stopped"):
        supervisor.start(small_config(), "3")
    assert Supervisor(experiments).resume(waiting, "4") == waiting
    wait_for_state(experiments, waiting, "completed")


def test_closing_gives_up_waiting_for_a_call_and_says_for_which_run(supervisor, experiments, slow):
    run_id = supervisor.start(slow(), "1")
    wait_for_state(experiments, run_id, "running")
    assert supervisor.close(timeout_s=0) == [run_id]


def test_a_second_supervisor_leaves_the_first_ones_runs_alone(supervisor, experiments, slow):
    running = supervisor.start(slow(exp_name="running"), "1")
    waiting = supervisor.start(small_config(exp_name="waiting"), "2")
    wait_for_state(experiments, running, "running")
    second = Supervisor(experiments)
    assert second.recover() == []
    assert second.start(slow(exp_name="running"), "3") == running
    assert second.resume(waiting, "4") == waiting
    assert second.running() == []
    assert second.positions() == {}
    assert state_of(experiments, waiting) == "queued"
    second.stop(waiting)  # only asks: it is not the second one's
    supervisor.stop(running)
    wait_for_state(experiments, waiting, "stopped")


def test_a_hot_reload_keeps_the_supervisor(experiments, monkeypatch):
    before = context.supervisor()
    for name in [name for name in sys.modules if name == "dashboard" or name.startswith("dashboard.")]:
        monkeypatch.delitem(sys.modules, name)
    from dashboard import context as reloaded

    assert reloaded is not context
    assert reloaded.supervisor() is before


def test_a_waiting_run_whose_server_died_becomes_interrupted(supervisor, experiments):
    trainer = make_trainer(small_config())
    store = LocalStore(experiments)
    left = choose_run(store, trainer.config, trainer.env).run.run_id
    claimed = choose_run(store, trainer.config, trainer.env, fresh=True).run
    with locked(claimed.path / CLAIM):
        assert supervisor.recover() == [left]
        assert claimed.state().state == "queued"
    assert state_of(experiments, left) == "interrupted"
    assert supervisor.resume(left, "form") == left
    wait_for_state(experiments, left, "completed")


def test_a_run_whose_process_was_killed_is_interrupted_and_can_be_resumed(supervisor, experiments, slow, tmp_path):
    process, run_id = _train_in_shell(slow(), tmp_path, experiments)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=30)
    assert state_of(experiments, run_id) == "interrupted"
    assert supervisor.recover() == []
    assert supervisor.resume(run_id, "form", {"num_iterations": 1}) == run_id
    wait_for_state(experiments, run_id, "completed")


def test_a_run_that_the_shell_owns_is_left_alone_and_can_be_stopped(supervisor, experiments, slow, tmp_path):
    process, run_id = _train_in_shell(slow(), tmp_path, experiments)
    assert supervisor.start(slow(experiment_dir=str(experiments)), "form") == run_id
    assert supervisor.running() == []
    assert state_of(experiments, run_id) == "running"
    supervisor.stop(run_id)
    assert process.wait(timeout=60) == 130
    assert state_of(experiments, run_id) == "stopped"


def test_a_run_that_fails_before_its_training_begins_says_why(supervisor, experiments, slow):
    busy = supervisor.start(slow(exp_name="busy"), "1")
    waiting = supervisor.start(small_config(), "2")
    (experiments / waiting / "config.json").unlink()
    (experiments / waiting / "config.json").mkdir()
    supervisor.stop(busy)
    wait_for_state(experiments, waiting, "failed")
    assert LocalStore(experiments).run(waiting).state().reason


def _train_in_shell(config, tmp_path, experiments):
    """A run of another process, once it is being trained."""
    path = tmp_path / "config.json"
    config.model_copy(update={"experiment_dir": str(experiments)}).to_json(path)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LANGMARL_NO_DOTENV": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "langmarl", "train", str(path)], env=environment, stderr=subprocess.DEVNULL
    )
    store = LocalStore(experiments)
    wait_for(lambda: store.run_ids() and store.run("latest").state().state == "running", "the shell trains")
    return process, store.run_ids()[0]
