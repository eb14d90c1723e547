from __future__ import annotations

import pytest

from langmarl.config import LLMConfig, Price, price_known, price_of


def test_own_prices_come_first_and_are_not_rounded():
    llm = LLMConfig.from_preset("gpt-4o", input_price_per_million=3, output_price_per_million=7)
    price = price_of(llm)
    assert price == Price(3, 7, 3, "config")
    assert price.cost(1, 1) == pytest.approx(1e-5, rel=1e-12)


def test_cached_tokens_pay_their_own_price():
    llm = LLMConfig(
        model_string="m",
        base_url="https://x.example/v1",
        input_price_per_million=10,
        output_price_per_million=0,
        cached_input_price_per_million=1,
    )
    price = price_of(llm)
    assert price.cost(1000, 0, 400) == pytest.approx((600 * 10 + 400 * 1) / 1e6)
    assert price.cost(1000, 0, 5000) == pytest.approx(1000 * 1 / 1e6)


def test_a_listed_model_is_priced_by_the_data_set():
    price = price_of(LLMConfig.from_preset("gpt-4o-mini"))
    assert price.source == "genai-prices"
    assert (price.input_per_million, price.output_per_million) == (0.15, 0.6)
    assert price.cost(1_000, 500, 200) == pytest.approx((800 * 0.15 + 200 * 0.075 + 500 * 0.6) / 1e6)
    assert price.cost(0, 0) == 0


def test_a_long_request_pays_its_tier():
    price = price_of(LLMConfig.from_preset("gemini-2.5-pro"))
    flat = 300_000 * price.input_per_million / 1e6
    assert price.cost(300_000, 0) > flat * 1.5
    assert price.cost(100_000, 0) == pytest.approx(100_000 * price.input_per_million / 1e6)


def test_the_provider_follows_from_the_address():
    assert price_of(LLMConfig(model_string="gpt-4o")).source == "genai-prices"
    deepseek = LLMConfig(model_string="deepseek-chat", base_url="https://api.deepseek.com/v1")
    assert price_of(deepseek).source == "genai-prices"


@pytest.mark.parametrize(
    "llm",
    [
        LLMConfig(model_string="gpt-4o", base_url="https://proxy.example/v1"),
        LLMConfig(model_string="gpt-4o", base_url="http://localhost:4000/v1"),
        LLMConfig(model_string="no-such-model"),
        LLMConfig(model_string="gpt-4o", provider="no-such-provider"),
        LLMConfig.from_preset("gpt-4o", base_url="https://proxy.example/v1"),
    ],
    ids=lambda llm: f"{llm.model_string} at {llm.base_url}",
)
def test_what_is_not_known_stays_unknown(llm):
    assert price_of(llm) is None
    assert not price_known(llm)


def test_local_models_cost_nothing():
    assert price_of(LLMConfig.from_preset("ollama", model_string="gpt-4o")).source == "local"
    own = LLMConfig(model_string="m", base_url="http://gpu.example/v1", local=True)
    assert price_of(own).cost(10**9, 10**9) == 0
    assert price_of(LLMConfig.from_preset("vllm", local=False, input_price_per_million=1)).source == "config"
