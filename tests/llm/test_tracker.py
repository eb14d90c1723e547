from __future__ import annotations

import pytest

from langmarl.llm import TokenTracker


def test_tokens_and_costs_add_up() -> None:
    tracker = TokenTracker("some-model", input_price=1.0, output_price=4.0)
    tracker.add_usage(1000, 200)
    tracker.add_usage(500, 50)
    assert tracker.get_stats() == {
        "model": "some-model",
        "input_tokens": 1500,
        "output_tokens": 250,
        "total_tokens": 1750,
        "input_cost": pytest.approx(0.0015),
        "output_cost": pytest.approx(0.001),
        "cost_usd": pytest.approx(0.0025),
    }
    assert tracker.get_summary_string() == "some-model: 1,750 tokens (1,500 in, 250 out), $0.0025"


def test_reset_starts_again() -> None:
    tracker = TokenTracker("some-model", 1.0, 1.0)
    tracker.add_usage(10, 10)
    tracker.reset()
    assert tracker.get_stats()["total_tokens"] == 0
    assert tracker.get_stats()["cost_usd"] == 0.0


def test_an_estimate_changes_no_count() -> None:
    tracker = TokenTracker("some-model", 2.0, 3.0)
    assert tracker.estimate_cost(1_000_000, 2_000_000) == pytest.approx(8.0)
    assert tracker.get_stats()["total_tokens"] == 0


def test_an_unknown_price_is_unknown_and_not_zero() -> None:
    tracker = TokenTracker("a-model-that-no-list-has")
    tracker.add_usage(10, 10)
    stats = tracker.get_stats()
    assert (stats["input_cost"], stats["output_cost"], stats["cost_usd"]) == (None, None, None)
    assert tracker.estimate_cost(1, 1) is None
    assert "cost unknown" in tracker.get_summary_string()


def test_with_one_price_known_only_that_cost_is() -> None:
    tracker = TokenTracker("a-model-that-no-list-has", input_price=1.0)
    tracker.add_usage(1_000_000, 10)
    stats = tracker.get_stats()
    assert (stats["input_cost"], stats["output_cost"], stats["cost_usd"]) == (1.0, None, None)


def test_prices_that_are_not_given_are_looked_up() -> None:
    listed = TokenTracker("gpt-4o-mini").estimate_cost(1_000_000, 1_000_000)
    assert listed is not None
    assert listed > 0
    assert TokenTracker("offline").estimate_cost(1_000_000, 1_000_000) == 0.0
