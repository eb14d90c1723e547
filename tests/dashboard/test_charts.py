import json
import math

import pytest

from dashboard.charts import cost, reward, throughput, tokens
from dashboard.charts.thinning import POINTS
from dashboard.queries.live import RunSeries
from dashboard.theme import paradigm_color, role_color
from langmarl.store import Metrics
from tests.dashboard.figures import line_of
from tests.dashboard.hostile import MARKUP


def usage(tokens_in=100, cost_usd=0.01, **incidents):
    return {"calls": 4, "input_tokens": tokens_in, "output_tokens": 20, "total_tokens": tokens_in + 20,
            "cost_usd": cost_usd, **incidents}  # fmt: skip


def row(iteration, rewards=(0.0, 1.0), cost_usd=0.02, roles=None):
    return {
        "iteration": iteration,
        "avg_reward": sum(rewards) / len(rewards),
        "rewards": list(rewards),
        "calls": 8,
        "duration_s": 4.0,
        "total_tokens": 240,
        "cost_usd": cost_usd,
        "usage_by_role": {"actor": usage(), "critic": usage()} if roles is None else roles,
    }


def evaluation(checkpoint, mean, cost_usd=0.1):
    return {"checkpoint": checkpoint, "avg_reward": mean, "validation_reward": mean, "usage": usage(1000, cost_usd)}


def series(rows, evaluations=(), best=None, totals=None):
    return RunSeries.of(Metrics(list(rows), list(evaluations), best, totals or {}))


def spec(figure):
    return json.loads(figure.to_json())


def test_the_reward_chart_shows_mean_spread_held_out_score_and_the_best_checkpoint():
    data = series([row(0, (0.0, 0.5)), row(1, (0.2, 0.8, 0.8))], [evaluation(0, 0.1), evaluation(2, 0.7)], best=2)
    chart = spec(reward.reward_figure(data, paradigm="central_global"))
    mean = line_of(chart, "mean of training episodes")
    assert mean["x"] == [0, 1]
    assert mean["y"] == pytest.approx([0.25, 0.6])
    assert mean["line"]["color"] == paradigm_color("central_global")
    assert line_of(chart, "highest")["y"] == [0.5, 0.8]
    assert line_of(chart, "episodes, min–max")["y"] == [0.0, 0.2]
    assert line_of(chart, "held-out tasks")["x"] == [0, 2]
    best = line_of(chart, "best checkpoint (2)")
    assert (best["x"], best["y"]) == ([2], [0.7])
    assert chart["layout"]["yaxis"]["title"]["text"] == "Reward of an episode"
    assert chart["layout"]["xaxis"]["title"]["text"] == "Iteration"


def test_the_middle_band_leaves_the_outer_tenths_out():
    chart = spec(reward.reward_figure(series([row(0, tuple(place / 10 for place in range(11)))]), spread="middle"))
    assert line_of(chart, "a tenth above")["y"] == pytest.approx([0.9])
    assert line_of(chart, "episodes, middle 80 %")["y"] == pytest.approx([0.1])


def test_without_a_band_only_the_mean_is_drawn():
    chart = spec(reward.reward_figure(series([row(0)]), spread="none"))
    assert [line["name"] for line in chart["data"]] == ["mean of training episodes"]


def test_episodes_are_points_on_demand_and_thinned():
    many = series([row(i, tuple((i * 7 + j) % 11 / 10 for j in range(50))) for i in range(100)])
    points = line_of(spec(reward.reward_figure(many, with_episodes=True)), "episodes, a selection")
    assert len(points["y"]) <= POINTS
    assert {min(points["y"]), max(points["y"])} == {0.0, 1.0}


def test_without_evaluation_the_best_checkpoint_is_the_one_of_the_best_training_iteration():
    best = line_of(spec(reward.reward_figure(series([row(0), row(1, (1.0, 1.0))], best=1))), "best checkpoint")
    assert (best["x"], best["y"]) == ([1], [1.0])


def test_a_best_checkpoint_before_the_window_is_not_marked():
    data = series([row(place) for place in range(10)], best=0).last(5)
    assert not [line for line in spec(reward.reward_figure(data))["data"] if "best" in line["name"]]


def test_a_long_run_sends_no_more_points_than_a_screen_can_show():
    data = series(row(place, (place % 13 / 13, 1.0)) for place in range(6000))
    for figure in (reward.reward_figure(data), tokens.tokens_figure(data), cost.cost_figure(data, 1.0),
                   throughput.throughput_figure(data)):  # fmt: skip
        assert all(len(line.x) <= POINTS for line in figure.data)


def test_tokens_are_stacked_by_role_in_the_roles_colours():
    chart = spec(tokens.tokens_figure(series([row(0), row(1)])))
    assert [line["name"] for line in chart["data"]] == ["actor (240)", "critic (240)"]
    assert [line["marker"]["color"] for line in chart["data"]] == [role_color("actor"), role_color("critic")]
    assert line_of(chart, "actor")["y"] == [120, 120]
    assert chart["layout"]["barmode"] == "stack"


def test_tokens_of_a_run_that_does_not_tell_its_roles_apart_are_one_bar():
    chart = spec(tokens.tokens_figure(series([row(0, roles={})])))
    assert line_of(chart, tokens.ALL_ROLES)["y"] == [240]


def test_a_role_of_a_damaged_file_is_only_text():
    figure = tokens.tokens_figure(series([row(0, roles={MARKUP: usage()})]))
    assert "<" not in figure.data[0].name


def test_cost_adds_up_with_evaluations_and_what_was_set_aside():
    totals = {
        **usage(0, 0.5),
        "calls": 9,
        "train": {**usage(0, 0.1), "calls": 3},
        "eval": {**usage(0, 0.1), "calls": 3},
    }
    data = series([row(0), row(1)], [evaluation(0, 0.1), evaluation(1, 0.2)], totals=totals)
    chart = spec(cost.cost_figure(data, 2.0))
    assert line_of(chart, "spent")["y"] == pytest.approx([0.3 + 0.02 + 0.2, 0.3 + 0.04 + 0.2])
    assert line_of(chart, "budget $2.00")["y"] == [2.0, 2.0]


def test_the_cost_line_ends_where_a_price_is_unknown():
    data = series([row(0), row(1, cost_usd=None), row(2)])
    spent = data.spent_usd()
    assert spent[0] == 0.02
    assert math.isnan(spent[1])
    assert math.isnan(spent[2])
    assert "unknown" in cost.cost_summary(data, None)
    assert not cost.cost_is_known(series([row(0, cost_usd=None)]))


def test_token_budget_is_drawn_where_there_is_one():
    chart = spec(cost.token_budget_figure(series([row(0), row(1)]), 1000))
    assert line_of(chart, "spent")["y"] == [240, 480]
    assert line_of(chart, "budget 1,000")["y"] == [1000, 1000]


def test_throughput_is_calls_by_duration_and_a_gap_where_that_is_unknown():
    data = series([row(0), {**row(1), "duration_s": None}])
    rate = throughput.calls_per_s(data)
    assert rate[0] == 2.0
    assert math.isnan(rate[1])


def test_incidents_are_counted_by_kind_over_all_roles():
    roles = {"actor": usage(retries=2, truncated=1), "critic": usage(retries=1, failures=1)}
    data = series([row(0), row(1, roles=roles)])
    chart = spec(throughput.incidents_figure(data))
    assert throughput.has_incidents(data)
    assert [line["name"] for line in chart["data"]] == ["retries (3)", "errors (1)", "truncated (1)", "repairs (0)"]
    assert line_of(chart, "retries")["x"] == [1]
    assert not throughput.has_incidents(series([row(0)]))


def test_every_chart_can_be_told_in_words():
    data = series([row(0), row(1, (1.0, 1.0))], [evaluation(2, 0.7)], best=2)
    assert "1.000 in iteration 1" in reward.reward_summary(data)
    assert "Best checkpoint: 2" in reward.reward_summary(data)
    assert "actor 240" in tokens.tokens_summary(data)
    assert "$0.14" in cost.cost_summary(data, 1.0)
    assert "of a budget of $1.00" in cost.cost_summary(data, 1.0)
    assert "2.00 in the last one" in throughput.throughput_summary(data)
    assert "retries 0" in throughput.incidents_summary(data)


def test_charts_of_nothing_do_not_fail():
    nothing = series([])
    for figure in (reward.reward_figure(nothing), tokens.tokens_figure(nothing), cost.cost_figure(nothing, 1.0),
                   throughput.throughput_figure(nothing), throughput.incidents_figure(nothing)):  # fmt: skip
        assert figure.to_json()
    assert "no iteration" in reward.reward_summary(nothing)
    assert cost.cost_summary(nothing, None)
    assert cost.token_budget_summary(nothing, 5)
