from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.shell import Result

Command = Callable[..., Result]

FILES = {"policies/agent_1.txt", "policies/agent_2.txt", "config.json", "metrics.json", "metrics.csv"}


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_an_exported_config_goes_on_with_the_same_run(finished: Path, tmp_path: Path, langmarl: Command) -> None:
    assert langmarl("export", "latest", "--output", "out").code == 0
    again = langmarl("train", "out/config.json", "-o", "num_iterations=3", "--json")

    assert files_in(tmp_path / "out") == FILES
    assert (again.code, again.json["run_id"]) == (0, finished.name)
    assert len(again.json["iterations"]) == 3


def test_the_exported_policies_are_those_of_the_checkpoint(finished: Path, tmp_path: Path, langmarl: Command) -> None:
    for checkpoint, folder in (("1", "iter_0001"), ("latest", "iter_0002")):
        target = f"checkpoint_{checkpoint}"
        assert langmarl("export", finished.name, "--checkpoint", checkpoint, "--output", target).code == 0
        for agent in ("agent_1", "agent_2"):
            exported = (tmp_path / target / "policies" / f"{agent}.txt").read_bytes()
            assert exported == (finished / "checkpoints" / folder / f"{agent}.txt").read_bytes()


def test_the_exported_figures_agree_with_the_run(finished: Path, tmp_path: Path, langmarl: Command) -> None:
    assert langmarl("export", "latest").code == 0
    exported = tmp_path / f"{finished.name}_export"

    of_run = json.loads((finished / "metrics.json").read_text(encoding="utf-8"))
    metrics = json.loads((exported / "metrics.json").read_text(encoding="utf-8"))
    with (exported / "metrics.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert metrics["iterations"] == of_run["iterations"]
    assert metrics["evaluations"] == of_run["evaluations"]
    assert [float(row["avg_reward"]) for row in rows] == [row["avg_reward"] for row in of_run["iterations"]]
    assert [int(row["total_tokens"]) for row in rows] == [row["total_tokens"] for row in of_run["iterations"]]
    assert [float(row["em"]) for row in rows] == [row["metrics"]["em"] for row in of_run["iterations"]]


def test_an_export_replaces_nothing_unless_forced(finished: Path, tmp_path: Path, langmarl: Command) -> None:
    out = tmp_path / "out"
    (out / "policies").mkdir(parents=True)
    (out / "mine.txt").write_text("mine", encoding="utf-8")
    (out / "policies" / "agent_9.txt").write_text("of an earlier export", encoding="utf-8")

    refused = langmarl("export", "latest", "--output", "out")
    assert refused.code == 2
    assert "--force" in refused.err
    assert files_in(out) == {"mine.txt", "policies/agent_9.txt"}

    assert langmarl("export", "latest", "--output", "out", "--force").code == 0
    assert files_in(out) == FILES | {"mine.txt"}
    assert (out / "mine.txt").read_text(encoding="utf-8") == "mine"


def test_a_zip_holds_the_same_files(finished: Path, tmp_path: Path, langmarl: Command) -> None:
    (tmp_path / "deep").mkdir()
    assert langmarl("export", "latest", "--output", "deep/team.zip").code == 0
    refused = langmarl("export", "latest", "--output", "deep/team.zip")
    forced = langmarl("export", "latest", "--checkpoint", "0", "--output", "deep/team.zip", "--force")

    assert (refused.code, forced.code) == (2, 0)
    with zipfile.ZipFile(tmp_path / "deep" / "team.zip") as archive:
        assert set(archive.namelist()) == {f"team/{name}" for name in FILES}
        exported = archive.read("team/policies/agent_1.txt")
    assert exported == (finished / "checkpoints" / "iter_0000" / "agent_1.txt").read_bytes()
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["team.zip"]


def test_an_export_to_where_nothing_can_be_written(finished: Path, tmp_path: Path, langmarl: Command) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    for target in ("file", "file/below", "file/below.zip"):
        result = langmarl("export", "latest", "--output", target)
        assert result.code == 2
        assert "Traceback" not in result.err


@pytest.mark.parametrize("target", ["absent/deep/team.zip", "absent/deep/team"])
def test_an_export_makes_no_folders_above_its_own(
    target: str, finished: Path, tmp_path: Path, langmarl: Command
) -> None:
    result = langmarl("export", "latest", "--output", target)

    assert result.code == 2
    assert "the folder absent/deep does not exist" in result.err
    assert not (tmp_path / "absent").exists()
