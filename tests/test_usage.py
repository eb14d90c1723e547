import pytest

from langmarl.usage import Usage, total

CALL = Usage(calls=1, input_tokens=10, output_tokens=5, cached_tokens=4, reasoning_tokens=2, cost_usd=0.25, retries=1)


def test_usages_add_up_field_by_field():
    both = CALL + Usage(calls=2, input_tokens=1, output_tokens=1, cost_usd=0.5, failures=1)
    assert both == Usage(3, 11, 6, 4, 2, 0.75, 1, 1)
    assert both.total_tokens == 17


def test_an_unknown_price_makes_the_sum_unknown_and_never_zero():
    assert (CALL + Usage(cost_usd=None)).cost_usd is None
    assert (Usage(cost_usd=None) + CALL).cost_usd is None


def test_costs_are_not_rounded():
    assert total([Usage(cost_usd=1e-9)] * 3).cost_usd == pytest.approx(3e-9, rel=1e-12)


def test_nothing_adds_up_to_nothing():
    assert total([]) == Usage()


def test_a_usage_survives_its_json_form():
    assert Usage.from_dict(CALL.to_dict()) == CALL
    assert CALL.to_dict()["total_tokens"] == 15
