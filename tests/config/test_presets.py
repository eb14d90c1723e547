from __future__ import annotations

import pytest

from langmarl.config import LLMConfig, get_llm_config, list_available_models, price_of
from langmarl.config.presets import endpoints, presets
from langmarl.errors import ConfigError, UnknownNameError

EXPECTED = {
    "offline", "gpt-4.1", "gpt-4.1-mini", "gpt-4o", "gpt-4o-mini", "gpt-3.5-turbo", "o1", "o3-mini", "o4-mini",
    "gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.0-flash", "gemini-1.5-pro", "gemini-1.5-flash",
    "deepseek-chat", "deepseek-reasoner", "ollama", "vllm",
}  # fmt: skip


def test_every_preset_has_a_one_line_description_and_a_unique_name():
    models = list_available_models()
    assert len(models) >= 24
    assert set(models) >= EXPECTED
    assert all(text and "\n" not in text and len(text) <= 120 for text in models.values())
    assert sum(len(group.models) for group in endpoints()) == len(models)


@pytest.mark.parametrize("name", list_available_models())
def test_every_preset_has_a_known_price_and_says_how_to_reach_it(name):
    llm = LLMConfig.from_preset(name)
    assert llm.name == name
    assert price_of(llm) is not None
    assert llm.is_local or llm.needs_key
    assert not (llm.is_local and llm.needs_key)


@pytest.mark.parametrize("name", ["o1", "o3-mini", "o4-mini", "gpt-6-luna", "gpt-5.1", "gpt-5-mini"])
def test_reasoning_models_of_openai_carry_their_quirks(name):
    llm = LLMConfig.from_preset(name)
    assert llm.max_tokens_parameter == "max_completion_tokens"
    assert not llm.supports_temperature


def test_the_offline_preset_is_what_the_client_looks_for():
    llm = get_llm_config("offline")
    assert (llm.base_url, llm.model_string) == ("offline://in-process", "offline")
    assert llm.is_offline
    assert llm.is_local
    assert llm.get_api_key() is None
    assert llm.input_price_per_million == llm.output_price_per_million == 0


def test_presets_cannot_be_changed_by_a_caller():
    with pytest.raises(TypeError):
        presets()["offline"]["model_string"] = "x"
    LLMConfig.from_preset("deepseek-flash").extra_params["thinking"]["type"] = "enabled"
    assert LLMConfig.from_preset("deepseek-flash").extra_params == {"thinking": {"type": "disabled"}}


def test_a_model_is_read_from_a_file(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text('{"preset": "gpt-4o", "temperature": 0.2}', encoding="utf-8")
    assert get_llm_config(path) == get_llm_config(str(path)) == LLMConfig.from_preset("gpt-4o", temperature=0.2)


def test_a_name_that_is_neither_is_refused_with_the_nearest(tmp_path):
    with pytest.raises(UnknownNameError, match=r"did you mean 'gemini-2\.5-pro'"):
        get_llm_config("gemini-25-pro")
    with pytest.raises(ConfigError, match="no such file"):
        get_llm_config(str(tmp_path / "absent.json"))
