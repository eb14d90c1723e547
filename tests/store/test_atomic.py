from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import numpy as np
import pytest

from langmarl.errors import UserMistake
from langmarl.store.atomic import read_json, read_text, write_json, write_text
from langmarl.store.schema import SCHEMA_VERSION


@pytest.mark.parametrize("text", ["", "a\nb", "a\r\nb\r", "ends\n", "ü 漢字 🙂\u2028\x00", "lone \ud83d surrogate"])
@pytest.mark.parametrize("durable", [False, True])
def test_text_comes_back_byte_for_byte(tmp_path: Path, text: str, durable: bool) -> None:
    path = tmp_path / "deep" / "file.txt"
    write_text(path, text, durable=durable)
    assert read_text(path) == text
    assert path.read_bytes() == text.encode("utf-8", "surrogatepass")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    write_json(path, {"a": 1})
    with pytest.raises(TypeError, match="object"):
        write_json(path, {"a": object()})
    assert read_json(path) == {"a": 1}
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.json"]


def test_a_reader_never_sees_a_part_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    contents = [{"rows": [number] * 2000} for number in range(2)]
    write_json(path, contents[0])
    ended = threading.Event()

    def write() -> None:
        for number in range(200):
            write_json(path, contents[number % 2])
        ended.set()

    writer = threading.Thread(target=write)
    writer.start()
    while not ended.is_set():
        assert read_json(path) in contents
    writer.join()


def test_files_can_be_read_by_others_as_the_umask_says(tmp_path: Path) -> None:
    mask = os.umask(0o022)
    try:
        write_text(tmp_path / "file.txt", "x")
    finally:
        os.umask(mask)
    assert (tmp_path / "file.txt").stat().st_mode & 0o777 == 0o644


def test_json_carries_its_version_and_stays_readable(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    write_json(path, {"text": "größer"})
    assert json.loads(path.read_text(encoding="utf-8")) == {"schema_version": SCHEMA_VERSION, "text": "größer"}
    assert "größer" in path.read_text(encoding="utf-8")


def test_json_keeps_lone_surrogates_and_takes_numpy_values(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    write_json(path, {"text": "a\ud83d", "mean": np.float32(0.5), "rows": np.arange(3)})
    assert read_json(path) == {"text": "a\ud83d", "mean": 0.5, "rows": [0, 1, 2]}
    path.read_bytes().decode("utf-8")


def test_a_newer_file_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps({"schema_version": SCHEMA_VERSION + 1}), encoding="utf-8")
    with pytest.raises(UserMistake, match=r"file\.json has schema_version 2(.|\n)*newer LangMARL. Upgrade"):
        read_json(path)


@pytest.mark.parametrize("content", [b"", b'{"a": 1', b"[1]", b'{"schema_version": "x"}', b'{"a": "\xff"}'])
def test_a_damaged_file_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    with pytest.raises(UserMistake, match=r"broken\.json"):
        read_json(path)
