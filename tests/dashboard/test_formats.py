from datetime import UTC, datetime, timedelta

import pytest

from dashboard import formats


@pytest.mark.parametrize(
    ("count", "text"),
    [(None, "–"), (0, "0"), (9_876, "9,876"), (123_400, "123.4K"), (999_960, "1.00M"), (1_234_567, "1.23M")],
)
def test_tokens(count, text):
    assert formats.tokens(count) == text


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (None, "unknown"),
        (0, "$0"),
        (0.0012, "$0.0012"),
        (0.000012, "$1.2e-05"),
        (0.0156, "$0.0156"),
        (1.5, "$1.50"),
        (12345.6, "$12,345.60"),
    ],
)
def test_dollars_never_shows_an_unknown_or_a_small_cost_as_nothing(amount, text):
    assert formats.dollars(amount) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "–"),
        (0.85, "850 ms"),
        (4.26, "4.3 s"),
        (12.3, "12 s"),
        (59.9, "1 min"),
        (200, "3 min 20 s"),
        (7500, "2 h 5 min"),
        (90_000, "1 d 1 h"),
    ],
)
def test_duration(seconds, text):
    assert formats.duration(seconds) == text


@pytest.mark.parametrize(
    ("age", "text"),
    [
        (timedelta(seconds=2), "just now"),
        (timedelta(seconds=42.5), "42 s ago"),
        (timedelta(minutes=5, seconds=1), "5 min ago"),
        (timedelta(hours=3, seconds=1), "3 h ago"),
        (timedelta(days=1, seconds=1), "1 day ago"),
        (timedelta(days=2, seconds=1), "2 days ago"),
    ],
)
def test_ago(age, text):
    now = datetime(2026, 3, 1, tzinfo=UTC)
    assert formats.ago((now - age).isoformat(), now) == text


def test_ago_gives_a_date_after_a_week_and_leaves_what_is_no_time():
    assert formats.ago("2020-01-05T12:00:00+00:00") == "2020-01-05"
    assert formats.ago("yesterday") == "yesterday"
    assert formats.ago(None) == "–"


def test_reward():
    assert formats.reward(0.35) == "0.350"
    assert formats.reward(None) == "–"


def test_halves_of_a_reward_are_rounded_as_the_browsers_tables_do():
    assert formats.reward(0.8125) == "0.813"
    assert formats.reward(-0.25) == "-0.250"
