"""The names, defaults and meanings that users' scripts rely on."""

import inspect
import json
import os
import subprocess
import sys

import pytest

import langmarl
from langmarl import (
    BaseConfig,
    BaseCritic,
    BaseEnvironment,
    BaseOptimizer,
    BaseReward,
    Callback,
    CentralizedCritic,
    CheckpointCallback,
    EarlyStoppingCallback,
    LanguageTaskConfig,
    LLMClient,
    LLMConfig,
    LocalStore,
    LoggingCallback,
    MonteCarloTrainer,
    PolicyCheckpoint,
    PolicyGradientOptimizer,
    RunLogger,
    Step,
    TokenTracker,
    Trajectory,
    TrajectoryStore,
)


def defaults(cls):
    return {name: field.get_default(call_default_factory=True) for name, field in cls.model_fields.items()}


def parameters(function):
    return [name for name in inspect.signature(function).parameters if name != "self"]


def test_every_public_name_exists_and_is_listed_once():
    assert len(langmarl.__all__) == len(set(langmarl.__all__))
    for name in langmarl.__all__:
        assert getattr(langmarl, name) is not None


def test_the_defaults_of_a_config_are_those_that_users_know():
    expected = {
        "exp_name": "experiment",
        "paradigm": "central_credit",
        "num_agents": 2,
        "num_iterations": 5,
        "trajectories_per_iteration": 10,
        "mini_batch_size": None,
        "start_iteration": 0,
        "max_workers": 5,
        "llm": None,
        "actor_llm": None,
        "critic_llm": None,
        "optimizer_llm": None,
        "experiment_dir": "./experiments",
        "checkpoint_dir": None,
        "log_level": "INFO",
        "eval_tasks": 0,
        "eval_every": 1,
        "max_cost_usd": None,
        "max_total_tokens": None,
        "initial_policies": None,
    }
    assert expected.items() <= defaults(BaseConfig).items()
    language = {"benchmark_path", "data_limit", "train_test_split", "judge_llm", "code_timeout", "use_verified_reward"}
    assert language | {"episode_generation_workers", "optimizer_workers", "task_type"} <= set(
        defaults(LanguageTaskConfig)
    )


def test_the_defaults_of_a_model_are_those_that_users_know():
    config = LLMConfig(name="mine", model_string="m")
    assert (config.base_url, config.api_key, config.api_key_env_var) == (None, None, "OPENAI_API_KEY")
    assert (config.is_multimodal, config.max_tokens, config.temperature) == (False, 4096, None)
    assert (config.input_price_per_million, config.output_price_per_million, config.extra_params) == (None, None, {})
    assert LLMConfig.from_dict(config.to_dict()) == config
    assert LLMConfig.from_preset("offline").get_api_key() is None or LLMConfig.from_preset("offline").api_key is None


def test_there_are_enough_presets_with_a_line_each():
    models = langmarl.list_available_models()
    assert len(models) >= 18
    assert {"gpt-4o", "gpt-4o-mini", "o1", "offline"} <= set(models)
    assert all(description and "\n" not in description for description in models.values())


def test_an_unknown_environment_names_the_known_ones():
    with pytest.raises(ValueError, match="language"):
        langmarl.make_env("langauge", LanguageTaskConfig(llm="offline"))
    assert "language" in langmarl.list_envs()


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (BaseEnvironment.sample_tasks, ["n"]),
        (BaseEnvironment.collect_trajectory, ["policies", "task"]),
        (BaseEnvironment.reset, ["task"]),
        (BaseEnvironment.step, ["agent_id", "action"]),
        (BaseCritic.evaluate, ["trajectory", "policies"]),
        (CentralizedCritic.__init__, ["config", "env", "prompts_dir"]),
        (BaseOptimizer.generate_gradient, ["policy", "evaluation", "context"]),
        (BaseOptimizer.aggregate_gradients, ["gradients"]),
        (BaseOptimizer.apply_gradient, ["policy", "gradient"]),
        (BaseReward.compute, ["trajectory"]),
        (MonteCarloTrainer.train_one_iteration, ["i"]),
        (Callback.on_iteration_start, ["iteration", "trainer"]),
        (Callback.on_iteration_end, ["iteration", "stats", "trainer"]),
        (Callback.on_episode_complete, ["trajectory", "trainer"]),
        (Callback.on_policy_update, ["agent_id", "old_policy", "new_policy"]),
        (LLMClient.chat, ["system_prompt", "user_input", "max_tokens"]),
        (LLMClient.chat_with_usage, ["system_prompt", "user_input", "max_tokens"]),
        (PolicyCheckpoint.get_policies, ["iteration"]),
        (PolicyCheckpoint.save_policies, ["iteration", "policies", "stats"]),
        (PolicyCheckpoint.diff_policies, ["iter_a", "iter_b"]),
        (TrajectoryStore.save, ["iteration", "episode_id", "trajectory"]),
        (TrajectoryStore.load, ["iteration", "limit"]),
        (TrajectoryStore.count, ["iteration"]),
    ],
)
def test_methods_take_what_users_pass(function, expected):
    assert parameters(function) == expected


def test_constructors_take_what_users_pass():
    assert parameters(MonteCarloTrainer.__init__)[:7] == [
        "config", "env", "critic", "optimizer", "reward_fn", "store", "callbacks",
    ]  # fmt: skip
    assert parameters(PolicyGradientOptimizer.__init__)[0] == "llm_config"
    assert parameters(MonteCarloTrainer.train)[0] == "num_iterations"
    EarlyStoppingCallback(patience=3, min_delta=0.01)
    LoggingCallback()


def test_a_script_written_against_the_names_trains(tmp_path):
    config = LanguageTaskConfig(
        llm="offline", experiment_dir=str(tmp_path), num_iterations=2, trajectories_per_iteration=3
    )

    class Halved(BaseReward):
        def compute(self, trajectory):
            return trajectory.reward / 2

    env = langmarl.make_env("language", config)
    trainer = MonteCarloTrainer(
        config,
        env,
        CentralizedCritic(config, env),
        PolicyGradientOptimizer(config.get_optimizer_llm()),
        reward_fn=Halved(),
        store=LocalStore(tmp_path),
        callbacks=[LoggingCallback(), CheckpointCallback(tmp_path / "copies")],
    )
    metrics = trainer.train()
    assert max(row["max_reward"] for row in metrics["iterations"]) <= 0.5
    copied = (tmp_path / "copies/iter_0002/agent_1.txt").read_text()
    checkpoints = PolicyCheckpoint(LocalStore(tmp_path), metrics["run_id"], 2)
    assert checkpoints.get_policies()["agent_1"] == copied
    assert set(checkpoints.diff_policies(0, 2)) == {"agent_1", "agent_2"}
    episodes = TrajectoryStore(LocalStore(tmp_path), metrics["run_id"])
    assert episodes.count(0) == 3
    assert isinstance(episodes.load(0, limit=1)[0].steps[0], Step)
    RunLogger(LocalStore(tmp_path), metrics["run_id"]).info("read by hand")


def test_a_client_answers_with_its_usage():
    client = LLMClient(LLMConfig.from_preset("offline"))
    text, usage = client.chat_with_usage("You are a test.", "Hello")
    assert text
    assert usage["input"] > 0
    assert usage["output"] > 0


def test_a_token_tracker_adds_up():
    tracker = TokenTracker("mine", input_price=1.0, output_price=2.0)
    tracker.add_usage(1_000_000, 500_000)
    stats = tracker.get_stats()
    assert (stats["input_cost"], stats["output_cost"], stats["cost_usd"]) == (1.0, 1.0, 2.0)
    assert tracker.estimate_cost(1_000_000, 0) == 1.0
    assert "mine" in tracker.get_summary_string()
    tracker.reset()
    assert tracker.get_stats()["total_tokens"] == 0


def test_a_dotenv_file_is_read_unless_turned_off_and_never_overrides(tmp_path):
    (tmp_path / ".env").write_text("FROM_FILE=file\nFROM_BOTH=file\n")
    program = "import os, json, langmarl; print(json.dumps([os.environ.get('FROM_FILE'), os.environ.get('FROM_BOTH')]))"

    def values(**extra):
        kept = {name: value for name, value in os.environ.items() if name != "LANGMARL_NO_DOTENV"}
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env={**kept, "FROM_BOTH": "real", **extra},
            capture_output=True,
            text=True,
            check=True,
        )
        return json.loads(done.stdout)

    assert values() == ["file", "real"]
    assert values(LANGMARL_NO_DOTENV="1") == [None, "real"]


def test_the_library_knows_nothing_of_the_dashboard():
    program = (
        "import sys, langmarl, langmarl.cli.app; "
        "print([m for m in sys.modules if m.split('.')[0] in ('streamlit', 'plotly', 'dashboard')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_trajectory_takes_positional_arguments():
    assert Trajectory({"q": 1}, [], 0.5).metadata == {}
