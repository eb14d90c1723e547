from __future__ import annotations

import os
from pathlib import Path

import pytest

from langmarl.errors import UserMistake
from langmarl.llm.local import catalog
from langmarl.llm.local.files import files_on_disk, located, models_dir
from tests.llm.local.hub import CONTENT, TINY


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of models, which is not there yet; the catalogue holds the tiny model only."""
    monkeypatch.setenv("LANGMARL_MODELS_DIR", str(tmp_path / "models"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(catalog, "downloadables", lambda: (TINY,))
    return tmp_path / "models"


def put(path: Path, content: bytes = b"GGUF and more") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_the_folder_is_in_the_home_directory_unless_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGMARL_MODELS_DIR", "")
    assert models_dir() == tmp_path / "home" / ".cache" / "langmarl" / "models"

    monkeypatch.setenv("LANGMARL_MODELS_DIR", "~/elsewhere")
    assert models_dir() == tmp_path / "home" / "elsewhere"

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANGMARL_MODELS_DIR", "here")
    assert models_dir() == tmp_path / "here"


def test_a_bare_name_is_looked_up_in_the_folder_and_all_else_is_a_path(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pulled, mine, home = put(folder / "a.gguf"), put(tmp_path / "mine" / "b.bin"), put(tmp_path / "home" / "c.gguf")
    monkeypatch.chdir(tmp_path)

    assert located("a.gguf") == pulled
    assert located(str(mine)) == mine
    assert located("mine/b.bin").samefile(mine)
    assert located("~/c.gguf") == home


def test_a_missing_file_of_the_catalogue_is_to_be_pulled() -> None:
    with pytest.raises(UserMistake, match="no model file") as caught:
        located(TINY.file)

    assert "langmarl models pull tiny-coder" in str(caught.value)


@pytest.mark.parametrize("name", ["absent.gguf", "some/where/absent.gguf", "~/absent.gguf", "~nobody-here/x.gguf"])
def test_another_missing_file_is_told_what_is_allowed(name: str, folder: Path) -> None:
    with pytest.raises(UserMistake, match="no model file") as caught:
        located(name)

    assert str(folder) in str(caught.value)
    assert "langmarl models list" in str(caught.value)


@pytest.mark.parametrize("name", ["tiny-coder", "tiny_coder-q4_k_m.gguf"])
def test_a_near_miss_is_suggested(name: str) -> None:
    with pytest.raises(UserMistake, match=f"Did you mean '{TINY.file}'"):
        located(name)


def test_what_is_no_file_is_refused(folder: Path) -> None:
    (folder / "sub.gguf").mkdir(parents=True)
    os.mkfifo(folder / "pipe.gguf")

    for name, why in {"sub.gguf": "directory", "": "directory", "pipe.gguf": "neither", "x\0": "looked at"}.items():
        with pytest.raises(UserMistake, match=why):
            located(name)


@pytest.mark.parametrize("content", [b"", b"GGU", b"<!doctype html>"])
def test_a_file_that_is_no_gguf_is_refused(content: bytes, folder: Path) -> None:
    put(folder / TINY.file, content)
    page = put(folder.parent / "page.gguf", content)

    with pytest.raises(UserMistake, match="no GGUF file") as of_catalogue:
        located(TINY.file)
    with pytest.raises(UserMistake, match="no GGUF file") as of_mine:
        located(str(page))

    assert "langmarl models pull tiny-coder --force" in str(of_catalogue.value)
    assert "models pull" not in str(of_mine.value)


def test_the_files_on_disk_are_sorted_and_named_where_the_catalogue_knows_them(folder: Path) -> None:
    put(folder / TINY.file, CONTENT)
    put(folder / "Mine.GGUF")
    put(folder / f"{TINY.file}.part")
    put(folder / "notes.txt")
    put(folder / "page.gguf", b"<html>")
    (folder / "sub.gguf").mkdir()
    (folder / "gone.gguf").symlink_to("nowhere")

    found = files_on_disk()

    assert [(file.path.name, file.name) for file in found] == [("Mine.GGUF", None), (TINY.file, "tiny-coder")]
    assert [file.size_bytes for file in found] == [13, len(CONTENT)]


def test_a_file_of_another_size_is_not_the_catalogues(folder: Path) -> None:
    put(folder / TINY.file, CONTENT[:-1])

    assert [file.name for file in files_on_disk()] == [None]


def test_no_folder_holds_no_files_and_a_file_is_no_folder(folder: Path) -> None:
    assert files_on_disk() == []

    put(folder)
    with pytest.raises(UserMistake, match="LANGMARL_MODELS_DIR"):
        files_on_disk()
