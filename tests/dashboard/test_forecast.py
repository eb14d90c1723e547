import math

import pytest

from dashboard.forecast import (
    CallProfile,
    Range,
    calls_per_iteration,
    evaluations,
    forecast,
    planned_calls,
)
from dashboard.queries.measured_calls import measured_profiles
from langmarl.config import LanguageTaskConfig, LLMConfig
from langmarl.llm.local.speed import Speed, remember
from langmarl.store import Index, LocalStore
from tests.dashboard.conftest import small_config, train_small

PRICED = {
    "model_string": "m",
    "base_url": "https://mine.example/v1",
    "input_price_per_million": 1,
    "output_price_per_million": 10,
}


def profile(tokens_in=1000, tokens_out=100, seconds=2.0):
    return CallProfile(Range(tokens_in, tokens_in), Range(tokens_out, tokens_out), Range(seconds, seconds), 5)


def config(**settings):
    return LanguageTaskConfig(**{"llm": PRICED, **settings})


# calls


def test_calls_follow_the_methods_formula_for_credit_by_agent():
    found = calls_per_iteration(config(num_agents=3, trajectories_per_iteration=10))
    assert found == {"actor": 30, "critic": 10, "gradient": 30, "aggregate": 3, "update": 3, "judge": 0}


def test_calls_follow_the_methods_formula_for_one_credit_of_the_team():
    found = calls_per_iteration(config(num_agents=3, trajectories_per_iteration=10, paradigm="central_global"))
    assert found == {"actor": 30, "critic": 10, "gradient": 10, "aggregate": 1, "update": 3, "judge": 0}


def test_a_mini_batch_saves_criticism_but_no_episodes():
    found = calls_per_iteration(config(num_agents=2, trajectories_per_iteration=10, mini_batch_size=4))
    assert (found["actor"], found["critic"], found["gradient"]) == (20, 4, 8)


def test_writing_is_judged_once_an_episode_and_once_a_held_out_task():
    planned = planned_calls(config(task_type="writing", num_iterations=2, eval_tasks=3, trajectories_per_iteration=10))
    assert planned["judge"] == 2 * 10 + 3 * 3
    assert planned["actor"] == 2 * 20 + 3 * 6


def test_evaluations_are_counted_from_the_start_to_the_end():
    assert evaluations(config(eval_tasks=0)) == 0
    assert evaluations(config(eval_tasks=5, num_iterations=4, eval_every=1)) == 5
    assert evaluations(config(eval_tasks=5, num_iterations=4, eval_every=3)) == 3
    assert evaluations(config(eval_tasks=5, num_iterations=4, start_iteration=2)) == 3


@pytest.mark.parametrize("paradigm", ["central_credit", "central_global"])
def test_a_real_run_makes_the_calls_that_were_forecast(experiments, paradigm):
    settings = {"paradigm": paradigm, "mini_batch_size": 2, "eval_tasks": 2, "num_agents": 3}
    run = LocalStore(experiments).run(train_small(experiments, **settings))
    made: dict[str, int] = {}
    for record in run.journal.read_all():
        if record.key.attempt == 0:
            made[record.key.role] = made.get(record.key.role, 0) + 1
    planned = planned_calls(small_config(**settings))
    assert {role: made[role] for role in ("actor", "critic", "aggregate", "update")} == {
        role: planned[role] for role in ("actor", "critic", "aggregate", "update")
    }
    assert made["gradient"] <= planned["gradient"]


# tokens, cost, time


def test_cost_and_tokens_are_calls_times_what_a_call_takes():
    measured = {role: profile() for role in ("actor", "critic", "gradient", "aggregate", "update")}
    found = forecast(config(num_iterations=1), measured)
    calls = sum(planned_calls(config(num_iterations=1)).values())
    assert found.calls.low == calls
    assert found.tokens.low == calls * 1100
    assert found.cost_usd is not None
    assert math.isclose(found.cost_usd.low, calls * (1000 * 1 + 100 * 10) / 1e6)
    assert found.cost_usd.high > found.cost_usd.low


def test_an_unknown_price_makes_the_cost_unknown_and_names_the_model():
    unpriced = {"model_string": "mystery", "base_url": "https://mine.example/v1"}
    found = forecast(config(critic_llm=unpriced), {})
    assert found.cost_usd is None
    assert found.unpriced == ("mystery",)
    assert next(part for part in found.roles if part.role == "actor").cost_usd is not None


def test_the_offline_model_costs_nothing():
    assert forecast(config(llm="offline"), {}).cost_usd == Range(0, 0)


def test_assumptions_give_a_range_and_are_marked():
    found = forecast(config(), {})
    assert found.cost_usd is not None
    assert 0 < found.cost_usd.low < found.cost_usd.high
    assert all(part.profile.measured_calls == 0 for part in found.roles)


def test_models_that_think_are_assumed_to_write_more():
    plain = forecast(config(), {}).tokens
    thinking = forecast(config(llm={**PRICED, "supports_temperature": False}), {}).tokens
    assert thinking.high > plain.high


def test_time_is_at_least_the_longest_chain_and_shrinks_with_more_workers():
    measured = {role: profile(seconds=2.0) for role in ("actor", "critic", "gradient", "aggregate", "update")}
    slow = forecast(config(num_iterations=1, max_workers=1), measured).seconds.low
    quick = forecast(config(num_iterations=1, max_workers=1000), measured).seconds.low
    calls = sum(planned_calls(config(num_iterations=1)).values())
    assert slow == calls * 2.0
    assert quick == (2 + 1 + 1 + 1 + 1) * 2.0


def test_other_environments_are_marked_as_assumed():
    assert forecast(config(), {}).is_exact


# what was measured


def indexed(experiments):
    index = Index(experiments)
    index.reconcile()
    return index


def test_calls_of_earlier_runs_with_the_same_model_are_measured(small_run, experiments):
    index = indexed(experiments)
    measured = measured_profiles(index, small_config())
    assert set(measured) == {"actor", "critic", "gradient", "aggregate", "update"}
    actor = measured["actor"]
    assert actor.measured_calls > 0
    usage = [r.usage for r in LocalStore(experiments).run(small_run).journal.read(0) if r.key.role == "actor"]
    mean = sum(each.input_tokens for each in usage) / len(usage)
    assert actor.input_tokens.low <= mean <= actor.input_tokens.high


def test_a_run_lies_within_the_forecast_that_its_twin_gives(small_run, experiments):
    measured = measured_profiles(indexed(experiments), small_config())
    found = forecast(small_config(), measured)
    total = LocalStore(experiments).run(small_run).metrics.read().totals["total_tokens"]
    assert found.tokens.low <= total <= found.tokens.high


def test_other_models_and_other_tasks_do_not_count(small_run, experiments):
    index = indexed(experiments)
    elsewhere = LLMConfig(model_string="offline", base_url="http://localhost:1/v1", local=True)
    assert measured_profiles(index, small_config(llm=elsewhere)) == {}
    assert measured_profiles(index, small_config(task_type="math")) == {}


def test_a_damaged_journal_is_passed_over(small_run, experiments):
    for path in (experiments / small_run / "calls").iterdir():
        path.write_text('{"schema_version": 1}\n{"schema_version": 1}\n', encoding="utf-8")
    assert measured_profiles(indexed(experiments), small_config()) == {}


def test_a_model_in_this_process_takes_the_time_that_its_measured_speed_says(tmp_path, monkeypatch):
    monkeypatch.setenv("LANGMARL_MODELS_DIR", str(tmp_path / "models"))
    file = tmp_path / "mine.gguf"
    file.write_bytes(b"GGUF")
    local = config(llm={"preset": f"local:{file}", "slots": 2}, num_iterations=1, max_workers=8)
    measured = dict.fromkeys(planned_calls(local), profile(1000, 100, seconds=99))
    assert forecast(local, measured).roles[0].profile.seconds == Range(99, 99)

    remember(file.resolve(), Speed(reading=100, writing=10))
    found = forecast(local, measured)
    assert found.roles[0].profile.seconds == Range(pytest.approx(20), pytest.approx(20))
    narrow = forecast(config(llm={"preset": f"local:{file}", "slots": 1}, num_iterations=1, max_workers=8), measured)
    assert narrow.seconds.low > 1.5 * found.seconds.low
    assert found.cost_usd == Range(0, 0)
