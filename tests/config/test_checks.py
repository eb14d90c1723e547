from __future__ import annotations

import pytest

from langmarl.config import BaseConfig, LanguageTaskConfig, check_combinations, missing_keys

UNPRICED = {"model_string": "m", "base_url": "https://x.example/v1"}


def fields(faults) -> list[str]:
    return [fault.field for fault in faults]


def test_a_runnable_configuration_has_no_faults():
    assert check_combinations(LanguageTaskConfig(llm="offline", max_cost_usd=1)) == []


def test_every_role_without_a_model_is_named():
    assert fields(check_combinations(LanguageTaskConfig(critic_llm="offline"))) == ["actor_llm", "optimizer_llm"]


@pytest.mark.parametrize(
    ("settings", "judged"), [({"task_type": "writing"}, True), ({"use_verified_reward": False}, True), ({}, False)]
)
def test_the_judge_needs_a_model_where_it_scores(settings, judged):
    config = LanguageTaskConfig(**settings)
    assert ("judge_llm" in fields(check_combinations(config))) is judged
    assert BaseConfig().roles_in_use() == ("actor_llm", "critic_llm", "optimizer_llm")


def test_a_cost_limit_needs_known_prices_of_the_models_in_use():
    config = LanguageTaskConfig(llm=UNPRICED, critic_llm="offline", judge_llm=UNPRICED, max_cost_usd=1)
    assert fields(check_combinations(config)) == ["llm"]
    assert "max_total_tokens" in str(check_combinations(config)[0])
    assert fields(check_combinations(config, price_known=lambda llm: llm.name != "offline")) == ["critic_llm"]
    assert check_combinations(config, price_known=lambda llm: True) == []
    assert check_combinations(LanguageTaskConfig(llm=UNPRICED)) == []


def test_absent_files_are_named(tmp_path):
    config = LanguageTaskConfig(llm="offline", benchmark_path=str(tmp_path / "x"), prompts_dir=str(tmp_path / "y"))
    assert fields(check_combinations(config)) == ["prompts_dir", "benchmark_path"]
    (tmp_path / "x").write_text("[]", encoding="utf-8")
    (tmp_path / "y").mkdir()
    assert check_combinations(config) == []


def test_what_was_assigned_later_is_checked_too():
    config = LanguageTaskConfig(llm="offline")
    config.mini_batch_size = 99
    assert fields(check_combinations(config)) == ["mini_batch_size"]


def test_missing_keys_are_told_once_a_variable():
    config = LanguageTaskConfig(llm="gpt-4o", critic_llm="gpt-4o-mini", optimizer_llm="deepseek-flash")
    faults = missing_keys(config, {"DEEPSEEK_API_KEY": ""})
    assert len(faults) == 2
    assert "OPENAI_API_KEY" in str(faults[0])
    assert "llm (gpt-4o), critic_llm (gpt-4o-mini)" in str(faults[0])
    assert "DEEPSEEK_API_KEY" in str(faults[1])
    assert missing_keys(config, {"OPENAI_API_KEY": "a", "DEEPSEEK_API_KEY": "b"}) == []


def test_no_key_is_missing_where_none_is_needed():
    inline = {"model_string": "m", "api_key": "k"}
    for llm in ("offline", "ollama", inline, {**UNPRICED, "api_key_env_var": None}):
        assert missing_keys(LanguageTaskConfig(llm=llm), {}) == []
    assert missing_keys(LanguageTaskConfig(llm="offline", judge_llm="gpt-4o"), {}) == []
