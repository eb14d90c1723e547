from __future__ import annotations

import json
import logging
import shutil

import pytest

from langmarl.config import LanguageTaskConfig
from langmarl.errors import UnknownNameError, UserMistake
from langmarl.store import Fingerprint, LocalStore, RunDirectory
from tests.store.processes import together


def test_an_empty_store_has_no_runs(store: LocalStore) -> None:
    assert store.run_ids() == []
    assert store.newest("demo") is None
    with pytest.raises(UnknownNameError, match="Known: none"):
        store.run("latest")


def test_a_run_is_found_by_name_and_as_the_latest(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    runs = [RunDirectory.create(store.base_dir, config, fingerprint) for _ in range(2)]
    assert store.run(runs[0].run_id).path == runs[0].path
    assert store.run("latest").path == runs[1].path
    assert store.layout("latest") == runs[1].layout


def test_an_unknown_run_suggests_the_nearest(run: RunDirectory, store: LocalStore) -> None:
    with pytest.raises(UnknownNameError, match=f"did you mean {run.run_id!r}"):
        store.run(run.run_id[:-1])


@pytest.mark.parametrize("run_id", ["..", "a/b", "", ".lock"])
def test_a_run_id_cannot_leave_the_store(run: RunDirectory, store: LocalStore, run_id: str) -> None:
    with pytest.raises(UnknownNameError):
        store.run(run_id)


def test_the_same_command_finds_its_run(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    first = store.find_or_create(config, fingerprint)
    more = config.model_copy(update={"num_iterations": 50})
    again = store.find_or_create(more, Fingerprint.of(more, {"benchmark:qa.jsonl": "abc"}))
    assert (first.created, again.created) == (True, False)
    assert again.run.path == first.run.path


def test_another_fingerprint_makes_a_new_run_and_says_what_differs(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    first = store.find_or_create(config, fingerprint)
    other = config.model_copy(update={"seed": 5})
    found = store.find_or_create(other, Fingerprint.of(other, {"benchmark:qa.jsonl": "changed"}))
    assert found.created
    assert found.differing == ["benchmark:qa.jsonl", "seed"]
    assert store.find_or_create(config, fingerprint).run.path == first.run.path


def test_fresh_makes_a_new_run_and_the_newest_is_found_next(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    store.find_or_create(config, fingerprint)
    fresh = store.find_or_create(config, fingerprint, fresh=True)
    assert fresh.created
    assert fresh.differing == []
    assert store.find_or_create(config, fingerprint).run.path == fresh.run.path


def test_the_experiment_is_known_by_its_name_and_not_by_the_folders(
    store: LocalStore, config: LanguageTaskConfig
) -> None:
    longer = config.model_copy(update={"exp_name": "demo_20260101"})
    run = store.find_or_create(longer, Fingerprint.of(longer)).run
    assert store.newest("demo") is None
    renamed = run.path.rename(run.path.with_name("something else"))
    found = store.newest("demo_20260101")
    assert found is not None
    assert found.path == renamed


def test_a_new_run_keeps_its_checkpoints_where_the_config_says(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    elsewhere = config.model_copy(update={"checkpoint_dir": str(store.base_dir.parent / "elsewhere")})
    run = store.find_or_create(elsewhere, fingerprint).run
    assert run.layout.checkpoints == (store.base_dir.parent / "elsewhere" / run.run_id).resolve()


def test_the_original_counts_before_its_copy(run: RunDirectory, store: LocalStore) -> None:
    for name in ("a copy", "zzz copy"):
        shutil.copytree(run.path, run.path.with_name(name))
    assert store.run("latest").path == run.path


def test_commands_at_the_same_instant_share_one_run(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    together([lambda: store.find_or_create(config, fingerprint)] * 4)
    assert len(store.run_ids()) == 1


def test_one_damaged_run_does_not_hide_the_others(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint, caplog: pytest.LogCaptureFixture
) -> None:
    good, bad = (RunDirectory.create(store.base_dir, config, fingerprint) for _ in range(2))
    bad.layout.manifest.write_text("{", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        assert store.run_ids() == [good.run_id]
    assert bad.run_id in caplog.text
    with pytest.raises(UserMistake, match=r"run\.json is damaged"):
        store.run(bad.run_id)


def test_other_folders_and_files_are_no_runs(run: RunDirectory, store: LocalStore) -> None:
    (store.base_dir / "notes").mkdir()
    (store.base_dir / "index.db").touch()
    (store.base_dir / ".hidden").mkdir()
    (store.base_dir / ".hidden" / "run.json").write_text(json.dumps({}), encoding="utf-8")
    assert store.run_ids() == [run.run_id]


def test_a_folder_that_cannot_be_made_says_what_to_do(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    store.base_dir.write_text("a file", encoding="utf-8")
    with pytest.raises(UserMistake, match="experiment_dir"):
        store.find_or_create(config, fingerprint)


def test_a_folder_that_cannot_be_written_says_what_to_do(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint
) -> None:
    (store.base_dir / ".lock").mkdir(parents=True)  # what no permission keeps from failing, whoever runs the test
    with pytest.raises(UserMistake, match=r"experiment_dir: the folder .* cannot be written"):
        store.find_or_create(config, fingerprint)


def test_latest_is_a_name_to_be_mistyped(run: RunDirectory, store: LocalStore) -> None:
    with pytest.raises(UnknownNameError, match=f"did you mean 'latest'(.|\n)*Known: latest, {run.run_id}"):
        store.run("latst")


def test_a_damaged_run_is_logged_once_a_look(
    store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint, caplog: pytest.LogCaptureFixture
) -> None:
    RunDirectory.create(store.base_dir, config, fingerprint).layout.manifest.write_text("{", encoding="utf-8")
    with pytest.raises(UnknownNameError):
        store.run("latest")
    assert caplog.text.count("run.json is damaged") == 1
    caplog.clear()
    store.find_or_create(config, fingerprint)
    assert caplog.text.count("run.json is damaged") == 1
