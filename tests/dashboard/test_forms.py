import enum
import json
from typing import Annotated, Literal

import pytest
from annotated_types import Interval
from pydantic import BaseModel, Field, SecretStr

from dashboard.forms.fields import form_fields
from dashboard.forms.groups import MODELS, PLACE, TASK, grouped
from dashboard.forms.json_text import LARGEST_IMPORT, config_text, read_import
from dashboard.forms.model_values import CUSTOM, ModelValue, chosen, overridden, without_field
from dashboard.forms.reading import read_settings
from dashboard.forms.secrets import is_variable_name, without_keys
from dashboard.forms.words import label_of, meaning_of_none
from langmarl.config import BaseConfig, LanguageTaskConfig, LLMConfig, load_config
from langmarl.errors import ConfigError


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Inner(BaseModel):
    depth: int = 1


class Odd(BaseConfig):
    weight: Annotated[float, Interval(ge=0.5, lt=2)] = 1.0
    """How heavy. None: it is not weighed."""

    color: Color = Color.RED
    level: Literal[1, 2, 3] | None = None
    inner: Inner = Inner()
    tags: list[str] = Field(default_factory=list)
    token: SecretStr | None = None
    helper_llm: LLMConfig | None = None
    titled: str = Field("x", title="A better name")
    needed: int = Field(gt=2)


def field_of(model, name):
    return next(field for field in form_fields(model) if field.name == name)


# fields


def test_every_setting_of_a_config_becomes_a_field():
    assert {field.name for field in form_fields(LanguageTaskConfig)} == set(LanguageTaskConfig.model_fields)


def test_every_field_is_in_exactly_one_group():
    names = [field.name for group in grouped(LanguageTaskConfig) for field in group.fields]
    assert sorted(names) == sorted(LanguageTaskConfig.model_fields)


def test_bounds_help_and_default_come_from_the_model():
    field = field_of(LanguageTaskConfig, "num_agents")
    assert (field.kind, field.minimum, field.default) == ("integer", 1, 2)
    assert "Number of agents in the team" in field.help
    assert "At least 1" in field.help
    assert "num_agents" in field.help
    assert field_of(LanguageTaskConfig, "max_workers").maximum == 1000


def test_more_than_a_whole_number_means_the_next_one():
    assert field_of(LanguageTaskConfig, "max_total_tokens").minimum == 1
    assert field_of(Odd, "needed").minimum == 3


def test_a_number_beyond_what_browsers_count_exactly_is_not_offered():
    field = field_of(LanguageTaskConfig, "seed")
    assert field.maximum == 2**53 - 1
    assert not field.takes(2**60)


def test_kinds_follow_the_annotations():
    kinds = {field.name: field.kind for field in form_fields(Odd)}
    assert (kinds["weight"], kinds["color"], kinds["level"]) == ("number", "choice", "choice")
    assert (kinds["inner"], kinds["tags"], kinds["helper_llm"]) == ("group", "json", "model")
    assert kinds["initial_policies"] == "texts"


def test_choices_and_limits_written_in_other_ways_are_understood():
    weight = field_of(Odd, "weight")
    assert (weight.minimum, weight.maximum) == (0.5, 2.0)
    assert field_of(Odd, "color").options == ("red", "blue")
    assert field_of(Odd, "level").options == (1, 2, 3)
    assert field_of(Odd, "level").nullable
    assert field_of(Odd, "titled").label == "A better name"
    assert field_of(Odd, "needed").required


def test_secrets_are_no_fields():
    assert "token" not in {field.name for field in form_fields(Odd)}
    assert "api_key" not in {field.name for field in form_fields(LLMConfig)}


def test_new_fields_find_a_group_by_what_they_are():
    groups = {group.title: {field.name for field in group.fields} for group in grouped(Odd)}
    assert "helper_llm" in groups[MODELS]
    assert {"weight", "color", "needed"} <= groups[TASK]
    assert "exp_name" in groups[PLACE]


def test_a_field_takes_only_what_its_widget_can_show():
    number = field_of(LanguageTaskConfig, "train_test_split")
    assert number.takes(3)
    assert not number.takes("0.5")
    assert not number.takes(True)
    assert not number.takes(None)
    assert field_of(LanguageTaskConfig, "data_limit").takes(None)


def test_names_and_meanings_are_put_in_words():
    assert label_of("max_cost_usd") == "Maximum cost (US dollars)"
    assert label_of("num_agents") == "Number of agents"
    assert meaning_of_none("How many. None: all of them.") == "all of them"
    assert meaning_of_none("How many.") == ""


# reading


def test_settings_are_read_as_the_command_line_reads_them(tmp_path):
    data = {"llm": "offline", "num_agents": 3}
    path = tmp_path / "config.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    assert read_settings(data).config == load_config(path)


def test_everything_wrong_is_reported_at_its_field():
    faults = {fault.field: fault for fault in read_settings({"num_agents": 0, "paradigm": "credit", "nope": 1}).faults}
    assert set(faults) == {"num_agents", "paradigm", "nope", "actor_llm", "critic_llm", "optimizer_llm"}
    assert "at least 1" in faults["num_agents"].message


def test_an_unknown_environment_is_a_fault_with_a_suggestion_and_keeps_the_rest_readable():
    reading = read_settings({"env": "langage", "task_type": "qa", "num_agents": 3})
    (fault,) = reading.faults
    assert (fault.field, fault.suggestion) == ("env", "language")
    assert reading.sound is not None
    assert reading.sound.num_agents == 3


def test_an_environment_that_is_no_name_is_a_fault():
    assert read_settings({"env": ["x"]}).faults[0].field == "env"


# import and export


def test_what_is_exported_is_imported_as_it_was():
    data = {"llm": {"preset": "gpt-4o", "temperature": 0.25}, "exp_name": "größe", "mini_batch_size": None}
    text = config_text(data)
    assert read_import(text) == data
    assert list(read_import(text)) == list(data)
    assert config_text(read_import(text.encode())) == text


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"a": 1', "not valid JSON at line 1"),
        (b"[1]", "it holds a list"),
        (b"  ", "empty"),
        (b"\xff\xfe", "UTF-8"),
        (b'{"num_agents": 1, "num_agents": 2}', "given twice"),
        (b'{"code_timeout": NaN}', "NaN"),
        (b'{"a": ' + b"[" * 30 + b"]" * 30 + b"}", "nested deeper"),
        (b"[" * 100_000, "too deep"),
        (json.dumps({"a": {f"n{number}": 0 for number in range(1500)}}).encode(), "more than 1000 names"),
        (b'{"exp_name": "' + b"x" * LARGEST_IMPORT + b'"}', "at most 1 MB"),
    ],
)
def test_what_cannot_be_taken_in_is_refused_in_words(content, reason):
    with pytest.raises(ConfigError, match=reason):
        read_import(content)


def test_a_file_of_exactly_the_largest_size_is_taken():
    frame = b'{"exp_name": ""}'
    filled = b'{"exp_name": "' + b"x" * (LARGEST_IMPORT - len(frame)) + b'"}'
    assert len(filled) == LARGEST_IMPORT
    assert len(read_import(filled)["exp_name"]) > 900_000


@pytest.mark.parametrize(
    "data",
    [
        {"llm": {"model_string": "m", "api_key": "sk-planted-0123456789"}},
        {"llm": {"model_string": "m", "api_key_env_var": "sk-planted-0123456789"}},
        {"team": [{"llm": {"api_key": "sk-planted-0123456789"}}]},
        {"llm": {"model_string": "m", "apiKey": "planted"}},
        {"llm": {"model_string": "m", "sk-planted-0123456789": 1, "api_key": "planted"}},
        {"llm": {"extra_params": {"user": {"OPENAI-API-KEY": "planted"}}}},
        {"llm": "sk-planted-0123456789", "critic_llm": {"api_key": "planted"}},
        {"llm": {"base_url": "https://me:planted@gateway.example/v1", "api_key": "planted"}},
        {"llm": {"endpoint": "https://gateway.example/v1?key=planted", "api_key": "planted"}},
    ],
)
def test_a_key_in_a_file_is_refused_and_never_quoted(data):
    with pytest.raises(ConfigError) as caught:
        read_import(json.dumps(data))
    assert "planted" not in str(caught.value)
    assert "api_key" in str(caught.value)


@pytest.mark.parametrize(
    "data",
    [
        {"exp_name": "key-facts-2026", "llm": {"base_url": "https://a.example/v1", "api_key_env_var": "MY_KEY"}},
        {"initial_policies": {"agent_1": "Answer with sk-abcdefghijklmnop as an example, or key-value-pairs."}},
        {"llm": {"api_key": None, "api_key_env_var": None, "max_tokens": 5, "extra_params": {"prompt_cache_key": "a"}}},
    ],
)
def test_what_only_resembles_a_key_is_taken_in(data):
    assert read_import(json.dumps(data)) == data
    assert without_keys(data) == data


def test_keys_are_hidden_before_anything_is_shown():
    shown = without_keys({"llm": {"api_key": "planted", "api_key_env_var": "not a name!", "model_string": "m"}})
    assert shown == {"llm": {"api_key": "(hidden)", "api_key_env_var": "(hidden)", "model_string": "m"}}
    assert is_variable_name("OPENAI_API_KEY")
    assert not is_variable_name("sk_abcdefghijkl")


# a model's setting


def test_a_model_setting_is_taken_apart_in_each_of_its_forms():
    assert ModelValue.of(None) == ModelValue(None, {})
    assert ModelValue.of("gpt-4o") == ModelValue("gpt-4o", {})
    assert ModelValue.of({"preset": "gpt-4o", "temperature": 1}) == ModelValue("gpt-4o", {"temperature": 1})
    assert ModelValue.of({"model_string": "m"}).choice == CUSTOM
    assert not ModelValue.of("gpt4o").readable
    assert not ModelValue.of(3).readable


def test_an_override_makes_an_object_of_a_presets_name_and_back():
    changed = overridden("gpt-4o", "temperature", 0.5)
    assert changed == {"preset": "gpt-4o", "temperature": 0.5}
    assert without_field(changed, "temperature") == "gpt-4o"
    assert overridden(changed, "temperature", None) == "gpt-4o"


def test_another_preset_keeps_what_does_not_belong_to_the_endpoint():
    before = {"preset": "gpt-4o", "temperature": 0.5, "base_url": "https://x.example/v1", "max_retries": 2}
    assert chosen(before, "gpt-4o-mini") == {"preset": "gpt-4o-mini", "temperature": 0.5, "max_retries": 2}
    assert chosen("gpt-4o", None) is None
    assert chosen(before, CUSTOM)["model_string"] == ""
