from __future__ import annotations

import json
import os
import shutil
import stat
import threading
from functools import partial
from pathlib import Path

import pytest

from langmarl.config import LanguageTaskConfig, load_config
from langmarl.errors import UnknownNameError, UserMistake
from langmarl.store import CallRecord, Fingerprint, LocalStore, RunDirectory
from langmarl.trajectory import Trajectory
from tests.store.processes import die_at_rename
from tests.store.test_journal import RECORD

POLICIES = {"agent_1": "a", "agent_2": "b"}


def test_a_new_run_holds_what_it_is(run: RunDirectory, config: LanguageTaskConfig, fingerprint: Fingerprint) -> None:
    assert run.state().state == "queued"
    manifest = run.manifest
    assert (manifest.run_id, manifest.exp_name, manifest.env) == (run.path.name, "demo", "language")
    assert manifest.fingerprint == fingerprint
    assert manifest.created_ns > 0
    assert manifest.start_iteration is None
    written = json.loads((run.path / "run.json").read_text(encoding="utf-8"))
    assert written["fingerprint"]["digest"] == fingerprint.digest
    assert load_config(run.path / "config.json") == config
    assert run.config_data()["exp_name"] == "demo"


def test_the_directory_is_named_by_experiment_and_time(run: RunDirectory) -> None:
    assert run.path.name.startswith("demo_20")
    assert len(run.path.name) == len("demo_20260101_120000")


def test_runs_of_one_second_get_a_suffix_and_keep_their_order(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    runs = [RunDirectory.create(store.base_dir, config, fingerprint) for _ in range(12)]
    assert len({run.run_id for run in runs}) == 12
    assert any(run.run_id.endswith("_2") for run in runs)
    assert store.run_ids() == [run.run_id for run in reversed(runs)]


def test_the_order_survives_a_clock_that_was_set_back(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    ahead = RunDirectory.create(store.base_dir, config, fingerprint)
    manifest = json.loads(ahead.layout.manifest.read_text(encoding="utf-8"))
    manifest["created_ns"] += 10**18
    ahead.layout.manifest.write_text(json.dumps(manifest), encoding="utf-8")
    later = RunDirectory.create(store.base_dir, config, fingerprint)
    assert store.run_ids() == [later.run_id, ahead.run_id]


def test_creations_at_the_same_instant_are_all_whole(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    barrier = threading.Barrier(4)
    created: list[RunDirectory] = []

    def create() -> None:
        barrier.wait()
        created.append(RunDirectory.create(store.base_dir, config, fingerprint))

    threads = [threading.Thread(target=create) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(store.run_ids()) == sorted(run.run_id for run in created)
    assert all(run.manifest.run_id == run.run_id for run in created)


def test_a_creation_killed_anywhere_leaves_no_half_run(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    number = 1
    while die_at_rename(number, lambda: RunDirectory.create(store.base_dir, config, fingerprint)):
        assert store.run_ids() == []
        number += 1
    assert number > 3
    assert [store.run(run_id).state().state for run_id in store.run_ids()] == ["queued"]


def test_leftovers_of_killed_creations_are_removed_after_a_while(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    die_at_rename(3, lambda: RunDirectory.create(store.base_dir, config, fingerprint))
    [leftover] = store.base_dir.glob(".new-*")
    store.find_or_create(config, fingerprint)
    assert leftover.exists()
    os.utime(leftover, (1, 1))
    store.find_or_create(config, fingerprint, fresh=True)
    assert not leftover.exists()


def test_checkpoints_elsewhere_are_found_again(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint, tmp_path: Path
) -> None:
    run = RunDirectory.create(store.base_dir, config, fingerprint, checkpoint_dir=tmp_path / "elsewhere")
    run.checkpoints.save_policies(0, POLICIES)
    assert (tmp_path / "elsewhere" / run.run_id / "iter_0000" / "agent_1.txt").is_file()
    assert RunDirectory.open(run.path).checkpoints.get_policies(0) == POLICIES
    assert not (run.path / "checkpoints").exists()


def test_two_experiment_folders_do_not_share_checkpoints(
    config: LanguageTaskConfig, fingerprint: Fingerprint, tmp_path: Path
) -> None:
    runs = [
        RunDirectory.create(tmp_path / folder, config, fingerprint, checkpoint_dir=tmp_path / "shared")
        for folder in ("one", "two", "three")
    ]
    assert len({run.layout.checkpoints for run in runs}) == 3


def test_a_copied_run_uses_the_checkpoints_it_brought_along(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint, tmp_path: Path
) -> None:
    run = RunDirectory.create(store.base_dir, config, fingerprint, checkpoint_dir=tmp_path / "elsewhere")
    run.checkpoints.save_policies(0, POLICIES)
    run.layout.checkpoints.rename(run.path / "checkpoints")
    assert RunDirectory.open(run.path).checkpoints.get_policies(0) == POLICIES


def test_a_folder_that_cannot_be_written_says_what_to_do(
    config: LanguageTaskConfig, fingerprint: Fingerprint, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserMistake, match="experiment_dir"):
        RunDirectory.create(tmp_path / "file", config, fingerprint)


def test_a_checkpoint_folder_that_cannot_be_written_leaves_no_run(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserMistake, match="checkpoint_dir"):
        RunDirectory.create(store.base_dir, config, fingerprint, checkpoint_dir=tmp_path / "file")
    assert list(store.base_dir.iterdir()) == []


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="is no run"):
        RunDirectory.open(tmp_path)


@pytest.mark.parametrize("content", ["{", "{}", '{"schema_version": 99}'])
def test_a_damaged_or_newer_manifest_is_named(run: RunDirectory, content: str) -> None:
    run.layout.manifest.write_text(content, encoding="utf-8")
    with pytest.raises(UserMistake, match=r"run\.json"):
        RunDirectory.open(run.path)


def test_a_saved_config_replaces_the_old_one(run: RunDirectory, config: LanguageTaskConfig) -> None:
    more = config.model_copy(update={"num_iterations": 42})
    run.save_config(more)
    assert load_config(run.path / "config.json") == more


def test_no_key_is_written(store: LocalStore, fingerprint: Fingerprint) -> None:
    key = "sk-planted-1234567890"
    llm = {"name": "x", "model_string": "x", "base_url": "https://example.org/v1", "api_key": key}
    config = LanguageTaskConfig.from_dict({"llm": llm})
    run = RunDirectory.create(store.base_dir, config, Fingerprint.of(config))
    assert all(key not in path.read_text(encoding="utf-8") for path in run.path.rglob("*") if path.is_file())


def test_others_may_read_a_run(run: RunDirectory) -> None:
    assert run.path.stat().st_mode & stat.S_IROTH == (run.path.parent.stat().st_mode & stat.S_IROTH)


def test_states_are_written_with_reason_and_remedy(run: RunDirectory) -> None:
    written = run.write_state("failed", "the key was refused", "Set the key.")
    assert run.state() == run.stored_state() == written
    assert (written.reason, written.remedy) == ("the key was refused", "Set the key.")
    with pytest.raises(ValueError, match="unknown state"):
        run.write_state("happy")  # type: ignore[arg-type]


@pytest.mark.parametrize("content", [None, "{}", '{"state": "happy", "updated_at": "x"}'])
def test_a_lost_state_is_worked_out_and_written_by_the_next_owner(
    run: RunDirectory, content: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    run.layout.state.unlink()
    if content is not None:
        run.layout.state.write_text(content, encoding="utf-8")
    assert run.state().state == "interrupted"
    assert "state.json" in (run.state().reason or "")
    with run.acquire():
        assert run.state().state == "interrupted"
        assert json.loads(run.layout.state.read_text(encoding="utf-8"))["state"] == "interrupted"
    assert caplog.text.count("state.json") == 1


def test_a_lost_state_of_a_run_with_all_its_iterations_is_completed(run: RunDirectory) -> None:
    run.checkpoints.save_policies(0, POLICIES)
    for iteration in range(5):
        run.layout.state.unlink(missing_ok=True)
        assert run.state().state == "interrupted"
        run.commit_iteration(iteration, POLICIES, {})
    assert run.state().state == "completed"


def test_a_lost_state_of_a_run_that_is_being_written_is_running(run: RunDirectory) -> None:
    with run.acquire():
        run.layout.state.unlink()
        assert run.state().state == "running"


def test_a_state_of_a_newer_version_is_refused(run: RunDirectory) -> None:
    run.layout.state.write_text('{"schema_version": 99, "state": "completed"}', encoding="utf-8")
    with pytest.raises(UserMistake, match="newer LangMARL"):
        run.state()
    with pytest.raises(UserMistake, match="newer LangMARL"), run.acquire():
        pass


@pytest.mark.parametrize("content", [None, "{"])
def test_a_lost_config_says_how_to_get_it_back(run: RunDirectory, content: str | None) -> None:
    run.layout.config.unlink()
    if content is not None:
        run.layout.config.write_text(content, encoding="utf-8")
    with pytest.raises(UserMistake, match=r"config\.json is (missing|damaged)(.|\n)*writes this file anew"):
        run.config_data()


def test_the_iteration_in_progress_is_the_first_that_left_neither_figures_nor_checkpoint(run: RunDirectory) -> None:
    run.checkpoints.save_policies(0, POLICIES)
    for iteration in range(3):
        run.commit_iteration(iteration, POLICIES, {})
    run.checkpoints.delete(2)
    assert (run.iterations_done(), run.iteration_in_progress()) == (1, 3)
    run.layout.metrics.unlink()
    run.checkpoints.save_policies(2, POLICIES)
    assert (run.iterations_done(), run.iteration_in_progress()) == (0, 3)


def test_a_stop_can_be_requested_seen_and_forgotten(run: RunDirectory) -> None:
    other = RunDirectory.open(run.path)
    assert not run.stop_requested()
    other.request_stop()
    assert run.stop_requested()
    run.clear_stop()
    run.clear_stop()
    assert not other.stop_requested()
    (run.path / "stop").touch()
    assert run.stop_requested()


def test_a_committed_iteration_is_finished(run: RunDirectory) -> None:
    run.checkpoints.save_policies(0, POLICIES)
    assert run.iterations_done() == 0
    run.trajectories.save(0, 0, Trajectory({}, [], 1.0))
    run.journal.append(RECORD)
    run.commit_iteration(0, {"agent_1": "a2", "agent_2": "b2"}, {"avg_reward": 0.5}, totals={"total_tokens": 7})
    assert run.is_finished(0)
    assert run.iterations_done() == 1
    assert run.checkpoints.get_policies(1) == {"agent_1": "a2", "agent_2": "b2"}
    assert run.metrics.read().iterations == [{"iteration": 0, "avg_reward": 0.5}]
    assert run.metrics.read().totals == {"total_tokens": 7}


def test_a_commit_killed_anywhere_is_finished_or_not_and_can_be_repeated(run: RunDirectory) -> None:
    run.checkpoints.save_policies(0, POLICIES)

    def commit() -> None:
        run.commit_iteration(0, {"agent_1": "new"}, {"avg_reward": 0.5})

    number = 1
    while die_at_rename(number, commit):
        assert not run.is_finished(0)
        assert run.iterations_done() == 0
        assert run.checkpoints.get_policies(0) == POLICIES
        number += 1
    assert number > 3
    assert run.iterations_done() == 1
    assert run.checkpoints.get_policies(1) == {"agent_1": "new"}
    for leftover in run.path.glob("*.tmp"):
        os.utime(leftover, (1, 1))
    with run.acquire():
        assert not list(run.path.rglob("*.tmp"))


def test_an_iteration_needs_both_its_metrics_and_its_checkpoint(run: RunDirectory) -> None:
    run.checkpoints.save_policies(0, POLICIES)
    run.checkpoints.save_policies(1, POLICIES)
    assert run.iterations_done() == 0
    run.metrics.append_iteration({"iteration": 0})
    run.metrics.append_iteration({"iteration": 1})
    assert run.iterations_done() == 1
    assert not run.is_finished(1)


def set_up_three_iterations(run: RunDirectory) -> None:
    """Three finished iterations and a begun fourth, everything in place."""
    run.checkpoints.save_policies(0, {"agent_1": "v0"})
    for iteration in range(4):
        run.tasks.save(iteration, [{"id": iteration}])
        run.trajectories.save(iteration, 0, Trajectory({}, [], iteration))
        run.held_out.save(iteration, 0, Trajectory({}, [], iteration))
        run.evaluations.save(iteration, 0, {"iteration": iteration})
        run.gradients.save_merged(iteration, "agent_1", {"iteration": iteration})
        for phase in ("train", "eval"):
            run.journal.append(call(phase, iteration))
        run.metrics.append_evaluation({"checkpoint": iteration})
        if iteration < 3:
            run.commit_iteration(iteration, {"agent_1": f"v{iteration + 1}"}, {"avg_reward": iteration})
    run.metrics.set_best_checkpoint(3)
    run.metrics.set_totals({"total_tokens": 99})


def call(phase: str, iteration: int) -> CallRecord:
    data = RECORD.to_dict()
    return CallRecord.from_dict({**data, "key": {**data["key"], "phase": phase, "iteration": iteration}})


def check_set_aside_at_1(run: RunDirectory) -> None:
    """Everything before iteration 1 is in place, everything from there on is put away, nothing is lost."""
    assert run.checkpoints.iterations() == [0, 1]
    assert run.iterations_done() == 1
    for store in (run.trajectories, run.evaluations, run.gradients):
        assert store.iterations() == [0]
    assert run.held_out.iterations() == [0, 1]
    assert [run.tasks.get(iteration) for iteration in range(3)] == [[{"id": 0}], None, None]
    kept = [(record.key.phase, record.key.iteration) for record in run.journal.read_all()]
    assert kept == [("train", 0), ("eval", 0), ("eval", 1)]
    away = sorted((record.key.iteration, record.key.phase) for record in run.journal.read_set_aside())
    assert away == [(1, "train"), (2, "eval"), (2, "train"), (3, "eval"), (3, "train")]
    metrics = run.metrics.read()
    assert [row["iteration"] for row in metrics.iterations] == [0]
    assert [row["checkpoint"] for row in metrics.evaluations] == [0, 1]
    assert metrics.best_checkpoint is None
    assert metrics.totals == {"total_tokens": 99}
    folder = run.path / "set_aside" / "1"
    assert sorted(entry.name for entry in (folder / "checkpoints").iterdir()) == ["iter_0002", "iter_0003"]
    assert sorted(entry.name for entry in (folder / "trajectories").iterdir()) == [
        "iter_0001", "iter_0002", "iter_0003",
    ]  # fmt: skip
    assert len(json.loads((folder / "metrics.json").read_text(encoding="utf-8"))["iterations"]) == 3
    assert run.manifest.start_iteration == 1
    assert [(entry.number, entry.iteration, entry.complete) for entry in run.manifest.set_aside] == [(1, 1, True)]


def test_set_aside_puts_away_what_lies_beyond(run: RunDirectory) -> None:
    set_up_three_iterations(run)
    recorded = run.set_aside(1)
    assert (recorded.number, recorded.iteration) == (1, 1)
    check_set_aside_at_1(run)


def test_set_aside_killed_anywhere_is_completed_by_the_next_owner(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    original = RunDirectory.create(store.base_dir, config, fingerprint)
    set_up_three_iterations(original)
    number = 1
    while True:
        run = RunDirectory.open(shutil.copytree(original.path, store.base_dir / f"copy_{number}"))
        if not die_at_rename(number, partial(run.set_aside, 1)):
            break
        if number == 1:
            run.set_aside(1)  # killed before it was announced: nothing to complete
        elif number % 2:
            run.set_aside(1)
        else:
            with run.acquire():
                pass
        check_set_aside_at_1(run)
        number += 1
    assert number > 15


def test_set_aside_twice_keeps_both(run: RunDirectory) -> None:
    set_up_three_iterations(run)
    run.set_aside(2)
    run.trajectories.save(2, 0, Trajectory({}, [], 7.0))
    run.commit_iteration(2, {"agent_1": "other"}, {"avg_reward": 7})
    run.set_aside(0)
    assert run.manifest.start_iteration == 0
    assert run.checkpoints.iterations() == [0]
    assert (run.path / "set_aside" / "1" / "checkpoints" / "iter_0003").is_dir()
    assert (run.path / "set_aside" / "2" / "checkpoints" / "iter_0003").is_dir()
    assert (run.path / "set_aside" / "2" / "trajectories" / "iter_0002" / "episode_0000.json").is_file()


def test_set_aside_with_nothing_beyond_is_recorded_all_the_same(run: RunDirectory) -> None:
    run.checkpoints.save_policies(0, POLICIES)
    run.set_aside(0)
    assert run.manifest.start_iteration == 0
    assert run.checkpoints.get_policies() == POLICIES


def test_set_aside_works_with_checkpoints_elsewhere(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint, tmp_path: Path
) -> None:
    run = RunDirectory.create(store.base_dir, config, fingerprint, checkpoint_dir=tmp_path / "elsewhere")
    set_up_three_iterations(run)
    run.set_aside(1)
    assert run.checkpoints.iterations() == [0, 1]
    assert (tmp_path / "elsewhere" / run.run_id / "set_aside" / "1" / "iter_0003" / "agent_1.txt").is_file()


def test_set_aside_needs_the_checkpoint_to_start_from(run: RunDirectory) -> None:
    run.checkpoints.save_policies(0, POLICIES)
    with pytest.raises(UnknownNameError, match=r"unknown checkpoint '3'(.|\n)*Known: 0"):
        run.set_aside(3)
    assert run.manifest.set_aside == ()
