"""Paths that a run cannot use, found before it starts."""

from __future__ import annotations

import os

import pytest

from langmarl.config import LanguageTaskConfig, check_combinations
from langmarl.config.paths import kind_of


def faults(**settings) -> dict[str, str]:
    found = check_combinations(LanguageTaskConfig(llm="offline", **settings))
    return {fault.field: fault.message for fault in found}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "file.txt"
    path.write_text("x", encoding="utf-8")
    return path


def test_what_is_at_a_path_is_told_apart(tmp_path, file):
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    kinds = {
        file: "file", tmp_path: "directory", tmp_path / "link": "directory", os.devnull: "special",
        tmp_path / "absent": "absent", file / "below": "absent", tmp_path / "loop": "unreadable",
        tmp_path / ("x" * 300): "unreadable", "nul\0byte": "unreadable",
    }  # fmt: skip
    assert {path: kind_of(path) for path in kinds} == kinds


def test_prompts_dir_must_be_a_directory(tmp_path, file):
    assert faults(prompts_dir=str(tmp_path)) == {}
    assert "there is no such directory" in faults(prompts_dir=str(tmp_path / "absent"))["prompts_dir"]
    assert "that is a file, not a directory" in faults(prompts_dir=str(file))["prompts_dir"]


@pytest.mark.parametrize("field", ["experiment_dir", "checkpoint_dir"])
def test_a_file_where_a_directory_is_to_be_made_is_named(field, tmp_path, file):
    assert faults(**{field: str(tmp_path / "new" / "deep")}) == {}
    assert faults(**{field: str(file)})[field].endswith("that is a file, not a directory.")
    below = faults(**{field: str(file / "a" / "b")})[field]
    assert f"'{file}' on the way to it is a file" in below


def test_benchmark_path_must_be_a_file_or_a_directory(tmp_path, file):
    assert faults(benchmark_path=str(tmp_path)) == faults(benchmark_path=str(file)) == {}
    assert "no such file or directory" in faults(benchmark_path=str(tmp_path / "absent"))["benchmark_path"]
    assert "neither a file nor a directory" in faults(benchmark_path=os.devnull)["benchmark_path"]
    assert "cannot be looked at" in faults(benchmark_path="x" * 300)["benchmark_path"]


def test_a_benchmark_may_be_below_the_home_directory(tmp_path, file, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert faults(benchmark_path="~/file.txt") == {}
    assert "no such file" in faults(benchmark_path="~nobody-of-this-name/x")["benchmark_path"]
