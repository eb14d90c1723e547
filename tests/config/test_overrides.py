from __future__ import annotations

import json

import pytest

from langmarl.config import LanguageTaskConfig, LLMConfig, load_config, parse_override
from langmarl.errors import ConfigError


def load(tmp_path, data, overrides):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return load_config(path, overrides)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a=true", True), ("a=false", False), ("a=null", None), ("a=3", 3), ("a=-3", -3), ("a=0.5", 0.5),
        ("a=1e-3", 0.001), ("a=2E3", 2000.0), ("a=[1, 2]", [1, 2]), ('a={"b": false}', {"b": False}), ("a=x", "x"),
        ("a=", ""), ("a=x=y", "x=y"), ("a=True", "True"), ("a=007", "007"), ("a=1_000", "1_000"), ("a=NaN", "NaN"),
        ("a=Infinity", "Infinity"), ("a=[1,", "[1,"), ("a=0x10", "0x10"), (" a = 3 ", 3), ("a=1.", "1."),
        ("a=offline://x", "offline://x"),
    ],
)  # fmt: skip
def test_values_on_the_command_line_are_typed(text, value):
    override = parse_override(text)
    assert override.field == "a"
    assert override.value == value
    assert type(override.value) is type(value)


@pytest.mark.parametrize(
    ("text", "words"),
    [("num_agents", "'num_agents' has no '='"), ("", "has no '='"), ("=3", "no name"), (" =3", "no name")],
)
def test_an_override_without_a_name_or_a_value_is_refused(text, words):
    with pytest.raises(ConfigError, match="key=value") as caught:
        parse_override(text)
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["=planted-Zq83kLm0vX7", "sk-planted-Zq83kLm0vX7"])
def test_what_may_be_a_secret_is_not_quoted(text):
    with pytest.raises(ConfigError) as caught:
        parse_override(text)
    assert "Zq83kLm0vX7" not in str(caught.value)


def test_a_boolean_override_is_false_and_not_the_text(tmp_path):
    assert load(tmp_path, {}, ["use_verified_reward=false"]).use_verified_reward is False
    assert load(tmp_path, {}, {"use_verified_reward": False}).use_verified_reward is False


def test_null_takes_a_setting_back(tmp_path):
    assert load(tmp_path, {"mini_batch_size": 3}, ["mini_batch_size=null"]).mini_batch_size is None


@pytest.mark.parametrize("name", ["123", "1e3", "true", "null", "0012", "1.50"])
def test_a_setting_that_holds_text_takes_what_was_written(tmp_path, name):
    assert load(tmp_path, {}, [f"exp_name={name}"]).exp_name == name


def test_text_settings_that_may_be_null_take_both(tmp_path):
    assert load(tmp_path, {}, ["benchmark_path=2024"]).benchmark_path == "2024"
    assert load(tmp_path, {"benchmark_path": "x"}, ["benchmark_path=null"]).benchmark_path is None
    config = load(tmp_path, {"llm": "offline"}, ["llm.model_string=7", "llm.api_key_env_var=null"])
    assert config.llm.model_string == "7"
    assert config.llm.api_key_env_var is None


def test_an_override_goes_into_a_preset_given_by_name(tmp_path):
    llm = load(tmp_path, {"llm": "gpt-4o-mini"}, {"llm.temperature": 0.7}).llm
    assert llm == LLMConfig.from_preset("gpt-4o-mini", temperature=0.7)
    assert llm.to_dict() == {"preset": "gpt-4o-mini", "temperature": 0.7}


def test_an_override_goes_into_an_object_and_keeps_the_rest(tmp_path):
    data = {"llm": {"model_string": "m", "base_url": "https://x.example/v1", "extra_params": {"top_p": 0.9}}}
    llm = load(tmp_path, data, ["llm.extra_params.seed=3", "llm.max_tokens=9"]).llm
    assert (llm.model_string, llm.max_tokens) == ("m", 9)
    assert llm.extra_params == {"top_p": 0.9, "seed": 3}


@pytest.mark.parametrize("llm", ["gpt-4o-mini", {"preset": "gpt-4o-mini", "max_tokens": 9}])
def test_an_override_of_an_unset_role_is_built_on_llm(tmp_path, llm):
    config = load(tmp_path, {"llm": llm}, ["actor_llm.temperature=0.7"])
    assert config.actor_llm.model_string == "gpt-4o-mini"
    assert config.actor_llm.temperature == 0.7
    assert config.actor_llm.max_tokens == config.llm.max_tokens
    assert config.llm.temperature is None
    assert config.critic_llm is None


def test_an_override_of_an_unset_judge_is_built_on_the_critic(tmp_path):
    config = load(tmp_path, {"llm": "offline", "critic_llm": "gpt-4o"}, ["judge_llm.temperature=0"])
    assert config.judge_llm.model_string == "gpt-4o"


@pytest.mark.parametrize("order", [1, -1])
def test_a_whole_setting_comes_before_its_parts_in_any_order(tmp_path, order):
    overrides = ["llm=gpt-4o-mini", "llm.temperature=0.7"][::order]
    assert load(tmp_path, {"llm": "offline"}, overrides).llm == LLMConfig.from_preset("gpt-4o-mini", temperature=0.7)


def test_objects_can_be_given_as_values(tmp_path):
    given = LLMConfig(model_string="m", api_key="k")
    config = load(tmp_path, {}, {"llm": given, "actor_llm.temperature": 0.7})
    assert config.llm == given
    assert config.actor_llm.get_api_key() == "k"


def test_initial_policies_can_be_given_one_by_one(tmp_path):
    config = load(tmp_path, {}, ["initial_policies.agent_1=42"])
    assert config.initial_policies == {"agent_1": "42"}


def test_faults_of_overrides_come_with_the_rest(tmp_path):
    overrides = ["num_agent=3", "num_iterations.x=1", "critic_llm.temperature=1", "actor_llm.temprature=1", "seed=x"]
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, {"paradigm": "none", "actor_llm": "offline"}, overrides)
    found = {fault.field: str(fault) for fault in caught.value.faults}
    assert set(found) == {
        "num_agent", "num_iterations.x", "critic_llm.temperature", "actor_llm.temprature", "seed", "paradigm",
    }  # fmt: skip
    assert "Did you mean 'num_agents'?" in found["num_agent"]
    assert "has no parts" in found["num_iterations.x"]
    assert "set critic_llm or llm" in found["critic_llm.temperature"]
    assert "Did you mean 'temperature'?" in found["actor_llm.temprature"]


def test_an_override_can_name_the_environment(tmp_path):
    assert isinstance(load(tmp_path, {"env": "nowhere"}, ["env=language"]), LanguageTaskConfig)
