"""The fields of a run's configuration: defaults, bounds, combinations, errors."""

from __future__ import annotations

import pytest

from langmarl.config import BaseConfig, LanguageTaskConfig, LLMConfig
from langmarl.errors import ConfigError

DEFAULTS = {
    "exp_name": "experiment", "paradigm": "central_credit", "num_agents": 2, "num_iterations": 5,
    "trajectories_per_iteration": 10, "mini_batch_size": None, "start_iteration": 0, "max_workers": 5, "llm": None,
    "actor_llm": None, "critic_llm": None, "optimizer_llm": None, "experiment_dir": "./experiments",
    "checkpoint_dir": None, "log_level": "INFO", "max_cost_usd": None, "max_total_tokens": None, "eval_tasks": 0,
    "eval_every": 1, "initial_policies": None,
}  # fmt: skip


def faults_of(**fields) -> dict[str, str]:
    with pytest.raises(ConfigError) as caught:
        LanguageTaskConfig(**fields)
    return {fault.field: str(fault) for fault in caught.value.faults}


def test_the_defaults_are_the_documented_ones():
    config = BaseConfig()
    assert {name: getattr(config, name) for name in DEFAULTS} == DEFAULTS
    assert LanguageTaskConfig().data_limit is None
    assert LanguageTaskConfig().env == "language"
    llm = LLMConfig(model_string="m")
    assert (llm.base_url, llm.api_key, llm.api_key_env_var) == (None, None, "OPENAI_API_KEY")
    assert (llm.is_multimodal, llm.max_tokens, llm.temperature, llm.extra_params) == (False, 4096, None, {})


@pytest.mark.parametrize("model", [BaseConfig, LanguageTaskConfig, LLMConfig])
def test_every_field_says_what_it_means(model):
    unexplained = [name for name, field in model.model_fields.items() if len(field.description or "") < 15]
    assert not unexplained


def test_agents_are_counted_from_one():
    assert LanguageTaskConfig(num_agents=3).agent_ids == ["agent_1", "agent_2", "agent_3"]


# Roles


def test_a_role_without_its_own_model_falls_back():
    config = LanguageTaskConfig(llm="offline", critic_llm="gpt-4o")
    assert config.get_actor_llm().name == config.get_optimizer_llm().name == "offline"
    assert config.get_critic_llm().name == config.get_judge_llm().name == "gpt-4o"
    assert LanguageTaskConfig(llm="offline", judge_llm="gpt-4o").get_judge_llm().name == "gpt-4o"
    assert BaseConfig(llm="gpt-4o", critic_llm="offline").get_judge_llm().name == "offline"
    assert BaseConfig(llm="gpt-4o").get_judge_llm().name == "gpt-4o"


def test_a_role_without_any_model_is_an_error_that_names_it():
    with pytest.raises(ConfigError, match="critic_llm: no model is named for the critic; set critic_llm or llm"):
        LanguageTaskConfig(actor_llm="offline").get_critic_llm()


# Bounds and combinations


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("num_agents", 0), ("num_agents", -1), ("num_agents", 1.5), ("num_agents", True), ("num_agents", "two"),
        ("num_agents", None), ("num_iterations", 0), ("trajectories_per_iteration", 0), ("mini_batch_size", 0),
        ("max_workers", 0), ("max_workers", False), ("max_cost_usd", 0), ("max_cost_usd", -1),
        ("max_cost_usd", float("inf")), ("max_cost_usd", float("nan")), ("max_total_tokens", 0),
        ("eval_every", 0), ("eval_tasks", -1), ("train_test_split", 0), ("train_test_split", 1.01),
        ("code_timeout", 0), ("data_limit", 0), ("seed", -1), ("max_policy_chars", 0), ("log_level", "LOUD"),
        ("task_type", "maths"), ("paradigm", ""), ("initial_policies", ["x"]), ("initial_policies", {"agent_1": 3}),
        ("num_agents", 101), ("num_agents", 10**27), ("num_iterations", 100_001), ("mini_batch_size", 10_001),
        ("trajectories_per_iteration", 10_001), ("start_iteration", 10**27), ("eval_tasks", 1_000_001),
        ("eval_every", 10**27), ("data_limit", 1_000_001), ("max_policy_chars", 1_000_001),
        ("max_total_tokens", 2**63), ("experiment_dir", "a\0b"), ("checkpoint_dir", "a\0b"), ("prompts_dir", "\0"),
        ("benchmark_path", "a\0b"), ("experiment_dir", ""),
        ("llm", 3), ("llm", []), ("llm", {}), ("llm", True), ("update_rule", "sometimes"),
    ],
)  # fmt: skip
def test_a_value_out_of_bounds_is_refused_by_its_field(field, value):
    assert field in {name.split(".")[0] for name in faults_of(**{field: value})}


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", ".hidden", "a/b", "a\\b", "../up", "/abs", "a\0b", "a\nb", "-rf", "~", " a", "a ", "a.", "C:x",
     "CON", "nul.txt", "Com7", "LPT1.a.b", "x" * 101, "ü" * 101, "漢" * 90, "\ud800"],
)  # fmt: skip
def test_an_unsafe_experiment_name_is_refused(name):
    assert "exp_name" in faults_of(exp_name=name)


@pytest.mark.parametrize("name", ["a", "qa_run-2.1", "Versuch Nr 3", "größe", "x" * 100, "console", "con_1", "a.con"])
def test_a_plain_experiment_name_is_kept(name):
    assert LanguageTaskConfig(exp_name=name).exp_name == name


def test_the_largest_numbers_are_allowed():
    config = LanguageTaskConfig(
        num_agents=100, num_iterations=100_000, trajectories_per_iteration=10_000, mini_batch_size=10_000,
        eval_tasks=1_000_000, data_limit=1_000_000, max_policy_chars=1_000_000, max_total_tokens=2**63 - 1,
    )  # fmt: skip
    assert len(config.agent_ids) == 100


@pytest.mark.parametrize(
    ("field", "value", "takes"),
    [
        ("num_iterations", "3", "a whole number"), ("num_iterations", True, "a whole number"),
        ("mini_batch_size", "3", "a whole number"), ("train_test_split", "0.5", "a number"),
        ("max_cost_usd", "1", "a number"), ("max_cost_usd", True, "a number"),
        ("use_verified_reward", "yes", "true or false"), ("use_verified_reward", 1, "true or false"),
    ],
)  # fmt: skip
def test_a_value_of_another_json_type_is_refused_and_not_converted(field, value, takes):
    assert faults_of(**{field: value})[field].endswith(f"; must be {takes}.")


def test_a_whole_number_may_be_written_as_a_fraction_or_a_fraction_as_whole():
    config = LanguageTaskConfig(num_agents=3.0, train_test_split=1)
    assert (config.num_agents, config.train_test_split) == (3, 1.0)


def test_log_levels_are_read_in_any_case():
    assert LanguageTaskConfig(log_level="debug").log_level == "DEBUG"


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"mini_batch_size": 11}, "mini_batch_size", "at most trajectories_per_iteration, which is 10"),
        ({"start_iteration": 5}, "start_iteration", "less than num_iterations, which is 5"),
        ({"eval_tasks": 3, "train_test_split": 1}, "eval_tasks", "leaves no task held out"),
        ({"initial_policies": {"agent_3": "x"}}, "initial_policies.agent_3", "agent_1 to agent_2"),
    ],
)
def test_a_combination_that_cannot_work_is_refused(fields, field, words):
    assert words in faults_of(**fields)[field]


def test_the_limits_of_these_combinations_are_allowed():
    LanguageTaskConfig(mini_batch_size=10, start_iteration=4, eval_tasks=0, train_test_split=1)
    LanguageTaskConfig(initial_policies={"agent_2": "x"}, eval_tasks=3)


def test_all_faults_are_reported_at_once_combinations_too():
    found = faults_of(
        num_agents=0, paradigm="central_cred", num_iteration=3, llm="offlin", mini_batch_size=20, max_cost_usd="much"
    )
    assert set(found) == {"num_agents", "paradigm", "num_iteration", "llm", "mini_batch_size", "max_cost_usd"}
    assert found["num_agents"] == "num_agents: is 0; must be at least 1."
    assert "must be one of central_credit, central_global. Did you mean 'central_credit'?" in found["paradigm"]
    assert "Did you mean 'num_iterations'?" in found["num_iteration"]
    assert "is 'much'; must be a number" in found["max_cost_usd"]


def test_nothing_is_said_of_a_combination_whose_part_is_refused():
    assert set(faults_of(mini_batch_size=20, trajectories_per_iteration=0)) == {"trajectories_per_iteration"}


def test_faults_inside_a_model_name_the_whole_path_and_the_nearest_field():
    found = faults_of(critic_llm={"preset": "offline", "temprature": 1, "structured_output": "json_schem"})
    assert "Did you mean 'temperature'?" in found["critic_llm.temprature"]
    assert "Did you mean 'json_schema'?" in found["critic_llm.structured_output"]


def test_names_of_other_programs_are_told_ours():
    found = faults_of(model="x", llm={"model": "x", "url": "https://x.example/v1"})
    assert "Did you mean 'llm'?" in found["model"]
    assert "Did you mean 'model_string'?" in found["llm.model"]
    assert "Did you mean 'base_url'?" in found["llm.url"]


def test_a_model_of_changes_alone_is_told_to_name_its_preset():
    found = faults_of(actor_llm={"temperature": 0.3})
    assert '{"preset": …, "temperature": 0.3}' in found["actor_llm.model_string"]


def test_a_long_value_is_cut_in_the_message():
    message = faults_of(task_type="x" * 10_000)["task_type"]
    assert len(message) < 300
    assert "(10002 characters)" in message


def test_assignment_is_checked_and_reads_presets():
    config = LanguageTaskConfig()
    config.llm = "offline"
    assert config.get_actor_llm().is_offline
    with pytest.raises(ValueError, match="num_agents"):
        config.num_agents = 0
    assert config.num_agents == 2


def test_a_subclass_adds_fields_and_checks_of_its_own():
    class Mine(BaseConfig):
        env: str = "mine"
        rounds: int = 3

    assert Mine.from_dict(Mine(rounds=4).to_dict()).rounds == 4
    with pytest.raises(ConfigError, match="must be a whole number"):
        Mine(rounds=True)
