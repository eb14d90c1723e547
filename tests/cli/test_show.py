from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.shell import Result

Command = Callable[..., Result]

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31mred\x7f\r\u202eevil"


def policy(run: Path, checkpoint: int, agent: str) -> str:
    return (run / "checkpoints" / f"iter_{checkpoint:04d}" / f"{agent}.txt").read_text(encoding="utf-8")


def test_a_run_is_shown_with_settings_figures_and_the_latest_policies(finished: Path, langmarl: Command) -> None:
    result = langmarl("show", "latest")

    assert result.code == 0
    assert f"{finished.name}: completed, 2 iterations finished" in result.out
    assert "env language, task_type qa" in result.out
    assert "llm offline" in result.out
    assert policy(finished, 2, "agent_1") in result.out
    assert policy(finished, 2, "agent_2") in result.out
    assert "held-out reward" in result.out


def test_another_checkpoint_and_one_agent(finished: Path, langmarl: Command) -> None:
    result = langmarl("show", finished.name, "--checkpoint", 0, "--agent", "agent_2")

    assert "agent_2, checkpoint 0:" in result.out
    assert "agent_1, checkpoint" not in result.out
    assert "# Learned instructions" not in result.out


def test_a_run_can_be_named_by_its_directory(finished: Path, tmp_path: Path, langmarl: Command) -> None:
    moved = tmp_path / "moved"
    shutil.move(finished, moved)

    for name in (moved, "moved", "./moved/"):
        assert langmarl("show", name, "--json").json["run_id"] == "moved"


def test_show_as_json_holds_the_summary_the_config_and_the_policies(finished: Path, langmarl: Command) -> None:
    shown = langmarl("show", finished.name, "--checkpoint", "iter_0001", "--json").json

    assert (shown["run_id"], shown["state"], shown["checkpoint"]) == (finished.name, "completed", 1)
    assert [row["iteration"] for row in shown["iterations"]] == [0, 1]
    assert [row["checkpoint"] for row in shown["evaluations"]] == [0, 1, 2]
    assert shown["config"]["llm"] == {"preset": "offline"}
    assert shown["policies"] == {agent: policy(finished, 1, agent) for agent in ("agent_1", "agent_2")}


def test_the_best_checkpoint_is_the_one_that_the_run_recorded(finished: Path, langmarl: Command) -> None:
    shown = langmarl("show", "latest", "--checkpoint", "best", "--json").json

    assert shown["checkpoint"] == shown["best_checkpoint"]["checkpoint"]
    assert shown["best_checkpoint"]["basis"] == "held_out"


def test_the_differences_from_first_to_latest_checkpoint(finished: Path, langmarl: Command) -> None:
    result = langmarl("diff", "latest")

    before, after = policy(finished, 0, "agent_1"), policy(finished, 2, "agent_1")
    assert result.code == 0
    assert "--- iter_0000/agent_1.txt\n+++ iter_0002/agent_1.txt\n" in result.out
    for line in set(after.splitlines()) - set(before.splitlines()):
        assert f"+{line}\n" in result.out
    assert "\x1b" not in result.out


def test_the_differences_of_one_agent_between_two_checkpoints(finished: Path, langmarl: Command) -> None:
    changed = langmarl("diff", "latest", 0, 1, "--agent", "agent_2")
    same = langmarl("diff", "latest", "first", "0", "--agent", "agent_2")

    assert "iter_0001/agent_2.txt" in changed.out
    assert "agent_1" not in changed.out
    assert same.out == "agent_2: the same in checkpoints 0 and 0\n"


@pytest.mark.parametrize("command", [("show", "latest"), ("diff", "latest"), ("show", "latest", "--json")])
def test_no_control_character_of_a_policy_reaches_the_terminal(
    command: tuple[str, ...], finished: Path, langmarl: Command
) -> None:
    (finished / "checkpoints" / "iter_0002" / "agent_1.txt").write_text(f"Be brief.{HOSTILE}", encoding="utf-8")

    result = langmarl(*command)

    assert "Be brief." in result.out
    assert not set(result.out) & (set(HOSTILE) - set("]0;owned[2J31mred") - set("evil"))
    if "--json" in command:
        assert result.json["policies"]["agent_1"] == f"Be brief.{HOSTILE}"
