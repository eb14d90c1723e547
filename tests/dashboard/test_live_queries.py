import json
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from dashboard.context import store
from dashboard.queries.live import Progress, RunPlan, RunSeries, RunWatch, expected_rest_s, watch
from langmarl.store import CallKey, CallRecord, Fingerprint, Metrics, RunDirectory
from langmarl.trajectory import Step, Trajectory
from langmarl.usage import Usage, total
from tests.dashboard.conftest import small_config
from tests.dashboard.waiting import wait_for

POLICIES = {"agent_1": "be brief", "agent_2": "be exact"}


@pytest.fixture
def run(experiments):
    """A run of four iterations of two episodes that nobody has begun."""
    config = small_config(num_iterations=4, trajectories_per_iteration=2, eval_tasks=3, eval_every=2)
    experiments.mkdir()
    found = RunDirectory.create(experiments, config, Fingerprint({"a": "1"}))
    found.checkpoints.save_policies(0, POLICIES)
    return found


def commit(run, iteration, rewards=(0.0, 1.0), roles=None, **stats):
    used = roles or {"actor": Usage(calls=4, input_tokens=100, cost_usd=0.5)}
    stats = {"avg_reward": sum(rewards) / len(rewards), "rewards": list(rewards), "duration_s": 10.0, **stats}
    stats["cost_usd"] = total(used.values()).cost_usd
    stats["usage_by_role"] = {role: usage.to_dict() for role, usage in used.items()}
    run.commit_iteration(iteration, POLICIES, stats)


def call(run, iteration, *, phase="train", role="actor", usage=None, age_s=0.0, turn=0):
    started = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(time.time() - age_s))
    key = CallKey(phase, role, iteration, 0, "agent_1", turn, 0)
    reply = {"text": "ok", "finish_reason": "stop"}
    used = usage or Usage(calls=1, input_tokens=10, cost_usd=0.25)
    run.journal.append(CallRecord(key, "d", "m", "e", {}, reply, None, used, started, 0.0))


def episode(run, iteration, number, message="Paris", reward=0.5):
    run.trajectories.save(
        iteration,
        number,
        Trajectory(
            {"question": f"question {number}?"}, [Step("agent_1", "…", "hm"), Step("agent_2", "…", message)], reward
        ),
    )


# What is read


_opened: list[str] | None = None


def _note(event, arguments):
    if _opened is not None and event in ("open", "os.listdir", "os.scandir") and threading.current_thread() is _asking:
        _opened.append(str(arguments[0]))


_asking = threading.current_thread()
sys.addaudithook(_note)


@contextmanager
def reads_noted():
    """Every file that this thread opens, and every folder that it lists, in the block."""
    global _opened, _asking
    _opened, _asking = noted, _ = [], threading.current_thread()
    try:
        yield noted
    finally:
        _opened = None


def settle():
    """Until a change can no longer fall into the same tick of the file system's clock."""
    time.sleep(0.15)


def test_looking_again_at_an_unchanged_run_reads_nothing(small_run):
    run = store().run(small_run)
    settle()
    watching = RunWatch(run)
    with reads_noted() as first:
        view = watching.look()
    assert any(name.endswith("metrics.json") for name in first)
    with reads_noted() as again:
        assert watching.look() == view
    assert [name for name in again if Path(name).name != ".lock"] == []


def test_looking_again_at_a_run_that_was_broken_off_reads_nothing(run):
    run.write_state("stopped", "asked to stop")
    commit(run, 0)
    commit(run, 1)
    for number in range(2):
        episode(run, 2, number)
    call(run, 2)
    run.layout.log.write_text("a line\n", encoding="utf-8")
    settle()
    watching = RunWatch(run)
    watching.look()
    with reads_noted() as again:
        watching.look()
    assert [name for name in again if Path(name).name != ".lock"] == []


CHANGES = {
    "state": lambda run: run.write_state("stopped", "asked to stop"),
    "iteration": lambda run: commit(run, 0, rewards=(0.0, 0.0)),
    "call": lambda run: call(run, 1),
    "episode": lambda run: episode(run, 1, 0),
    "request": lambda run: run.request_stop(),
    "log": lambda run: run.layout.log.write_text("2026-01-01T00:00:00+00:00 INFO x: more\n", encoding="utf-8"),
    "damage": lambda run: run.layout.config.write_text("[]", encoding="utf-8"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_look_is_like_the_last_one_until_something_changes(run, change):
    commit(run, 0)
    settle()
    watching = RunWatch(run)
    first = watching.look()
    assert watching.look().looks_like(first)
    CHANGES[change](run)
    settle()
    changed = watching.look()
    assert not changed.looks_like(first)
    assert watching.look().looks_like(changed)


def test_only_what_was_appended_to_the_journal_is_parsed(run):
    run.write_state("running")
    watching = RunWatch(run)
    call(run, 0, turn=0)
    assert watching.look().used.calls == 1
    path = run.journal.path(0)
    content = path.read_bytes()
    path.write_bytes(b"x" * (len(content) - 1) + b"\n")  # whoever reads it again would notice
    call(run, 0, turn=1)
    view = watching.look()
    assert view.used.calls == 2
    assert not [problem for problem in view.problems if "journal" in str(problem)]


def test_everybody_who_looks_at_a_run_shares_one_watch(run):
    assert watch(run) is watch(store().run(run.run_id))


# Figures


def test_a_finished_iteration_is_seen_at_the_next_look(run):
    watching = RunWatch(run)
    before = watching.look().series
    assert len(before) == 0
    commit(run, 0, (0.0, 1.0))
    after = watching.look().series
    assert after.mean.tolist() == [0.5]
    settle()
    assert watching.look().series is watching.look().series


def test_usage_counts_every_call_once(run):
    run.write_state("running")
    watching = RunWatch(run)
    call(run, 0)
    assert watching.look().used == Usage(calls=1, input_tokens=10, cost_usd=0.25)
    commit(run, 0, roles={"actor": Usage(calls=1, input_tokens=10, cost_usd=0.25)})
    assert watching.look().used == Usage(calls=1, input_tokens=10, cost_usd=0.25)
    call(run, 1)
    assert watching.look().used.calls == 2


def test_an_evaluation_at_work_counts_until_its_row_does(run):
    run.write_state("running")
    watching = RunWatch(run)
    call(run, 0, phase="eval")
    view = watching.look()
    assert view.progress.evaluating
    assert view.used.calls == 1
    run.metrics.append_evaluation(
        {"checkpoint": 0, "avg_reward": 0.1, "usage": Usage(calls=1, cost_usd=0.25).to_dict()}
    )
    view = watching.look()
    assert not view.progress.evaluating
    assert view.used.calls == 1


def test_calls_that_were_set_aside_stay_paid_for(run):
    commit(run, 0, roles={"actor": Usage(calls=4, cost_usd=1.0)})
    whole = Usage(calls=10, cost_usd=3.0)
    part = Usage(calls=4, cost_usd=1.0)
    run.metrics.set_totals({**whole.to_dict(), "train": part.to_dict(), "eval": Usage().to_dict()})
    view = RunWatch(run).look()
    assert view.used == whole
    assert view.series.spent_usd().tolist() == [3.0]


def test_a_cost_that_is_unknown_anywhere_is_unknown_in_total(run):
    commit(
        run, 0, roles={"actor": Usage(calls=1, input_tokens=5, cost_usd=None), "critic": Usage(calls=1, cost_usd=1.0)}
    )
    assert RunWatch(run).look().used.cost_usd is None


def test_a_torn_last_line_counts_when_it_is_whole(run):
    run.write_state("running")
    watching = RunWatch(run)
    call(run, 0)
    path = run.journal.path(0)
    line = path.read_bytes()
    path.write_bytes(line + line[:40])
    assert watching.look().used.calls == 1
    path.write_bytes(line + line)
    assert watching.look().used.calls == 2


def test_lines_that_are_no_calls_are_told_and_left_out(run):
    run.journal.directory.mkdir()
    call(run, 0)
    with run.journal.path(0).open("ab") as file:
        file.write(b'{"key": 3}\n[]\nnonsense\n')
    view = RunWatch(run).look()
    assert view.used.calls == 1
    assert "3 line(s)" in str(view.problems[-1])


def test_calls_a_second_are_those_of_the_last_moments(run):
    with run.acquire():
        run.write_state("running")
        watching = RunWatch(run)
        for turn in range(3):
            call(run, 0, age_s=600, turn=turn)
        assert watching.look().throughput is None
        for turn in range(3, 9):
            call(run, 0, age_s=5, turn=turn)
        rate = watching.look().throughput
    assert rate.calls_per_s == pytest.approx(6 / rate.over_s)
    assert 4 < rate.over_s < 30


def test_series_take_what_is_no_number_as_unknown():
    rows = [{"iteration": 0, "avg_reward": "high", "rewards": [1, None, "x", 10**400, True], "cost_usd": float("inf"),
             "usage_by_role": [1]}]  # fmt: skip
    series = RunSeries.of(Metrics(rows, [{"checkpoint": 0, "avg_reward": None, "usage": 3}], "best", {"train": 1}))
    assert series.episodes.tolist() == [1.0]
    assert series.highest.tolist() == [1.0]
    assert str(series.mean[0]) == "nan"
    assert series.best is None


def test_a_window_takes_the_evaluations_of_its_checkpoints(run):
    for iteration in range(4):
        commit(run, iteration)
    for checkpoint in (0, 2, 4):
        run.metrics.append_evaluation({"checkpoint": checkpoint, "avg_reward": checkpoint / 10})
    last = RunWatch(run).look().series.last(2)
    assert last.iterations.tolist() == [2, 3]
    assert last.held_out.checkpoints.tolist() == [2, 4]
    assert last.episode_iterations.tolist() == [2, 2, 3, 3]


# Progress


def test_progress_is_counted_from_the_files_of_the_iteration_at_work(run):
    commit(run, 0)
    run.write_state("running")
    watching = RunWatch(run)
    assert watching.look().progress.episodes == 0
    episode(run, 1, 0)
    episode(run, 1, 1)
    run.evaluations.save(1, 0, {"raw_response": "", "per_agent": {}})
    run.gradients.save(1, "agent_1", 0, {"note": "shorter", "credit": 0.1})
    run.gradients.save_update(1, "agent_2", {"accepted": True})
    progress = watching.look().progress
    assert (progress.done, progress.planned) == (1, 4)
    assert (progress.episodes, progress.judged, progress.notes, progress.updates) == (2, 1, 1, 1)
    assert progress.share == pytest.approx(4 / 6)


def test_a_gap_in_the_iterations_is_where_the_run_is(run):
    commit(run, 0)
    commit(run, 2)
    assert RunWatch(run).look().progress.done == 1


def series_of(duration_s, evaluation_s=None):
    evaluations = [] if evaluation_s is None else [{"checkpoint": 0, "duration_s": evaluation_s}]
    return RunSeries.of(Metrics([{"iteration": 0, "duration_s": duration_s}], evaluations))


def test_the_rest_is_what_the_last_iterations_took():
    plan = RunPlan(num_iterations=5, episodes=2, judged=2, num_agents=2)
    progress = Progress(1, 5, episodes=2, episodes_planned=2, judged=1, judged_planned=2, updates_planned=2)
    assert expected_rest_s(progress, plan, series_of(10.0)) == pytest.approx(40 - 5)


def test_the_rest_counts_the_evaluations_that_are_due():
    plan = RunPlan(num_iterations=5, eval_tasks=4, eval_every=2)
    evaluating = Progress(2, 5, evaluating=True, episodes=2, episodes_planned=4)
    assert expected_rest_s(evaluating, plan, series_of(10.0, 4.0)) == pytest.approx(30 + 3 * 4 - 2)  # at 2, 4 and 5
    assert plan.evaluations_from(0) == 4


def test_there_is_no_rest_before_there_is_a_pace():
    assert expected_rest_s(Progress(0, 5), RunPlan(num_iterations=5), RunSeries.of(Metrics())) is None


def test_absurd_numbers_in_a_config_cost_no_time():
    plan = RunPlan.from_config({"num_iterations": 10**15, "eval_tasks": 1, "eval_every": "x", "mini_batch_size": -4})
    assert plan.evaluations_from(1) == 10**15
    assert RunPlan.from_config({"num_iterations": None, "paradigm": 3}) == RunPlan()


# Episodes and log


def test_the_newest_episodes_come_first_with_their_last_message(run):
    watching = RunWatch(run)
    for number in range(8):
        episode(run, 0, number)
        time.sleep(0.005)
    run.trajectories.save_failure(0, 8, "ModelCallError", "no reply")
    shown = watching.look().episodes
    assert [each.episode for each in shown] == ["8", "7", "6", "5", "4", "3"]
    assert shown[0].failure == "ModelCallError: no reply"
    assert (shown[1].task, shown[1].speaker, shown[1].message, shown[1].reward) == (
        "question 7?",
        "agent_2",
        "Paris",
        0.5,
    )


def test_long_and_damaged_episodes_are_only_begun(run):
    episode(run, 0, 0, "x" * 100_000)
    (run.layout.trajectories / "iter_0000" / "episode_0001.json").write_text("{", encoding="utf-8")
    shown = {each.episode: each for each in RunWatch(run).look().episodes}
    assert len(shown["0"].message) < 1000
    assert "cannot be read" in shown["1"].failure


def test_the_log_keeps_its_newest_lines_and_begins_anew_with_a_new_file(run):
    watching = RunWatch(run)
    assert watching.look().log == ()
    run.layout.log.write_text("".join(f"line {place}\n" for place in range(500)), encoding="utf-8")
    log = watching.look().log
    assert (len(log), log[-1]) == (200, "line 499")
    with run.layout.log.open("a", encoding="utf-8") as file:
        file.write("line 500\nhalf")
    assert watching.look().log[-1] == "line 500"
    run.layout.log.write_text("fresh\n", encoding="utf-8")
    assert watching.look().log == ("fresh",)


def test_only_the_end_of_a_large_log_is_read(run):
    run.layout.log.write_text("".join(f"{place:0200d}\n" for place in range(5000)), encoding="utf-8")
    log = RunWatch(run).look().log
    assert (len(log), int(log[-1])) == (200, 4999)


# State


def test_the_owner_is_told_and_whether_it_is_this_process(run):
    watching = RunWatch(run)
    with run.acquire():
        run.write_state("running")
        view = watching.look()
        assert (view.state.state, view.is_ours) == ("running", True)
    run.write_state("completed")
    view = watching.look()
    assert (view.state.state, view.owner, view.is_ours) == ("completed", None, False)


def test_a_run_of_another_process_is_interrupted_when_that_dies(run):
    program = (
        "import sys, time\nfrom langmarl.store import RunDirectory\nrun = RunDirectory.open(sys.argv[1])\n"
        "with run.acquire():\n run.write_state('running')\n print('ready', flush=True)\n time.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(run.path)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        watching = RunWatch(run)
        view = watching.look()
        assert (view.state.state, view.is_ours, view.owner.pid) == ("running", False, process.pid)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    wait_for(lambda: watching.look().state.state == "interrupted", "the run of a dead process counts as interrupted")


# Damage


def test_what_is_damaged_is_told_and_the_last_good_content_stays(run):
    commit(run, 0)
    watching = RunWatch(run)
    assert len(watching.look().series) == 1
    run.layout.metrics.write_text('{"iterations": [', encoding="utf-8")
    run.layout.config.write_text("[]", encoding="utf-8")
    run.layout.state.write_text('{"state": "flying"}', encoding="utf-8")
    view = watching.look()
    told = "\n".join(str(problem) for problem in view.problems)
    assert "metrics.json is damaged" in told
    assert "config.json is damaged" in told
    assert "'flying' is no state" in view.state.reason  # worked out from the other files
    assert len(view.series) == 1
    assert view.plan.num_iterations == 4


def test_a_run_that_vanishes_is_no_exception(run, tmp_path):
    watching = RunWatch(run)
    watching.look()
    run.path.rename(tmp_path / "elsewhere")
    assert watching.look().problems


def test_a_row_without_roles_counts_as_a_whole(run):
    run.commit_iteration(0, POLICIES, {"avg_reward": 0.5, "calls": 3, "input_tokens": 7, "cost_usd": 0.1})
    assert RunWatch(run).look().used == Usage(calls=3, input_tokens=7, cost_usd=0.1)
    assert json.loads(run.layout.metrics.read_text(encoding="utf-8"))["iterations"]
