import json

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import context, trust
from dashboard.context import store
from dashboard.navigation import scripts_folder
from dashboard.queries.live import watch
from dashboard.supervisor import CLAIM
from langmarl.store import CallKey, CallRecord, Fingerprint, RunDirectory
from langmarl.store.lock import locked
from langmarl.trainer import make_trainer
from langmarl.trajectory import Step, Trajectory
from langmarl.usage import Usage
from tests.dashboard.conftest import html_of, open_app, small_config, train_small
from tests.dashboard.figures import chart_of, line_of
from tests.dashboard.hostile import HOSTILE, MARKUP, assert_is_only_text, edit_json
from tests.dashboard.waiting import wait_for

POLICIES = {"agent_1": "be brief", "agent_2": "be exact"}


def open_live(**parameters):
    app = open_app().switch_page(str(scripts_folder() / "live.py"))
    for name, value in parameters.items():
        app.query_params[name] = value
    return app.run()


def texts(app):
    return "\n".join(element.value for element in app.text)


def buttons(app):
    return {button.key: button for button in app.button}


@pytest.fixture
def run(experiments):
    """A run of three iterations that nobody has begun."""
    experiments.mkdir(exist_ok=True)
    found = RunDirectory.create(experiments, small_config(num_iterations=3), Fingerprint({"a": "1"}))
    found.checkpoints.save_policies(0, POLICIES)
    return found


@pytest.fixture
def stopped_run(experiments):
    """A run of two iterations that was asked to stop after the first; its id."""
    trainer = make_trainer(small_config(experiment_dir=str(experiments)))
    trainer.log_to_console = False

    class Stop:
        def on_iteration_end(self, iteration, stats, trainer):
            trainer.request_stop("enough for today")

    trainer.add_callback(Stop())
    return trainer.train(fresh=True)["run_id"]


def commit(run, iteration, reward, **stats):
    row = {"avg_reward": reward, "rewards": [0.0, reward], "total_tokens": 100, "cost_usd": 0.01, "duration_s": 2.0}
    run.commit_iteration(iteration, POLICIES, {**row, **stats})


def test_without_a_run_the_page_says_what_to_do(experiments):
    app = open_live()
    assert not app.exception
    assert "Start one" in texts(app)


def test_a_run_that_is_not_there_is_told_and_the_choice_is_open(small_run):
    app = open_live(run="no_such_run")
    assert not app.exception
    assert "no_such_run" in html_of(app)
    assert app.selectbox(key="live-run").value is None


def test_latest_is_the_run_that_was_created_last(small_run, experiments):
    newest = train_small(experiments)
    assert open_live(run="latest").selectbox(key="live-run").value == newest


def test_a_finished_run_shows_its_state_figures_episodes_and_log(small_run):
    app = open_live(run=small_run)
    html = html_of(app)
    assert not app.exception
    assert "completed" in html
    assert "2 of 2 iterations" in html
    assert "Of " in html
    assert "0 errors" in html
    assert "iteration 1 · episode" in html
    assert "agent_2" in html
    assert "completed" in app.code[0].value
    assert not {"live-stop", "live-resume"} & buttons(app).keys()


def test_the_charts_show_the_figures_of_the_run(small_run):
    app = open_live(run=small_run)
    rows = store().run(small_run).metrics.iterations()
    assert line_of(chart_of(app, "reward"), "mean")["y"] == [row["avg_reward"] for row in rows]
    assert line_of(chart_of(app, "tokens"), "critic")["y"] == [
        row["usage_by_role"]["critic"]["total_tokens"] for row in rows
    ]
    assert line_of(chart_of(app, "cost"), "spent")["y"][-1] == sum(row["total_tokens"] for row in rows)
    assert line_of(chart_of(app, "rate"), "calls a second")["x"] == [0, 1]
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))


def test_the_spread_and_the_window_can_be_chosen(run):
    for iteration in range(30):
        commit(run, iteration, iteration / 30)
    app = open_live(run=run.run_id)
    app.segmented_control(key="live-window").set_value("last 25").run()
    app.segmented_control(key="live-spread").set_value("none").run()
    chart = chart_of(app, "reward")
    assert line_of(chart, "mean")["x"] == list(range(5, 30))
    assert not [line for line in chart["data"] if "min–max" in line["name"]]
    app.toggle(key="live-each-episode").set_value(True).run()
    assert len(line_of(chart_of(app, "reward"), "episodes")["y"]) == 50


def test_a_window_that_is_too_long_for_the_next_run_shows_all_of_it(run, small_run):
    for iteration in range(30):
        commit(run, iteration, iteration / 30)
    app = open_live(run=run.run_id)
    app.segmented_control(key="live-window").set_value("last 25").run()
    app.selectbox(key="live-run").select(small_run).run()
    assert not app.exception
    assert line_of(chart_of(app, "reward"), "mean")["x"] == [0, 1]
    app.selectbox(key="live-run").select(run.run_id).run()
    assert not app.exception
    assert line_of(chart_of(app, "reward"), "mean")["x"][-1] == 29


LOOKS = []
"""What :func:`look` shows."""


def look():
    import streamlit as st

    from dashboard.views.live.charts import begin_charts, show_charts
    from tests.dashboard.test_live import LOOKS

    if "begun" not in st.session_state:
        st.session_state["begun"] = True
        begin_charts()
    show_charts(LOOKS[-1])


def test_a_new_iteration_is_drawn_behind_the_old_chart_and_takes_its_place_with_the_next_look(run):
    def means():
        app.run()
        charts = [json.loads(each.proto.spec) for each in app.get("plotly_chart") if "-reward-" in each.proto.id]
        return [line_of(chart, "mean")["y"] for chart in charts]

    app = AppTest.from_function(look, default_timeout=60)
    commit(run, 0, 0.25)
    LOOKS.append(watch(run).look())
    assert means() == [[0.25]]
    commit(run, 1, 0.5)
    LOOKS.append(watch(run).look())
    assert means() == [[0.25], [0.25, 0.5]]
    assert means() == [[0.25, 0.5]]


def test_paused_charts_stay_and_the_figures_go_on(run):
    commit(run, 0, 0.25)
    app = open_live(run=run.run_id)
    app.toggle(key="live-pause").set_value(True).run()
    commit(run, 1, 0.75)
    app.run()
    assert line_of(chart_of(app, "reward"), "mean")["y"] == [0.25]
    assert "2 of 3 iterations" in html_of(app)
    app.toggle(key="live-pause").set_value(False).run()
    assert line_of(chart_of(app, "reward"), "mean")["y"] == [0.25, 0.75]


def test_a_run_at_work_shows_its_progress_and_can_be_stopped(run):
    with run.acquire():
        run.write_state("running")
        commit(run, 0, 0.25)
        run.trajectories.save(1, 0, Trajectory({"question": "Who?"}, [Step("agent_1", "…", "I do.")], 1.0))
        app = open_live(run=run.run_id)
        html = html_of(app)
        assert "running" in html
        assert "in this dashboard" in html
        assert "1 of 3 iterations" in html
        assert "Iteration 1: 1 of 3 episodes" in html
        assert "Who?" in html
        assert "I do." in html
        app.button(key="live-stop").click().run()
        assert run.stop_requested()
        assert app.button(key="live-stop").disabled


def test_before_the_first_iteration_the_page_says_that_charts_will_come(run):
    with run.acquire():
        run.write_state("running")
        app = open_live(run=run.run_id)
    assert "The charts begin" in html_of(app)
    assert not app.get("plotly_chart")


def test_a_stopped_run_says_why_and_goes_on_when_resumed(stopped_run):
    app = open_live(run=stopped_run)
    assert "enough for today" in html_of(app)
    assert "1 of 2 iterations" in html_of(app)
    app.button(key="live-resume").click().run()
    assert not app.exception
    wait_for(lambda: store().run(stopped_run).state().state == "completed", "the resumed run is completed")
    assert "2 of 2 iterations" in html_of(app.run())


def test_pressing_resume_twice_starts_the_run_once(stopped_run):
    first, second = open_live(run=stopped_run), open_live(run=stopped_run)
    first.button(key="live-resume").click().run()
    second.button(key="live-resume").click().run()
    wait_for(lambda: store().run(stopped_run).state().state == "completed", "the resumed run is completed")
    log = store().run(stopped_run).layout.log.read_text(encoding="utf-8")
    assert log.count("running from iteration 1") == 1


def test_a_run_whose_key_would_go_elsewhere_is_not_resumed_without_consent(stopped_run, monkeypatch, tmp_path):
    monkeypatch.setenv(trust.HOME_VARIABLE, str(tmp_path / "home"))
    elsewhere = {"model_string": "m", "base_url": "https://elsewhere.example/v1", "api_key_env_var": "MY_SECRET"}
    edit_json(store().run(stopped_run).layout.config, lambda config: config.update(critic_llm=elsewhere))
    app = open_live(run=stopped_run)
    app.button(key="live-resume").click().run()
    assert "https://elsewhere.example/v1" in html_of(app)
    assert "MY_SECRET" in html_of(app)
    assert context.supervisor().running() == []


def test_an_unknown_cost_is_called_unknown(run):
    commit(
        run, 0, 0.25, cost_usd=None, usage_by_role={"actor": Usage(calls=1, input_tokens=9, cost_usd=None).to_dict()}
    )
    app = open_live(run=run.run_id)
    assert "unknown" in html_of(app)
    assert "$0" not in html_of(app)
    assert not [chart for chart in app.get("plotly_chart") if "live-chart-cost" in chart.proto.id]


def test_a_budget_stands_beside_what_was_spent(experiments):
    experiments.mkdir()
    run = RunDirectory.create(experiments, small_config(max_cost_usd=2.0), Fingerprint({"a": "1"}))
    commit(run, 0, 0.25, cost_usd=0.5, usage_by_role={"actor": Usage(calls=1, cost_usd=0.5).to_dict()})
    app = open_live(run=run.run_id)
    assert "of a budget of $2.00" in html_of(app)
    assert line_of(chart_of(app, "cost"), "budget $2.00")["y"] == [2.0, 2.0]


def test_trouble_with_calls_is_counted_also_while_the_iteration_is_at_work(run):
    used = Usage(calls=1, retries=2, failures=1, truncated=3, repairs=1)
    key = CallKey("train", "critic", 0, 0, None, 0, 0)
    error = {"kind": "timeout", "message": "no answer"}
    run.journal.append(CallRecord(key, "d", "m", "e", {}, None, error, used, "2026-03-01T12:00:00+00:00", 1.0))
    assert "Of 1 calls: 2 retries · 1 errors · 3 truncated · 1 repairs" in html_of(open_live(run=run.run_id))


@pytest.mark.parametrize("name", ["metrics.json", "config.json", "state.json", "run.json"])
def test_a_damaged_file_is_told_without_an_exception(small_run, name):
    (store().run(small_run).path / name).write_text("{ damaged", encoding="utf-8")
    app = open_live(run=small_run)
    assert not app.exception
    assert f"{name} is damaged" in html_of(app)


def test_a_run_that_is_damaged_while_it_is_watched_keeps_what_could_be_read(small_run):
    app = open_live(run=small_run)
    store().run(small_run).layout.metrics.write_text("{", encoding="utf-8")
    app.run()
    assert not app.exception
    assert "metrics.json is damaged" in html_of(app)
    assert "2 of 2 iterations" in html_of(app)


def test_text_of_models_and_files_is_only_text(run):
    run.write_state("failed", MARKUP, MARKUP)
    commit(run, 0, 0.5, usage_by_role={MARKUP: Usage(calls=1, input_tokens=5).to_dict()})
    run.trajectories.save(0, 0, Trajectory({"question": HOSTILE}, [Step(HOSTILE, "…", HOSTILE)], 0.5))
    run.trajectories.save_failure(0, 1, MARKUP, HOSTILE)
    run.layout.log.write_text(f"2026-03-01T12:00:00+00:00 WARNING  {MARKUP} ![b](http://x/b.png)\n", encoding="utf-8")
    app = open_live(run=run.run_id)
    assert_is_only_text(app, html_of(app))
    assert "<script" not in chart_of(app, "tokens")["data"][0]["name"]
    assert MARKUP in app.code[0].value


def test_the_log_can_be_cut_down_to_what_went_wrong(run):
    run.layout.log.write_text(
        "2026-03-01T12:00:00.000+00:00 INFO     all is well\n2026-03-01T12:00:01.000+00:00 WARNING  a call was slow\n",
        encoding="utf-8",
    )
    app = open_live(run=run.run_id)
    assert app.code[0].value.splitlines()[0].endswith("WARNING  a call was slow")
    app.toggle(key="live-log-trouble").set_value(True).run()
    assert "all is well" not in app.code[0].value
    assert "a call was slow" in app.code[0].value


def test_a_waiting_run_says_so(run):
    with locked(run.path / CLAIM):  # as the server in whose queue it waits
        html = html_of(open_live(run=run.run_id))
    assert "queued" in html
    assert "waits for its turn" in html
