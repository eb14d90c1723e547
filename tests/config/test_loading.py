from __future__ import annotations

import json
import random

import pytest

from langmarl.config import BaseConfig, LanguageTaskConfig, LLMConfig, list_available_models, load_config
from langmarl.errors import ConfigError

SECRET = "planted-Zq83kLm0vX7"


def write(tmp_path, text):
    path = tmp_path / "config.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def refusal(path, **options) -> str:
    with pytest.raises(ConfigError) as caught:
        load_config(path, **options)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_a_file_without_env_is_read_as_language(tmp_path):
    config = load_config(write(tmp_path, '{"task_type": "math"}'))
    assert isinstance(config, LanguageTaskConfig)
    assert config.task_type == "math"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f'{{"llm": "{SECRET}",\n  "num_agents": 2,,}}', "line 2, column 19"),
        ("", "line 1, column 1"),
        (f'["{SECRET}"]', "must hold a JSON object {…}; it holds a list"),
        (f'"{SECRET}"', "must hold a JSON object"),
        ("3", "it holds a single value"),
        ('{"seed": 1, "seed": 2}', "seed: is given twice"),
        ('{"llm": {"model_string": "a", "model_string": "b"}}', "model_string: is given twice"),
        (b"\xff\xfe\x00", "UTF-8"),
        ("[" * 100_000, "too deep"),
        ('{"seed": ' + "9" * 5000 + "}", "too long a number"),
        ('{"exp_name": "a", "initial_policies": {"agent_1": "\\ud800"}}', "half a character"),
        ('{"env": 3}', "env: is 3"),
        ('{"env": "langage"}', "Did you mean 'language'"),
    ],
)
def test_a_file_that_cannot_be_used_says_why_and_quotes_nothing(tmp_path, text, words):
    message = refusal(write(tmp_path, text))
    assert words in message
    assert SECRET not in message


def test_a_missing_file_and_a_directory_are_told_apart(tmp_path):
    assert "there is no such file" in refusal(tmp_path / "absent.json")
    assert "is a directory" in refusal(tmp_path)
    assert "cannot be read" in refusal("nul\0byte")


def test_a_byte_order_mark_does_no_harm(tmp_path):
    assert load_config(write(tmp_path, b"\xef\xbb\xbf" + b'{"seed": 3}')).seed == 3


def test_what_could_not_run_can_still_be_loaded(tmp_path):
    path = write(tmp_path, '{"benchmark_path": "/absent", "max_cost_usd": 1, "prompts_dir": "/absent"}')
    assert load_config(path).benchmark_path == "/absent"


def test_loading_to_run_reports_everything_together(tmp_path):
    data = {
        "num_agents": 0,
        "actor_llm": {"model_string": "m", "base_url": "https://x.example/v1"},
        "max_cost_usd": 1,
        "benchmark_path": str(tmp_path / "absent.json"),
        "prompts_dir": str(tmp_path / "absent"),
        "trajectories_per_iteration": 3,
        "mini_batch_size": 4,
    }
    with pytest.raises(ConfigError) as caught:
        load_config(write(tmp_path, json.dumps(data)), to_run=True)
    assert {fault.field for fault in caught.value.faults} == {
        "num_agents", "actor_llm", "critic_llm", "optimizer_llm", "benchmark_path", "prompts_dir", "mini_batch_size",
    }  # fmt: skip


def test_a_model_that_is_refused_is_not_also_called_missing(tmp_path):
    path = write(tmp_path, '{"llm": "offlin"}')
    with pytest.raises(ConfigError) as caught:
        load_config(path, to_run=True)
    assert [fault.field for fault in caught.value.faults] == ["llm"]


# Round trip


def some_llm(rng: random.Random):
    name = rng.choice(list(list_available_models()))
    form = rng.randrange(4)
    if form == 0:
        return None
    if form == 1:
        return name
    if form == 2:
        changes = {
            "temperature": rng.choice([None, 0, 0.1 + rng.random()]),
            "base_url": rng.choice([None, "https://x.example/v1", "http://localhost:9/v1"]),
            "extra_params": {"ключ": [1, None, {"a": '\u2028"'}]},
            "api_key_env_var": rng.choice([None, "KEY", "OPENAI_API_KEY"]),
            "provider": rng.choice([None, "openai", "google"]),
            "model_string": "some/model",
            "local": rng.random() < 0.5,
        }
        chosen = rng.sample(sorted(changes), rng.randrange(len(changes)))
        prices = rng.choice([{}, {"input_price_per_million": 1, "output_price_per_million": 0}])
        return {"preset": name, **prices, **{key: changes[key] for key in chosen}}
    return {
        "model_string": "m" * rng.randrange(1, 5),
        "base_url": rng.choice([None, "http://127.0.0.1:1/v1"]),
        "input_price_per_million": rng.random(),
        "output_price_per_million": rng.random() * 1e-9,
        "max_retries": rng.randrange(10),
    }


def some_config(rng: random.Random) -> LanguageTaskConfig:
    episodes = rng.randrange(1, 50)
    return LanguageTaskConfig(
        exp_name=rng.choice(["a", "größe", "x y.z"]),
        task_type=rng.choice(["qa", "math", "writing", "coding"]),
        paradigm=rng.choice(["central_credit", "central_global"]),
        num_agents=rng.randrange(1, 6),
        trajectories_per_iteration=episodes,
        mini_batch_size=rng.choice([None, rng.randrange(1, episodes + 1)]),
        seed=rng.randrange(2**63),
        llm=some_llm(rng),
        actor_llm=some_llm(rng),
        judge_llm=some_llm(rng),
        max_cost_usd=rng.choice([None, rng.random() + 1e-12]),
        initial_policies=rng.choice([None, {}, {"agent_1": 'línea\n"two" \u2028 \U0001f600'}]),
        train_test_split=1 - rng.random() / 2,
        code_timeout=rng.random() + 0.001,
    )


@pytest.mark.parametrize("seed", range(150))
def test_what_was_written_reads_back_equal(tmp_path, seed):
    config = some_config(random.Random(seed))
    path = tmp_path / "deep" / "config.json"
    config.to_json(path)
    assert LanguageTaskConfig.from_json(path) == config
    assert load_config(path) == config
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["env"] == "language"
    assert LanguageTaskConfig.from_dict(written).to_dict() == config.to_dict()


def test_every_class_writes_its_environment(tmp_path):
    class Mine(BaseConfig):
        env: str = "mine"

    Mine(llm="offline").to_json(tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["env"] == "mine"
    assert Mine.from_json(tmp_path / "a.json") == Mine(llm="offline")
    BaseConfig(env="other").to_json(tmp_path / "b.json")
    assert BaseConfig.from_json(tmp_path / "b.json").env == "other"


def test_an_inline_key_is_not_written(tmp_path):
    llm = LLMConfig(model_string="m", api_key=SECRET)
    config = LanguageTaskConfig(llm=llm)
    config.to_json(tmp_path / "config.json")
    assert SECRET not in (tmp_path / "config.json").read_text(encoding="utf-8")
    back = LanguageTaskConfig.from_json(tmp_path / "config.json")
    assert back != config
    assert back == LanguageTaskConfig(llm=LLMConfig(model_string="m"))


def test_from_json_takes_overrides(tmp_path):
    LanguageTaskConfig(llm="offline").to_json(tmp_path / "config.json")
    config = LanguageTaskConfig.from_json(tmp_path / "config.json", {"num_agents": 3, "llm.max_tokens": 5})
    assert (config.num_agents, config.llm.max_tokens) == (3, 5)


def test_writing_replaces_the_file_in_one_step_and_leaves_nothing_behind(tmp_path):
    path = tmp_path / "config.json"
    LanguageTaskConfig().to_json(path)
    config = LanguageTaskConfig(seed=5)
    config.to_json(str(path))
    assert load_config(path).seed == 5
    assert [item.name for item in tmp_path.iterdir()] == ["config.json"]
