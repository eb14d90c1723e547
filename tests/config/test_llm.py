from __future__ import annotations

import logging

import pytest
from pydantic import ValidationError

from langmarl.config import LanguageTaskConfig, LLMConfig, list_available_models
from langmarl.config.llm import CLIENT_OWNED_PARAMS
from langmarl.errors import ConfigError, UnknownNameError

SECRET = "planted-Zq83kLm0vX7"


def test_a_model_in_full_is_called_by_its_model_string_unless_named():
    assert LLMConfig(model_string="m").name == "m"
    assert LLMConfig(model_string="m", name="ours").name == "ours"


@pytest.mark.parametrize("value", ["gpt-4o-mini", {"preset": "gpt-4o-mini"}])
def test_a_preset_is_read_by_name(value):
    config = LanguageTaskConfig.from_dict({"llm": value})
    assert config.get_actor_llm() == LLMConfig.from_preset("gpt-4o-mini")
    assert config.get_actor_llm().model_string == "gpt-4o-mini"


def test_overrides_of_a_preset_keep_their_types_and_the_rest_of_the_preset():
    llm = LLMConfig.from_dict(
        {
            "preset": "gemini-3.8-flash",
            "temperature": 0,
            "max_tokens": 77,
            "is_multimodal": False,
            "api_key_env_var": None,
        }
    )
    assert (llm.temperature, llm.max_tokens, llm.is_multimodal, llm.api_key_env_var) == (0, 77, False, None)
    assert llm.base_url == LLMConfig.from_preset("gemini-3.8-flash").base_url


def test_an_unknown_preset_suggests_the_nearest():
    with pytest.raises(UnknownNameError, match="did you mean 'gpt-4o-mini'"):
        LLMConfig.from_preset("gpt4o-mini")
    with pytest.raises(ConfigError, match="Did you mean 'gpt-4o-mini'"):
        LanguageTaskConfig(llm="gpt4o-mini")


@pytest.mark.parametrize("name", list_available_models())
def test_a_preset_dumps_as_its_name_and_comes_back(name):
    llm = LLMConfig.from_preset(name)
    assert llm.to_dict() == {"preset": name}
    assert LLMConfig.from_dict(llm.to_dict()) == llm


def test_a_changed_preset_dumps_only_what_differs():
    llm = LLMConfig.from_preset("gpt-4o-mini", temperature=0.5, max_tokens=4096)
    assert llm.to_dict() == {"preset": "gpt-4o-mini", "temperature": 0.5}


def test_a_difference_set_to_null_survives_the_dump():
    llm = LLMConfig.from_preset("offline", input_price_per_million=None, output_price_per_million=None)
    assert llm.to_dict() == {
        "preset": "offline",
        "input_price_per_million": None,
        "output_price_per_million": None,
    }
    assert LLMConfig.from_dict(llm.to_dict()) == llm


def test_a_model_in_full_dumps_in_full():
    llm = LLMConfig(model_string="m", base_url="https://x.example/v1", extra_params={"top_p": 0.9})
    dumped = llm.to_dict()
    assert dumped["model_string"] == "m"
    assert "preset" not in dumped
    assert LLMConfig.from_dict(dumped) == llm


def test_an_override_equal_to_the_preset_survives_beside_another_address():
    given = {
        "preset": "gpt-4o",
        "base_url": "http://localhost:4000/v1",
        "provider": "openai",
        "api_key_env_var": "OPENAI_API_KEY",
    }
    assert LLMConfig.from_dict(given).to_dict() == given


# Keys


def test_the_key_comes_from_the_variable_or_the_inline_one(monkeypatch):
    monkeypatch.setenv("SOME_KEY", "from-environment")
    assert LLMConfig(model_string="m", api_key_env_var="SOME_KEY").get_api_key() == "from-environment"
    assert LLMConfig(model_string="m", api_key_env_var="SOME_KEY", api_key="inline").get_api_key() == "inline"
    monkeypatch.setenv("SOME_KEY", "")
    assert LLMConfig(model_string="m", api_key_env_var="SOME_KEY").get_api_key() is None
    assert LLMConfig(model_string="m", base_url="https://x.example/v1", api_key_env_var=None).get_api_key() is None


@pytest.mark.parametrize(
    "base_url",
    [
        "http://localhost:1/v1",
        "http://127.0.0.1:1/v1",
        "http://127.9.9.9/v1",
        "http://[::1]:1/v1",
        "offline://in-process",
    ],
)
def test_an_endpoint_on_this_computer_needs_no_key_and_is_sent_none(base_url, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    for llm in (
        LLMConfig(model_string="m", base_url=base_url),
        LLMConfig.from_preset("gpt-4o-mini", base_url=base_url),
    ):
        assert not llm.needs_key
        assert llm.is_loopback
        assert llm.get_api_key() is None


def test_an_endpoint_on_this_computer_gets_the_key_of_a_variable_named_for_it(monkeypatch):
    monkeypatch.setenv("PROXY_KEY", "proxy")
    llm = LLMConfig(model_string="m", base_url="http://localhost:1/v1", api_key_env_var="PROXY_KEY")
    assert llm.get_api_key() == "proxy"


@pytest.mark.parametrize(
    "base_url", [None, "https://localhost.example/v1", "http://10.0.0.1/v1", "http://127.0.0.1.evil.example/v1"]
)
def test_any_other_endpoint_needs_a_key(base_url):
    llm = LLMConfig(model_string="m", base_url=base_url)
    assert llm.needs_key
    assert not llm.is_loopback


def test_an_inline_key_is_in_no_dump_repr_or_text():
    llm = LLMConfig(model_string="m", api_key=SECRET)
    config = LanguageTaskConfig(llm=llm)
    shown = [repr(llm), str(llm), repr(config), str(config), llm.model_dump_json(), config.model_dump_json()]
    shown += [str(item) for item in (llm.to_dict(), llm.model_dump(), config.to_dict(), config.model_dump())]
    assert not [text for text in shown if SECRET in text]
    assert llm.get_api_key() == SECRET


def test_an_inline_key_warns_that_it_will_not_be_saved(caplog):
    with caplog.at_level(logging.WARNING):
        LLMConfig(model_string="m", api_key=SECRET)
    assert "will not be saved" in caplog.text
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    "fields",
    [
        {"api_key": SECRET, "temperature": 9},
        {"api_key": SECRET, "unknown": 1},
        {"api_key": {"inner": SECRET}},
        {"api_key": [SECRET]},
        {"api_key": 12345678901234567890},
        {"apikey": SECRET},
        {"extra_params": {"api_key": SECRET}},
        {"extra_params": {"headers": {"Authorization": f"Bearer {SECRET}"}}},
        {"api_key_env_var": f"{SECRET}"},
        {"base_url": f"https://user:{SECRET}@x.example/v1"},
        {"base_url": f"https://x.example/v1?key={SECRET}"},
        {"base_url": f"{SECRET}"},
        {"model_string": ["sk-" + SECRET]},
        {"max_tokens": "sk-" + SECRET},
        {"sk-" + SECRET: 1},
        {"preset": "sk-" + SECRET},
    ],
)
def test_no_error_shows_a_key(fields):
    given = {"model_string": "m", **fields}
    for build in (
        lambda: LLMConfig(**given),
        lambda: LLMConfig.from_dict(given),
        lambda: LanguageTaskConfig(llm=given, num_agents=0),
        lambda: LanguageTaskConfig.from_dict({"llm": given}, source="file.json"),
    ):
        with pytest.raises(ConfigError) as caught:
            build()
        error: BaseException | None = caught.value
        assert error.__cause__ is None
        assert error.__context__ is None
        for text in (str(error), repr(error), *map(repr, error.faults)):
            assert SECRET not in text
            assert "12345678901234567890" not in text


def test_a_refused_assignment_shows_no_key():
    llm = LLMConfig(model_string="m")
    with pytest.raises(ValidationError) as caught:
        llm.api_key = {"inner": SECRET}
    assert SECRET not in str(caught.value)


# What is refused


@pytest.mark.parametrize("name", [*CLIENT_OWNED_PARAMS, "Messages", "STREAM"])
def test_parameters_that_the_client_writes_are_refused(name):
    with pytest.raises(ConfigError, match=f"'{name}'"):
        LLMConfig(model_string="m", extra_params={name: 1})


def test_other_parameters_are_kept_as_they_are():
    params = {"top_p": 0.9, "reasoning": {"effort": "low"}, "stop": ["a"], "seed": None, "logprobs": True}
    assert LLMConfig(model_string="m", extra_params=params).extra_params == params


@pytest.mark.parametrize(
    "base_url",
    ["", "x.example/v1", "ftp://x.example", "https://", "http://x:notaport/v1", "http://[::1", "file:///etc/passwd"],
)
def test_an_address_that_no_endpoint_has_is_refused(base_url):
    with pytest.raises(ConfigError, match="base_url"):
        LLMConfig(model_string="m", base_url=base_url)


def test_one_price_without_the_other_is_refused():
    with pytest.raises(ConfigError, match="output_price_per_million: is missing beside input_price_per_million"):
        LLMConfig(model_string="m", input_price_per_million=1)
    with pytest.raises(ConfigError, match=r"critic_llm\.input_price_per_million"):
        LanguageTaskConfig(critic_llm={"model_string": "m", "output_price_per_million": 1})


def test_a_temperature_that_will_not_be_sent_is_said(caplog):
    LLMConfig.from_preset("o3-mini")
    assert not caplog.text
    LLMConfig.from_preset("o3-mini", temperature=0.5)
    assert "takes no temperature" in caplog.text


# Presets moved elsewhere


def test_a_preset_at_another_address_loses_the_provider_whose_prices_it_had():
    llm = LLMConfig.from_preset("gpt-4o", base_url="https://proxy.example/v1")
    assert llm.provider is None
    assert LLMConfig.from_dict(llm.to_dict()) == llm
    assert LLMConfig.from_preset("gpt-4o", model_string="gpt-4o-2024-11-20").provider == "openai"


def test_local_presets_stay_local_with_another_model_or_address():
    assert LLMConfig.from_preset("ollama", model_string="gemma3:4b", base_url="http://192.168.1.5:11434/v1").is_local
    assert LLMConfig.from_preset("offline", base_url="http://127.0.0.1:9/v1").is_local
    assert not LLMConfig(model_string="m", base_url="http://localhost:1/v1").is_local
    assert LLMConfig(model_string="m", base_url="offline://in-process").is_local


@pytest.mark.parametrize(
    "extra",
    [{"access_token": "planted-value"}, {"user": {"X-API-Key": "planted-value"}}, {"tag": ["sk-planted-0123456789"]}],
)
def test_extra_params_with_a_key_are_refused_without_it_since_they_are_saved(extra):
    with pytest.raises(ConfigError, match="api_key_env_var") as caught:
        LLMConfig(model_string="m", extra_params=extra)
    assert "planted" not in str(caught.value)


def test_extra_params_that_only_resemble_a_key_are_taken():
    extra = {"prompt_cache_key": "key-facts", "max_thinking_tokens": 5, "stop": ["sk-", "Bearer"]}
    assert LLMConfig(model_string="m", extra_params=extra).extra_params == extra
