from __future__ import annotations

import json

import pytest

from langmarl.config import BaseConfig, LanguageTaskConfig, LLMConfig, fingerprint_fields

FREE = {
    "exp_name": "other", "num_iterations": 9, "start_iteration": 2, "max_workers": 50, "log_level": "DEBUG",
    "experiment_dir": "/elsewhere", "checkpoint_dir": "/elsewhere", "max_cost_usd": 5, "max_total_tokens": 5,
    "eval_tasks": 3, "eval_every": 2, "benchmark_path": "/moved", "prompts_dir": "/moved",
    "episode_generation_workers": 3, "optimizer_workers": 3,
}  # fmt: skip
BOUND = {
    "paradigm": "central_global", "num_agents": 3, "trajectories_per_iteration": 9, "mini_batch_size": 4, "seed": 1,
    "max_policy_chars": 9, "update_rule": "always", "initial_policies": {"agent_1": "x"}, "task_type": "math",
    "data_limit": 3, "train_test_split": 0.5, "code_timeout": 3, "use_verified_reward": False, "env": "other",
}  # fmt: skip
FREE_OF_A_MODEL = {
    "name": "other", "api_key": "k", "api_key_env_var": "OTHER", "input_price_per_million": 1,
    "cached_input_price_per_million": 1, "output_price_per_million": 1, "request_timeout_s": 1, "max_retries": 1,
    "description": "other", "provider": "together", "local": True, "is_multimodal": True, "context_window": 9,
    "max_tokens_parameter": "max_completion_tokens", "supports_temperature": False, "threads": 2, "slots": 3,
}  # fmt: skip
BOUND_OF_A_MODEL = {
    "model_string": "other", "base_url": "https://y.example/v1", "max_tokens": 9, "temperature": 0.5,
    "extra_params": {"top_p": 0.5}, "structured_output": "none",
}  # fmt: skip
MODEL = {"model_string": "m", "base_url": "https://x.example/v1"}


def of(**fields):
    return fingerprint_fields(LanguageTaskConfig(**{"llm": "offline", **fields}))


def test_every_field_is_known_to_count_or_not():
    models = {"llm", "actor_llm", "critic_llm", "optimizer_llm", "judge_llm"}
    assert set(LanguageTaskConfig.model_fields) == {*FREE, *BOUND, *models}
    assert set(LLMConfig.model_fields) == {*FREE_OF_A_MODEL, *BOUND_OF_A_MODEL, "preset"}


@pytest.mark.parametrize("name", FREE)
def test_what_cannot_change_the_result_is_left_out(name):
    assert of(**{name: FREE[name]}) == of()


@pytest.mark.parametrize("name", BOUND)
def test_what_can_change_the_result_counts(name):
    assert of(**{name: BOUND[name]}) != of()


def test_of_a_model_only_what_reaches_the_answer_counts():
    before = of(llm=MODEL)
    assert of(llm={**MODEL, **FREE_OF_A_MODEL}) == before
    for name, value in BOUND_OF_A_MODEL.items():
        assert of(llm={**MODEL, name: value}) != before


def test_a_temperature_that_is_not_sent_does_not_count():
    assert of(llm={"preset": "o1", "temperature": 0.5}) == of(llm="o1")


def test_models_are_compared_role_by_role():
    each = {"actor_llm": "offline", "critic_llm": "offline", "optimizer_llm": "offline"}
    assert of() == of(**each) == of(llm="gpt-4o", **each)
    assert of(critic_llm="gpt-4o") != of()
    spelt_out = {"model_string": "offline", "base_url": "offline://in-process"}
    assert of(llm=spelt_out) == of()


def test_the_judge_counts_only_where_it_scores():
    assert of(judge_llm="gpt-4o") == of()
    assert of(task_type="writing", judge_llm="gpt-4o") != of(task_type="writing")


def test_it_is_plain_json_without_secrets():
    text = json.dumps(of(llm={**MODEL, "api_key": "planted-secret"}, actor_llm={**MODEL, "api_key": "planted-secret"}))
    assert "planted-secret" not in text


def test_a_plugin_says_which_of_its_fields_do_not_count():
    class Mine(BaseConfig):
        NO_EFFECT_ON_RESULT = BaseConfig.NO_EFFECT_ON_RESULT | {"colour"}
        colour: str = "red"
        rounds: int = 3

    assert fingerprint_fields(Mine(colour="blue")) == fingerprint_fields(Mine())
    assert fingerprint_fields(Mine(rounds=4)) != fingerprint_fields(Mine())
