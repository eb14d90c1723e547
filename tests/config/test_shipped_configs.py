from __future__ import annotations

from pathlib import Path

import pytest

from langmarl.config import LanguageTaskConfig, load_config, missing_keys

CONFIGS = Path(__file__).resolve().parents[2] / "configs"
SHIPPED = sorted(CONFIGS.rglob("*.json"))


def test_the_documented_files_are_there():
    names = {path.relative_to(CONFIGS).as_posix() for path in SHIPPED}
    tasks = {
        f"language_task/{task}_{paradigm}.json"
        for task in ("qa", "math", "writing", "coding")
        for paradigm in ("central_credit", "central_global")
    }
    assert names >= {"quickstart.json", "qa.json", *tasks}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.relative_to(CONFIGS).as_posix())
def test_a_shipped_file_runs_at_once_without_a_key(path):
    config = load_config(path, to_run=True)
    assert missing_keys(config, {}) == []


@pytest.mark.parametrize("path", sorted((CONFIGS / "language_task").glob("*.json")), ids=lambda path: path.name)
def test_a_task_file_is_what_its_name_says(path):
    config = load_config(path)
    assert isinstance(config, LanguageTaskConfig)
    assert path.stem == f"{config.task_type}_{config.paradigm}" == config.exp_name


def test_the_qa_file_evaluates_on_held_out_tasks():
    assert load_config(CONFIGS / "qa.json").eval_tasks > 0
