from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.shell import QUICKSTART, Result, Shell
from tests.llm.server import ScriptedServer, error

Command = Callable[..., Result]

MISTAKES = {
    "no command": ([], ["Usage: langmarl", "train"]),
    "an unknown command": (["traim"], ["traim", "Did you mean 'train'"]),
    "an unknown option": (["train", "--overide", "a=1"], ["--overide", "--override"]),
    "an option without its value": (["show", "latest", "--checkpoint"], ["--checkpoint", "requires an argument"]),
    "no number where one belongs": (["runs", "--limit", "many"], ["--limit", "'many' is no whole number"]),
    "a number out of range": (["serve-offline", "--fault-rate", "2"], ["--fault-rate", "is 2", "from 0 to 1"]),
    "train without a config": (["train"], ["train needs a config file", "langmarl train configs/quickstart.json"]),
    "two configs": (["train", "a.json", "b.json"], ["one config file", "a.json, b.json"]),
    "no such config": (["train", "absent.json"], ["absent.json", "no such file"]),
    "a config's name that no file can have": (["train", "x" * 300], ["cannot be read"]),
    "a run's name that no directory can have": (["show", "x" * 300], ["unknown run"]),
    "a directory as config": (["train", "."], ["is a directory"]),
    "a config that is no JSON": (["train", "broken.json"], ["broken.json", "line 2, column 1"]),
    "a config that is no object": (["train", "list.json"], ["list.json", "must hold a JSON object"]),
    "an unknown setting": (
        ["train", QUICKSTART, "num_iteration=3"],
        ["num_iteration", "Did you mean 'num_iterations'"],
    ),
    "a value out of range": (["train", QUICKSTART, "num_agents=0"], ["num_agents: is 0", "at least 1"]),
    "a value of the wrong type": (
        ["train", QUICKSTART, "-o", "num_agents=two"],
        ["num_agents", "'two'", "whole number"],
    ),
    "a misspelt choice": (
        ["train", QUICKSTART, "paradigm=central_cred"],
        ["central_cred", "Did you mean 'central_credit'"],
    ),
    "two mistakes at once": (["train", QUICKSTART, "num_agents=0", "max_workers=0"], ["num_agents", "max_workers"]),
    "an override without a sign": (["train", "-c", QUICKSTART, "num_agents"], ["num_agents", "KEY=VALUE"]),
    "an unknown preset": (["train", QUICKSTART, "llm=ofline"], ["'ofline'", "Did you mean 'offline'"]),
    "an unknown environment": (["train", QUICKSTART, "env=langauge"], ["env", "Did you mean 'language'"]),
    "a key that is not set": (["train", QUICKSTART, "llm=gpt-5-mini"], ["OPENAI_API_KEY is not set"]),
    "an absent benchmark": (["train", QUICKSTART, "benchmark_path=absent.jsonl"], ["absent.jsonl"]),
    "a benchmark that is no file": (["train", QUICKSTART, "benchmark_path=/dev/null"], ["neither a file nor"]),
    "far too large a number": (["train", QUICKSTART, "num_agents=5000"], ["num_agents: is 5000", "at most 100"]),
    "an override without a value": (["train", QUICKSTART, "-o", "num_iterations"], ["'num_iterations' has no '='"]),
    "a template that is no text": (["train", QUICKSTART, "prompts_dir=prompts"], ["prompts_dir/judge.txt", "UTF-8"]),
    "a file as prompts_dir": (["train", QUICKSTART, "prompts_dir=list.json"], ["'list.json'", "is a file"]),
    "a file as experiment_dir": (["train", QUICKSTART, "experiment_dir=list.json"], ["experiment_dir", "is a file"]),
    "nothing held out": (["train", QUICKSTART, "data_limit=1", "eval_tasks=2"], ["eval_tasks: is 2", "held out"]),
    "a NUL in a path": (["train", "nul.json"], ["experiment_dir", "NUL"]),
    "a start without a run": (["train", QUICKSTART, "start_iteration=1"], ["start_iteration is 1", "no run"]),
    "an unknown module": (["train", QUICKSTART, "--import", "absent_module"], ["no module 'absent_module'"]),
    "a path as a module": (["train", QUICKSTART, "--import", "plugins/mine"], ["no module's name"]),
    "a module's file": (["envs", "--import", "faulty.py"], ["name the module, not its file", "--import faulty"]),
    "an address as a public name": (
        ["dashboard", "--public-name", "https://a.example/x"],
        ["--public-name", "no host"],
    ),
    "a module that fails": (["train", QUICKSTART, "--import", "faulty"], ["ZeroDivisionError", "faulty.py, line 2"]),
    "a module that does not parse": (
        ["envs", "--import", "unparsed"],
        ["--import unparsed", "SyntaxError: invalid syntax", "/unparsed.py, line 1"],
    ),
    "a module that exits": (["envs", "--import", "exiting"], ["--import exiting", "ends the program", "line 3"]),
    "a module that lacks another": (["envs", "--import", "lacking"], ["--import lacking", "'absent_one'", "line 1"]),
    "a module whose error cannot be told": (["envs", "--import", "mute"], ["--import mute", "Mute", "mute.py, line 4"]),
    "a run to resume, where there is none": (["resume", "latest"], ["unknown run 'latest'", "Known: none"]),
    "a run to show, where there is none": (["show", "somewhere/else"], ["unknown run"]),
    "a run to stop, where there is none": (["stop", "x\0y"], ["unknown run"]),
    "an experiment folder that is not there": (["runs", "--experiments", "absent"], ["absent", "does not exist"]),
    "a file as experiment folder": (["index", "--experiments", "list.json"], ["list.json", "is a file"]),
    "an unknown state": (["runs", "--state", "runing"], ["'runing'", "did you mean 'running'"]),
    "an experiment folder that cannot be made": (["train", QUICKSTART, "experiment_dir=list.json/x"], ["list.json/x"]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_and_exits_2_without_a_traceback(name: str, tmp_path: Path, langmarl: Command) -> None:
    arguments, expected = MISTAKES[name]
    (tmp_path / "broken.json").write_text('{"num_agents": 2,\n}', encoding="utf-8")
    (tmp_path / "list.json").write_text("[1]", encoding="utf-8")
    (tmp_path / "nul.json").write_text('{"llm": "offline", "experiment_dir": "a\\u0000b"}', encoding="utf-8")
    (tmp_path / "faulty.py").write_text("\n1 / 0\n", encoding="utf-8")
    (tmp_path / "unparsed.py").write_text("def\n", encoding="utf-8")
    (tmp_path / "exiting.py").write_text("import sys\n\nsys.exit(5)\n", encoding="utf-8")
    (tmp_path / "lacking.py").write_text("import absent_one\n", encoding="utf-8")
    mute = "class Mute(Exception):\n    def __str__(self):\n        return 1 / 0\nraise Mute\n"
    (tmp_path / "mute.py").write_text(mute, encoding="utf-8")
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "judge.txt").write_bytes(b"\xff")

    result = langmarl(*arguments)

    assert result.code == 2
    assert result.out == ""
    assert "Traceback" not in result.err
    for text in expected:
        assert text in " ".join(result.err.split())


def test_a_mistake_before_there_is_a_run_gives_json_too(langmarl: Command) -> None:
    result = langmarl("train", "absent.json", "--json")

    assert result.code == 2
    assert (result.json["run_id"], result.json["iterations"]) == (None, [])
    assert "no such file" in result.json["error"]


def test_a_config_that_cannot_be_read(tmp_path: Path, langmarl: Command) -> None:
    (tmp_path / "loop.json").symlink_to("loop.json")

    result = langmarl("train", "loop.json")

    assert result.code == 2
    assert "cannot be read" in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["show", "quickstart"], "unknown run 'quickstart'"),
        (["show", "latest", "--checkpoint", "7"], "unknown checkpoint '7'"),
        (["show", "latest", "--checkpoint", "bset"], "did you mean 'best'"),
        (["show", "latest", "--agent", "agent1"], "did you mean 'agent_1'"),
        (["diff", "latest", "0", "9"], "unknown checkpoint '9'"),
        (["diff", "latest", "--agent", "bob"], "unknown agent 'bob'"),
        (["export", "latest", "--checkpoint", "-1"], "unknown checkpoint '-1'"),
        (["resume", "latest", "-o", "trajectories_per_iteration=5"], "trajectories_per_iteration"),
        (["resume", "latst"], "did you mean 'latest'?\nKnown: latest, quickstart_"),
        (["resume", "latest", "-o", "llm.temperature=0.5"], "critic_llm.temperature (from llm)"),
    ],
)
def test_mistakes_about_a_run_that_exists(
    arguments: list[str], expected: str, finished: Path, langmarl: Command
) -> None:
    result = langmarl(*arguments)

    assert (result.code, result.out) == (2, "")
    assert expected in result.err
    assert "Traceback" not in result.err


@pytest.mark.parametrize("name", ["run.json", "metrics.json", "config.json"])
def test_a_damaged_run_is_named(name: str, finished: Path, langmarl: Command) -> None:
    (finished / name).write_text('{"half', encoding="utf-8")

    result = langmarl("show", finished.name)

    assert result.code == 2
    assert result.err.count(f"{name} is damaged") == 1
    assert "Traceback" not in result.err


def test_a_lost_state_is_worked_out(finished: Path, langmarl: Command) -> None:
    (finished / "state.json").unlink()

    result = langmarl("show", finished.name)

    assert result.code == 0
    assert "completed" in result.out
    assert "state.json is missing" in result.out


@pytest.mark.parametrize("damage", ["emptied", "missing"])
def test_a_lost_policy_is_named_and_made_again_without_a_call(damage: str, finished: Path, langmarl: Command) -> None:
    policy = finished / "checkpoints" / "iter_0002" / "agent_1.txt"
    text, journal = policy.read_bytes(), [path.read_bytes() for path in sorted((finished / "calls").iterdir())]
    policy.unlink()
    if damage == "emptied":
        policy.touch()

    shown, resumed = langmarl("show", "latest"), langmarl("resume", "latest")

    assert shown.code == 2
    assert "iter_0002/agent_1.txt" in shown.err
    assert "without paying" in shown.err
    assert resumed.code == 0
    assert policy.read_bytes() == text
    assert [path.read_bytes() for path in sorted((finished / "calls").iterdir())] == journal


def test_a_policy_changed_by_hand_is_told_and_not_trained_under(finished: Path, langmarl: Command) -> None:
    policy = finished / "checkpoints" / "iter_0002" / "agent_1.txt"
    policy.write_text("My own words.", encoding="utf-8")

    shown, resumed = langmarl("show", "latest"), langmarl("resume", "latest", "num_iterations=3")

    assert shown.code == 0
    assert "agent_1 in checkpoint 2 was changed" in shown.err
    assert resumed.code == 2
    assert "initial_policies" in resumed.err
    assert policy.read_text(encoding="utf-8") == "My own words."


def test_a_lost_metrics_file_is_made_again_without_a_call(finished: Path, langmarl: Command) -> None:
    before = langmarl("show", "latest", "--json").json
    journal = [path.read_bytes() for path in sorted((finished / "calls").iterdir())]
    (finished / "metrics.json").rename(finished / "metrics.old")

    lost = langmarl("show", "latest", "--json").json
    resumed = langmarl("resume", "latest", "--json").json

    assert lost["totals"]["total_tokens"] == before["totals"]["total_tokens"] > 0
    assert resumed["totals"] == before["totals"]
    assert [row["rewards"] for row in resumed["iterations"]] == [row["rewards"] for row in before["iterations"]]
    assert [row["rewards"] for row in resumed["evaluations"]] == [row["rewards"] for row in before["evaluations"]]
    assert [path.read_bytes() for path in sorted((finished / "calls").iterdir())] == journal


def test_an_experiments_folder_that_cannot_be_written(tmp_path: Path, langmarl: Command) -> None:
    (tmp_path / "experiments" / ".lock").mkdir(parents=True)

    result = langmarl("train", QUICKSTART)

    assert result.code == 2
    assert "experiment_dir" in result.err
    assert "Traceback" not in result.err


def test_a_refused_key_exits_2_and_leaves_a_failed_run(langmarl: Command) -> None:
    server = ScriptedServer()
    server.otherwise = error(401, "Incorrect API key provided.")
    model = {"model_string": "m", "base_url": server.base_url, "local": True}

    result = langmarl("train", QUICKSTART, "num_iterations=1", "-o", f"llm={json.dumps(model)}", "--json")
    server.close()

    assert result.code == 2
    assert result.json["state"] == "failed"
    assert "Traceback" not in result.err


def test_a_model_file_that_is_not_there_ends_before_a_run_begins(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LANGMARL_MODELS_DIR", str(tmp_path / "none"))
    result = shell.run("train", QUICKSTART, "--override", "llm=local-qwen2.5-coder-0.5b")
    assert result.code == 2
    assert "langmarl models pull qwen2.5-coder-0.5b" in result.err
    assert not (shell.folder / "experiments").exists()
    assert shell.run("train", QUICKSTART, "--override", "llm=local:nowhere.gguf").code == 2
