import gzip
import hashlib
import json

import pytest

from langmarl.envs.language.sources import read_sources, shipped_source
from langmarl.errors import UserMistake


def fields(sources):
    return [row.fields for source in sources for row in source.rows]


def test_json_array_is_read_item_by_item(tmp_path):
    path = tmp_path / "dev.json"
    path.write_text('[{"a": 1},\n {"a": 2}]', encoding="utf-8")
    (source,) = read_sources(path)
    assert [(row.fields, row.place) for row in source.rows] == [
        ({"a": 1}, "dev.json, item 1"),
        ({"a": 2}, "dev.json, item 2"),
    ]


def test_json_lines_are_read_line_by_line_and_blank_ones_skipped(tmp_path):
    path = tmp_path / "tasks.jsonl"
    path.write_text('\ufeff{"a": "é\u2028x"}\n\n{"a": 2}\r\n', encoding="utf-8")
    (source,) = read_sources(path)
    assert [(row.fields, row.place) for row in source.rows] == [
        ({"a": "é\u2028x"}, "tasks.jsonl, line 1"),
        ({"a": 2}, "tasks.jsonl, line 3"),
    ]


def test_gzip_is_told_by_content(tmp_path):
    packed, unpacked = tmp_path / "one.jsonl", tmp_path / "two.jsonl.gz"
    packed.write_bytes(gzip.compress(b'{"a": 1}\n'))
    unpacked.write_bytes(b'{"a": 1}\n')
    assert fields(read_sources(packed)) == fields(read_sources(unpacked)) == [{"a": 1}]


def test_directory_is_read_in_name_order_with_its_folders(tmp_path):
    for name in ("b.jsonl", "a/2.json", "a/1.json", ".hidden/x.json", "README.md"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"name": name}, indent=2 if name.startswith("a") else None), encoding="utf-8")
    sources = read_sources(tmp_path)
    assert [source.name for source in sources] == ["a/1.json", "a/2.json", "b.jsonl"]
    assert [row["name"] for row in fields(sources)] == ["a/1.json", "a/2.json", "b.jsonl"]


def test_digest_is_of_the_bytes_as_stored(tmp_path):
    stored = gzip.compress(b'{"a": 1}\n')
    path = tmp_path / "one.jsonl.gz"
    path.write_bytes(stored)
    assert read_sources(path)[0].sha256 == hashlib.sha256(stored).hexdigest()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bad.jsonl", b'{"a": 1}\n{"a": secret}\n', "bad.jsonl, line 2: not JSON"),
        (
            "bad.json",
            b'[{"a": 1},\n {secret}]',
            "bad.json: not JSON (Expecting property name enclosed in double quotes, line 2",
        ),
        ("bad.jsonl", b'{"a": 1}\n"secret"\n', "bad.jsonl, line 2: expected a JSON object, found str"),
        ("bad.jsonl", "{'é': secret}".encode("latin-1"), "bad.jsonl is not UTF-8 text (byte 2)"),
        ("bad.jsonl.gz", gzip.compress(b'{"secret": 1}')[:-5], "bad.jsonl.gz is not a whole gzip file"),
        ("bad.jsonl", b'{"a": ' + b"9" * 5000 + b"}", "bad.jsonl, line 1: not JSON"),
    ],
)
def test_fault_names_file_and_line_and_quotes_nothing(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UserMistake) as caught:
        read_sources(path)
    assert said in str(caught.value)
    assert "secret" not in str(caught.value)


def test_missing_path_is_named(tmp_path):
    with pytest.raises(UserMistake, match=r"nowhere\.json does not exist"):
        read_sources(tmp_path / "nowhere.json")


def test_directory_without_benchmarks_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    with pytest.raises(UserMistake, match=r"holds no \.json"):
        read_sources(tmp_path)


@pytest.mark.parametrize("task_type", ["qa", "math", "coding", "writing"])
def test_each_task_type_ships_with_a_set(task_type):
    source = shipped_source(task_type)
    assert source.name == f"shipped/{task_type}.jsonl"
    assert len(source.rows) >= 20
