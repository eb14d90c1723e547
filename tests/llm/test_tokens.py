from __future__ import annotations

import pytest

from langmarl.llm.tokens import Tokens, estimated_tokens, reported_tokens


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": None}, {"prompt_tokens": "12"}, [], {"prompt_tokens": 0}]
)
def test_no_counts_are_no_report(usage: object) -> None:
    assert reported_tokens(usage) is None


def test_thinking_that_is_billed_but_left_out_of_the_completion_is_counted() -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 115}
    assert reported_tokens(usage) == Tokens(10, 105, 0, 100)


def test_thinking_that_is_part_of_the_completion_is_not_counted_twice() -> None:
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 50,
        "total_tokens": 60,
        "completion_tokens_details": {"reasoning_tokens": 40},
    }
    assert reported_tokens(usage) == Tokens(10, 50, 0, 40)


def test_deepseeks_name_for_cached_tokens_is_read() -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "prompt_cache_hit_tokens": 8}
    assert reported_tokens(usage) == Tokens(10, 5, 8)


def test_null_details_are_no_details() -> None:
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "prompt_tokens_details": None, "total_tokens": None}
    assert reported_tokens(usage) == Tokens(1, 2)


def test_an_estimate_stays_marked_in_a_sum() -> None:
    assert (Tokens(1, 1) + estimated_tokens("12345", "")) == Tokens(3, 1, estimated=True)
