from __future__ import annotations

import json
import logging
import shutil
import sqlite3
from functools import partial
from pathlib import Path

import pytest

from langmarl.config import LanguageTaskConfig
from langmarl.errors import UnknownNameError, UserMistake
from langmarl.store import Fingerprint, Index, LocalStore, RunDirectory
from langmarl.store.index import IndexUnusableError, Reconciled
from langmarl.usage import Usage
from tests.store.processes import kill, running, together
from tests.store.test_ownership import own
from tests.store.test_spending import record

NOTHING = Reconciled([], [], [])


@pytest.fixture
def index(store: LocalStore) -> Index:
    return Index(store.base_dir)


def make_run(store: LocalStore, exp_name: str = "demo", rewards: tuple[float, ...] = ()) -> RunDirectory:
    config = LanguageTaskConfig(llm="offline", exp_name=exp_name)
    run = store.find_or_create(config, Fingerprint.of(config), fresh=True).run
    run.checkpoints.save_policies(0, {"agent_1": ""})
    for iteration, reward in enumerate(rewards):
        stats = {"avg_reward": reward, "total_tokens": 10, "cost_usd": 0.5, "num_episodes": 3}
        run.commit_iteration(iteration, {"agent_1": ""}, stats)
    return run


def test_a_row_says_what_a_list_of_runs_shows(store: LocalStore, index: Index) -> None:
    run = make_run(store, rewards=(0.25, 0.75, 0.5))
    run.metrics.set_best_checkpoint(2)
    run.write_state("failed", "the key was refused")
    index.update_run(run)
    [row] = index.runs()
    assert (row.run_id, row.exp_name, row.env, row.task_type) == (run.run_id, "demo", "language", "qa")
    assert (row.paradigm, row.state, row.reason) == ("central_credit", "failed", "the key was refused")
    assert row.models == {"actor": "offline", "critic": "offline", "optimizer": "offline"}
    assert (row.iterations_done, row.num_iterations) == (3, 5)
    assert (row.first_reward, row.best_reward, row.last_reward) == (0.25, 0.75, 0.5)
    assert (row.best_checkpoint, row.total_tokens, row.cost_usd) == (2, 30, 1.5)
    assert (row.created_at, row.created_ns) == (run.manifest.created_at, run.manifest.created_ns)
    assert row.updated_at == run.state().updated_at
    assert Path(row.path) == run.path.resolve()


def test_models_are_named_by_role(store: LocalStore, index: Index) -> None:
    llm = {"name": "mine", "model_string": "big-model", "base_url": "http://127.0.0.1:1/v1"}
    config = LanguageTaskConfig.from_dict({"llm": "offline", "critic_llm": llm, "judge_llm": llm})
    index.update_run(RunDirectory.create(store.base_dir, config, Fingerprint.of(config)))
    assert index.runs()[0].models == {
        "actor": "offline", "critic": "big-model", "optimizer": "offline", "judge": "big-model",
    }  # fmt: skip


def test_the_totals_count_before_the_rows_and_unknown_cost_stays_unknown(store: LocalStore, index: Index) -> None:
    run = make_run(store, rewards=(0.5,))
    run.metrics.set_totals({"total_tokens": 12, "cost_usd": None})
    index.update_run(run)
    assert (index.runs()[0].total_tokens, index.runs()[0].cost_usd) == (12, None)


def test_iterations_have_rows(store: LocalStore, index: Index) -> None:
    run = make_run(store, rewards=(0.25, 0.75))
    index.update_run(run)
    index.update_run(run)
    rows = index.iterations(run.run_id)
    assert [(row.iteration, row.avg_reward, row.total_tokens, row.cost_usd) for row in rows] == [
        (0, 0.25, 10, 0.5), (1, 0.75, 10, 0.5),
    ]  # fmt: skip
    assert rows[0].min_reward is None
    assert index.iterations("unknown") == []


def test_a_reward_that_is_no_number_is_unknown(store: LocalStore, index: Index) -> None:
    index.update_run(make_run(store, rewards=(float("nan"), 0.5)))
    assert index.runs()[0].first_reward == 0.5


def test_files_edited_by_hand_break_no_list_of_runs(store: LocalStore, index: Index) -> None:
    run = make_run(store)
    run.write_state("failed", "half of an emoji: \ud83d")
    stats = {"avg_reward": 1.0, "total_tokens": "many", "num_episodes": 2**70, "cost_usd": None}
    run.commit_iteration(0, {"agent_1": ""}, stats)
    data = json.loads(run.layout.config.read_text(encoding="utf-8"))
    run.layout.config.write_text(json.dumps({**data, "task_type": ["qa"], "num_iterations": "5"}), encoding="utf-8")
    index.reconcile()
    [row] = index.runs()
    assert (row.reason, row.task_type, row.num_iterations) == ("half of an emoji: ?", None, None)
    assert row.total_tokens == 0


def test_reconcile_adds_updates_and_removes(store: LocalStore, index: Index) -> None:
    one, two = make_run(store, "one"), make_run(store, "two")
    assert index.reconcile() == Reconciled(sorted([one.run_id, two.run_id]), [], [])
    assert index.reconcile() == NOTHING
    one.write_state("completed")
    three = make_run(store, "three")
    shutil.rmtree(two.path)
    assert index.reconcile() == Reconciled([three.run_id], [one.run_id], [two.run_id])
    assert {row.run_id: row.state for row in index.runs()} == {one.run_id: "completed", three.run_id: "queued"}
    assert index.iterations(two.run_id) == []


def test_reconcile_notices_a_replaced_file_of_equal_size(store: LocalStore, index: Index) -> None:
    run = make_run(store, rewards=(0.25,))
    index.reconcile()
    path = run.layout.metrics
    path.write_text(path.read_text(encoding="utf-8").replace("0.25", "0.75"), encoding="utf-8")
    assert index.reconcile().updated == [run.run_id]
    assert index.runs()[0].last_reward == 0.75


def test_reconcile_notices_a_process_that_died(store: LocalStore, index: Index) -> None:
    run = make_run(store)
    with running(partial(own, run)) as process:
        index.reconcile()
        assert index.runs()[0].state == "running"
        assert index.reconcile() == NOTHING
        kill(process)
    assert index.reconcile().updated == [run.run_id]
    assert index.runs()[0].state == "interrupted"


def test_a_moved_folder_keeps_its_index_right(store: LocalStore, index: Index, tmp_path: Path) -> None:
    run = make_run(store)
    index.reconcile()
    store.base_dir.rename(tmp_path / "moved")
    moved = Index(tmp_path / "moved")
    assert moved.reconcile().updated == [run.run_id]
    assert Path(moved.runs()[0].path) == tmp_path / "moved" / run.run_id


def test_a_damaged_run_is_left_out(store: LocalStore, index: Index, caplog: pytest.LogCaptureFixture) -> None:
    good, bad = make_run(store, "good"), make_run(store, "bad")
    index.reconcile()
    bad.layout.metrics.write_text("{", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        changes = index.reconcile()
    assert (changes.added, changes.updated, changes.removed) == ([], [], [bad.run_id])
    assert list(changes.unreadable) == [bad.run_id]
    assert caplog.text.count("metrics.json is damaged") == 1
    caplog.clear()
    assert "metrics.json is damaged" in index.reconcile(quiet=True).unreadable[bad.run_id]
    assert caplog.text == ""
    assert [row.run_id for row in index.runs()] == [good.run_id]


def test_runs_are_filtered_ordered_and_paged(store: LocalStore, index: Index) -> None:
    make_run(store, "a", rewards=(0.5,))
    make_run(store, "b", rewards=(0.9,)).write_state("completed")
    make_run(store, "b")
    index.reconcile()

    def names(**arguments: object) -> list[str]:
        return [row.exp_name for row in index.runs(**arguments)]  # type: ignore[arg-type]

    assert names() == ["b", "b", "a"]
    assert names(order="created_ns") == ["a", "b", "b"]
    assert [row.best_reward for row in index.runs(order="-best_reward")] == [0.9, 0.5, None]
    assert [row.best_reward for row in index.runs(order="best_reward")] == [0.5, 0.9, None]
    assert names(limit=1, offset=2) == ["a"]
    assert names(state="completed") == ["b"]
    assert names(state=["completed", "queued"], exp_name="a") == ["a"]
    assert names(state="failed") == []
    assert (index.count(), index.count(state="queued"), index.count(exp_name="b")) == (3, 2, 2)
    with pytest.raises(UnknownNameError, match="did you mean 'best_reward'"):
        index.runs(order="-best_rewards")


def test_rebuild_makes_the_same_rows_again(store: LocalStore, index: Index) -> None:
    make_run(store, rewards=(0.5, 0.25))
    make_run(store, "other")
    index.reconcile()
    before = [row.model_dump() for row in index.runs()]
    assert len(index.rebuild().added) == 2
    assert [row.model_dump() for row in index.runs()] == before


def test_the_database_can_be_deleted_at_any_time(store: LocalStore, index: Index) -> None:
    run = make_run(store)
    index.reconcile()
    for path in store.base_dir.glob("index.db*"):
        path.unlink()
    index.update_run(run)
    assert [row.run_id for row in index.runs()] == [run.run_id]


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_database_is_moved_aside_and_made_again(store: LocalStore, index: Index, content: bytes) -> None:
    run = make_run(store)
    index.reconcile()
    for path in store.base_dir.glob("index.db*"):
        path.unlink()
    (store.base_dir / "index.db").write_bytes(content)
    assert [row.run_id for row in Index(store.base_dir).runs()] == [run.run_id]
    [aside] = store.base_dir.glob("index.db.damaged-*")
    assert aside.read_bytes() == content


def test_an_index_of_another_version_is_made_again(store: LocalStore, index: Index) -> None:
    run = make_run(store)
    index.reconcile()
    with sqlite3.connect(store.base_dir / "index.db") as connection:
        connection.execute("PRAGMA user_version = 999")
        connection.execute("ALTER TABLE runs DROP COLUMN env")
    connection.close()
    again = Index(store.base_dir)
    assert again.reconcile().added == [run.run_id]
    assert again.runs()[0].env == "language"


def test_the_database_is_in_wal_mode(store: LocalStore, index: Index) -> None:
    make_run(store)
    index.reconcile()
    connection = sqlite3.connect(store.base_dir / "index.db")
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_an_index_of_nothing_is_empty(tmp_path: Path) -> None:
    index = Index(tmp_path / "not yet")
    assert index.reconcile() == NOTHING
    assert index.runs() == []


def test_a_failing_index_fails_no_run_and_complains_once(
    store: LocalStore, index: Index, caplog: pytest.LogCaptureFixture
) -> None:
    run = make_run(store)
    (store.base_dir / "index.db").mkdir()
    with caplog.at_level(logging.WARNING):
        index.try_update_run(run)
        index.try_update_run(run)
    assert caplog.text.count("could not be updated") == 1
    with pytest.raises(IndexUnusableError, match="folder can be written"):
        index.runs()


def test_an_index_in_memory_needs_no_file(store: LocalStore) -> None:
    run = make_run(store, rewards=(0.5,))
    (store.base_dir / "index.db").mkdir()
    index = Index(store.base_dir, in_memory=True)
    assert index.reconcile().added == [run.run_id]
    assert [row.iterations_done for row in index.runs()] == [1]
    assert list((store.base_dir / "index.db").iterdir()) == []


def test_what_a_killed_run_has_used_is_in_its_row(store: LocalStore, index: Index) -> None:
    run = make_run(store)
    run.write_state("running")
    for episode in range(2):
        run.journal.append(record(0, episode, Usage(calls=1, input_tokens=70, output_tokens=30, cost_usd=0.25)))
    index.reconcile()
    [row] = index.runs()
    assert (row.state, row.total_tokens, row.cost_usd) == ("interrupted", 200, 0.5)


def test_a_run_at_work_has_used_what_it_said_last(store: LocalStore, index: Index) -> None:
    run = make_run(store)
    with run.acquire():
        run.write_state("running")
        run.journal.append(record(0, 0, Usage(calls=1, input_tokens=70, cost_usd=0.25)))
        index.reconcile()
        assert [row.total_tokens for row in index.runs()] == [70]  # it has not said anything yet
        run.metrics.set_totals({"total_tokens": 99, "cost_usd": 0.5})
        index.reconcile()
        assert [(row.state, row.total_tokens, row.cost_usd) for row in index.runs()] == [("running", 99, 0.5)]
    index.reconcile()
    assert [(row.state, row.total_tokens, row.cost_usd) for row in index.runs()] == [("interrupted", 70, 0.25)]


def test_an_unknown_price_and_a_damaged_journal_leave_the_cost_unknown(store: LocalStore, index: Index) -> None:
    unpriced, damaged = make_run(store, "unpriced"), make_run(store, "damaged")
    unpriced.journal.append(record(0, 0, Usage(calls=1, input_tokens=70, cost_usd=None)))
    damaged.layout.calls.mkdir()
    damaged.journal.path(0).write_text("{}\n", encoding="utf-8")
    index.reconcile()
    assert {row.exp_name: (row.total_tokens, row.cost_usd) for row in index.runs()} == {
        "unpriced": (70, None),
        "damaged": (0, None),
    }


def test_another_database_can_hold_several_folders(
    store: LocalStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGMARL_DATABASE_URL", f"sqlite:///{tmp_path / 'shared.db'}")
    other = LocalStore(tmp_path / "others")
    runs = [make_run(each, rewards=(0.5,)) for each in (store, other)]
    indexes = [Index(each.base_dir) for each in (store, other)]
    for index in indexes:
        index.reconcile()
    assert [[row.run_id for row in index.runs()] for index in indexes] == [[run.run_id] for run in runs]
    indexes[0].rebuild()
    assert len(indexes[1].runs()) == 1
    assert len(indexes[1].iterations(runs[1].run_id)) == 1
    assert not (store.base_dir / "index.db").exists()
    for index in indexes:
        index.close()


@pytest.mark.parametrize("url", ["no url s3cret", "postgresql+nodriver://user:s3cret@host/db"])
def test_an_unusable_url_is_refused_without_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("LANGMARL_DATABASE_URL", url)
    with pytest.raises(UserMistake, match="LANGMARL_DATABASE_URL") as caught:
        Index(tmp_path)
    assert "s3cret" not in str(caught.value)


def test_processes_write_side_by_side(store: LocalStore, index: Index) -> None:
    runs = [make_run(store, rewards=(0.5,)) for _ in range(3)]

    def write(run: RunDirectory) -> None:
        for _ in range(5):
            Index(store.base_dir).update_run(run)
            Index(store.base_dir).rebuild()

    together([partial(write, run) for run in runs])
    assert index.reconcile() == NOTHING
    assert index.count() == 3
