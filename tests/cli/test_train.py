from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.shell import QUICKSTART, SMALL, Result, Shell, only_run, state_of

LONG = "Quote the sentence that holds the answer. " * 10
"""Longer than any file's name can be."""

DOCUMENTED_STATS = {
    "paradigm": str,
    "num_episodes": int,
    "avg_reward": float,
    "min_reward": float,
    "max_reward": float,
    "rewards": list,
    "input_tokens": int,
    "output_tokens": int,
    "total_tokens": int,
    "cost_usd": float,
    "duration_s": float,
}


def test_json_is_one_object_on_stdout_and_progress_goes_to_stderr(shell: Shell) -> None:
    result = shell.run("train", QUICKSTART, "--override", *SMALL, "--json")

    run = only_run(shell.folder)
    summary = result.json
    assert result.code == 0
    assert result.out.count("\n") == 1
    assert (summary["run_id"], summary["state"], summary["error"]) == (run.name, "completed", None)
    assert (shell.folder / summary["run_dir"]).resolve() == run
    assert [row["iteration"] for row in summary["iterations"]] == [0, 1]
    for row in summary["iterations"]:
        assert {name: type(row[name]) for name in DOCUMENTED_STATS} == DOCUMENTED_STATS
        assert len(row["rewards"]) == row["num_episodes"] == 3
    lines = result.err.splitlines()
    assert [line.split(":")[0] for line in lines if line.startswith("iteration")] == [
        "iteration 0 (1 of 2)",
        "iteration 1 (2 of 2)",
    ]
    assert "\x1b" not in result.err


def test_the_report_has_a_row_an_iteration_and_says_what_to_do_next(finished: Path, shell: Shell) -> None:
    result = shell.run("train", QUICKSTART, *SMALL, "eval_tasks=4", "train_test_split=0.7")

    assert result.code == 0
    assert "There was nothing to do" in result.out
    rows = [line.split("\t") for line in result.out.splitlines() if "\t" in line]
    header = rows[0]
    assert header[:4] == ["iteration", "reward", "min", "max"]
    assert {"em", "tokens", "cost"} <= set(header)
    assert [row[0] for row in rows[1:3]] == ["0", "1"]
    assert "validation half" in result.out
    assert any(row[0] == "total" for row in rows)
    assert f"langmarl diff {finished.name}" in result.out
    assert [path.name for path in finished.parent.glob("quickstart_*")] == [finished.name]


def test_more_iterations_go_on_with_the_finished_run(finished: Path, langmarl: Callable[..., Result]) -> None:
    more = ("trajectories_per_iteration=3", "train_test_split=0.7", "num_iterations=3")
    result = langmarl("train", QUICKSTART, *more, "--json")

    assert (result.code, result.json["run_id"]) == (0, finished.name)
    assert [row["iteration"] for row in result.json["iterations"]] == [0, 1, 2]


def test_fresh_starts_a_new_run(finished: Path, langmarl: Callable[..., Result]) -> None:
    result = langmarl("train", QUICKSTART, *SMALL, "eval_tasks=4", "train_test_split=0.7", "--fresh", "--json")

    assert result.code == 0
    assert result.json["run_id"] != finished.name


def test_config_option_and_overrides_in_every_form(tmp_path: Path, langmarl: Callable[..., Result]) -> None:
    result = langmarl(
        "train",
        "num_iterations=1",
        "--config",
        QUICKSTART,
        *("-o", "trajectories_per_iteration=3"),
        *("--override", "exp_name=1e3", "seed=7"),
        *("-o", "max_cost_usd=null"),
        *("-o", "llm.temperature=0.5"),
        'initial_policies={"agent_1": "' + LONG + '"}',
    )

    config = json.loads((only_run(tmp_path) / "config.json").read_text(encoding="utf-8"))
    assert result.code == 0
    assert (config["exp_name"], config["seed"], config["max_cost_usd"]) == ("1e3", 7, None)
    assert config["llm"] == {"preset": "offline", "temperature": 0.5}
    assert config["initial_policies"] == {"agent_1": LONG}
    assert config["num_iterations"] == 1


def test_a_failed_run_exits_3_and_still_gives_its_json(tmp_path: Path, langmarl: Callable[..., Result]) -> None:
    nobody = '{"model_string": "m", "base_url": "http://127.0.0.1:9/v1", "max_retries": 0, "local": true}'
    result = langmarl("train", QUICKSTART, *SMALL, "-o", f"llm={nobody}", "--json")

    run = only_run(tmp_path)
    assert result.code == 3
    assert (result.json["run_id"], result.json["state"], result.json["iterations"]) == (run.name, "failed", [])
    assert "episodes failed" in result.json["error"]
    assert "episodes failed" in result.err
    assert "Traceback" not in result.err


def test_a_reached_budget_exits_4_and_a_raised_one_goes_on(tmp_path: Path, langmarl: Callable[..., Result]) -> None:
    small = ("train", QUICKSTART, *SMALL, "--json")
    short = langmarl(*small, "-o", "max_total_tokens=3000")
    again = langmarl(*small, "-o", "max_total_tokens=3000")
    enough = langmarl(*small, "-o", "max_total_tokens=3000000")

    assert (short.code, short.json["state"]) == (4, "budget_reached")
    assert "max_total_tokens 3000 reached" in short.json["reason"]
    assert "Raise the limit" in short.json["remedy"]
    assert again.code == 4
    assert (enough.code, enough.json["state"]) == (0, "completed")
    assert short.json["run_id"] == again.json["run_id"] == enough.json["run_id"] == only_run(tmp_path).name
    assert len(enough.json["iterations"]) == 2


def test_resume_goes_on_with_a_run_and_refuses_other_settings(tmp_path: Path, langmarl: Callable[..., Result]) -> None:
    assert langmarl("train", QUICKSTART, *SMALL, "max_total_tokens=3000").code == 4
    run = only_run(tmp_path)

    other = langmarl("resume", "latest", "-o", "seed=99")
    resumed = langmarl("resume", run.name, "max_total_tokens=null", "--json")
    by_path = langmarl("resume", run, "num_iterations=3", "--json")

    assert other.code == 2
    assert "seed" in other.err
    assert (resumed.code, resumed.json["run_id"], len(resumed.json["iterations"])) == (0, run.name, 2)
    assert (by_path.code, by_path.json["run_id"], len(by_path.json["iterations"])) == (0, run.name, 3)


def test_resume_of_a_run_elsewhere(tmp_path: Path, langmarl: Callable[..., Result]) -> None:
    elsewhere = ("-o", "experiment_dir=elsewhere")
    assert langmarl("train", QUICKSTART, *SMALL, *elsewhere, "max_total_tokens=3000").code == 4

    resumed = langmarl("resume", "latest", "-e", "elsewhere", "-o", "max_total_tokens=null", "--json")

    assert (resumed.code, resumed.json["state"]) == (0, "completed")
    assert not (tmp_path / "experiments").exists()


def test_an_environment_that_prints_leaves_json_alone(tmp_path: Path, shell: Shell) -> None:
    (tmp_path / "chatty.py").write_text(PLUGIN, encoding="utf-8")
    config = tmp_path / "chatty.json"
    config.write_text(json.dumps({"env": "chatty", "llm": "offline", "num_iterations": 1}), encoding="utf-8")

    result = shell.run("train", config, "--import", "chatty", "--json")

    assert result.code == 0, result.err
    assert result.json["iterations"][0]["avg_reward"] == 0.5
    assert "playing" in result.err
    assert state_of(only_run(tmp_path)) == "completed"


PLUGIN = """
from langmarl import BaseEnvironment, Step, Trajectory, register_env


@register_env("chatty")
class Chatty(BaseEnvironment):
    def sample_tasks(self, n):
        return [{"id": str(number)} for number in range(n)]

    def collect_trajectory(self, policies, task):
        print("playing")
        return Trajectory(task, [Step(agent, "look", "act") for agent in policies], 0.5)
"""


@pytest.mark.parametrize("paradigm", ["central_credit", "central_global"])
def test_shipped_configs_train(paradigm: str, langmarl: Callable[..., Result]) -> None:
    config = QUICKSTART.parent / "language_task" / f"qa_{paradigm}.json"

    result = langmarl("train", config, "num_iterations=1", "trajectories_per_iteration=2", "--json")

    assert (result.code, result.json["iterations"][0]["paradigm"]) == (0, paradigm)
