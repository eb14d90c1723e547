from __future__ import annotations

from typing import Any

import pytest

from langmarl.cli.progress import evaluation_line, iteration_line
from langmarl.cli.report import report

USAGE = {"calls": 3, "input_tokens": 10, "output_tokens": 5, "total_tokens": 15, "retries": 1, "failures": 0}


def iteration(number: int, **more: Any) -> dict[str, Any]:
    return {
        "iteration": number,
        "avg_reward": 0.5321,
        "min_reward": 0.0,
        "max_reward": 1.0,
        "metrics": {"em": 0.4},
        "total_tokens": 12345,
        "cost_usd": 0.0,
        "duration_s": 3.21,
        "failed_episodes": 0,
        "unparsed_answers": 0,
        "unparsed_actions": 0,
        "unusable_notes": 0,
        "refused_updates": 0,
        "reverted_to": None,
        **more,
    }


def evaluation(checkpoint: int, validation: float, reported: float) -> dict[str, Any]:
    return {
        "checkpoint": checkpoint,
        "num_tasks": 4,
        "failed_episodes": 1,
        "avg_reward": (validation + reported) / 2,
        "validation_reward": validation,
        "report_reward": reported,
        "metrics": {"em": 0.25},
        "usage": {**USAGE, "cost_usd": None},
        "duration_s": 1.0,
    }


def summary(**more: Any) -> dict[str, Any]:
    return {
        "run_id": "r_1",
        "run_dir": "elsewhere/r_1",
        "state": "completed",
        "reason": None,
        "remedy": None,
        "iterations": [iteration(0), iteration(1)],
        "evaluations": [],
        "best_checkpoint": {"checkpoint": 1, "basis": "training", "reward": 0.5321},
        "totals": {**USAGE, "cost_usd": None, "by_role": {"judge": {**USAGE, "cost_usd": None}}},
        **more,
    }


def table(text: str, first_header: str) -> list[dict[str, str]]:
    """The rows of the tab-separated table that begins with ``first_header``."""
    lines = [line.split("\t") for line in text.splitlines()]
    start = next(number for number, line in enumerate(lines) if line[0] == first_header and len(line) > 1)
    rows = []
    for line in lines[start + 1 :]:
        if len(line) == 1:
            break
        rows.append(dict(zip(lines[start], line, strict=True)))
    return rows


def test_lines_of_progress() -> None:
    assert iteration_line(1, 5, iteration(1)) == (
        "iteration 1 (2 of 5): reward 0.532 (0.00 to 1.00, em 0.40), 12,345 tokens, $0.0000, 3.2 s"
    )
    troubled = iteration(1, unparsed_answers=2, refused_updates=1, reverted_to=0, cost_usd=None)
    assert iteration_line(1, 5, troubled).endswith(
        "unknown, 3.2 s; unparsed answers: 2, refused updates: 1, went back to checkpoint 0"
    )
    assert evaluation_line(3, evaluation(3, 0.5, 0.75)) == (
        "checkpoint 3: held-out reward 0.625 (4 tasks, em 0.25), 15 tokens, unknown, 1.0 s; failed episodes: 1"
    )


def test_columns_of_trouble_appear_only_where_there_was_any(capsys: pytest.CaptureFixture[str]) -> None:
    report(summary())
    assert (
        not {"refused updates", "failed episodes", "went back to"}
        & table(capsys.readouterr().out, "iteration")[0].keys()
    )

    report(summary(iterations=[iteration(0), iteration(1, refused_updates=2, reverted_to=0)]))
    first, second = table(capsys.readouterr().out, "iteration")
    assert (first["refused updates"], first["went back to"]) == ("0", "")
    assert (second["refused updates"], second["went back to"]) == ("2", "checkpoint 0")
    assert "unparsed answers" not in second


def test_an_unknown_cost_is_called_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    report(summary(iterations=[iteration(0, cost_usd=None)]))
    printed = capsys.readouterr().out

    assert table(printed, "iteration")[0]["cost"] == "unknown"
    assert [(row["role"], row["cost"]) for row in table(printed, "role")] == [
        ("judge", "unknown"),
        ("total", "unknown"),
    ]


def test_the_best_checkpoint_says_what_it_was_chosen_on(capsys: pytest.CaptureFixture[str]) -> None:
    report(summary())
    assert "looks better than it is" in capsys.readouterr().out

    best = {"checkpoint": 1, "basis": "held_out", "reward": 0.25}
    report(summary(evaluations=[evaluation(0, 0.5, 0.5), evaluation(1, 0.75, 0.25)], best_checkpoint=best))
    printed = capsys.readouterr().out
    assert [row["best"] for row in table(printed, "checkpoint")] == ["", "*"]
    assert "chosen on the validation half" in printed
    assert "its reward is 0.250" in printed


def test_a_run_that_did_not_complete_says_why_and_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    report(summary(state="stopped", reason="asked to by SIGINT", remedy="Run the same command again to go on."))
    printed = capsys.readouterr().out

    assert "r_1: stopped, 2 iterations finished\nasked to by SIGINT\nRun the same command again to go on.\n" in printed
    assert "langmarl show elsewhere/r_1" in printed


def test_a_run_without_anything_is_reported_too(capsys: pytest.CaptureFixture[str]) -> None:
    report(summary(state="stopped", iterations=[], best_checkpoint=None, totals={}))

    assert "r_1: stopped, 0 iterations finished" in capsys.readouterr().out
