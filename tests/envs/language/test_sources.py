import gzip
import hashlib
import json
from pathlib import Path

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
        ({"a": 1}, f"{path}, item 1"),
        ({"a": 2}, f"{path}, item 2"),
    ]


def test_json_lines_are_read_line_by_line_and_blank_ones_skipped(tmp_path):
    path = tmp_path / "tasks.jsonl"
    path.write_text('\ufeff{"a": "é\u2028x"}\n\n{"a": 2}\r\n', encoding="utf-8")
    (source,) = read_sources(path)
    assert [(row.fields, row.place) for row in source.rows] == [
        ({"a": "é\u2028x"}, f"{path}, line 1"),
        ({"a": 2}, f"{path}, line 3"),
    ]


def test_gzip_is_told_by_content(tmp_path):
    packed, unpacked = tmp_path / "one.jsonl", tmp_path / "two.jsonl.gz"
    packed.write_bytes(gzip.compress(b'{"a": 1}\n', mtime=0))
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
    stored = gzip.compress(b'{"a": 1}\n', mtime=0)
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
        ("bad.jsonl.gz", gzip.compress(b'{"secret": 1}', mtime=0)[:-5], "bad.jsonl.gz is not a whole gzip file"),
        ("bad.jsonl", b'{"a": ' + b"9" * 5000 + b"}", "bad.jsonl, line 1: not JSON"),
    ],
)
def test_fault_names_file_and_line_and_quotes_nothing(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UserMistake) as caught:
        read_sources(path)
    assert str(caught.value).startswith(f"benchmark_path: {tmp_path}")
    assert said in str(caught.value)
    assert "secret" not in str(caught.value)


def test_missing_path_is_named(tmp_path):
    with pytest.raises(UserMistake, match=r"nowhere\.json does not exist"):
        read_sources(tmp_path / "nowhere.json")


def test_what_is_no_file_is_not_called_absent():
    with pytest.raises(UserMistake, match="benchmark_path: /dev/null is neither a file nor a directory"):
        read_sources(Path("/dev/null"))


def test_faults_in_a_directory_name_the_whole_path(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "bad.jsonl").write_text("{", encoding="utf-8")
    with pytest.raises(UserMistake) as caught:
        read_sources(tmp_path)
    assert f"benchmark_path: {tmp_path}/deep/bad.jsonl, line 1: not JSON" in str(caught.value)


def test_runs_and_folders_to_leave_out_are_not_looked_into(tmp_path):
    for name in ("tasks.jsonl", "experiments/run_1/calls/iter_0000.jsonl", "other/notes.json", "own/run.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}", encoding="utf-8")
    (tmp_path / "experiments" / "run_1" / "run.json").write_text("{}", encoding="utf-8")
    (tmp_path / "alias").symlink_to(tmp_path / "other")
    assert [source.name for source in read_sources(tmp_path)] == ["other/notes.json", "tasks.jsonl"]
    assert [source.name for source in read_sources(tmp_path, [tmp_path / "alias", tmp_path / "absent"])] == [
        "tasks.jsonl"
    ]
    # A folder that is named itself is meant, whatever lies in it.
    assert [source.name for source in read_sources(tmp_path / "own", [tmp_path / "own"])] == ["run.json"]


def test_the_root_of_a_file_system_is_given_up_at_once():
    with pytest.raises(UserMistake, match=r"benchmark_path: / (holds more than|has folders more than)"):
        read_sources(Path("/"))


@pytest.mark.parametrize(("limit", "said"), [("MOST_FILES", "2 benchmark files"), ("MOST_ENTRIES", "2 files")])
def test_a_directory_of_too_many_files_is_refused(tmp_path, monkeypatch, limit, said):
    monkeypatch.setattr(f"langmarl.envs.language.sources.{limit}", 2)
    for number in range(3):
        (tmp_path / f"{number}.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UserMistake, match=f"holds more than {said}"):
        read_sources(tmp_path)


def test_folders_are_read_to_a_depth_and_refused_below_it(tmp_path):
    folder = tmp_path.joinpath(*"abcdefgh")
    folder.mkdir(parents=True)
    (folder / "tasks.json").write_text("{}", encoding="utf-8")
    assert [source.name for source in read_sources(tmp_path)] == ["a/b/c/d/e/f/g/h/tasks.json"]
    (folder / "i").mkdir()
    with pytest.raises(UserMistake, match="folders more than 8 levels deep"):
        read_sources(tmp_path)


def test_directory_without_benchmarks_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    with pytest.raises(UserMistake, match=r"holds no \.json"):
        read_sources(tmp_path)


@pytest.mark.parametrize("task_type", ["qa", "math", "coding", "writing"])
def test_each_task_type_ships_with_a_set(task_type):
    source = shipped_source(task_type)
    assert source.name == f"shipped/{task_type}.jsonl"
    assert len(source.rows) >= 20
