import json
import threading

import pytest

from dashboard import context
from dashboard.archive import is_archived
from dashboard.queries.runs import RunSummary, matching, run_summaries, unreadable_runs
from dashboard.text import label
from langmarl.store import Index, LocalStore
from tests.dashboard.conftest import html_of, open_app, small_config, train_small
from tests.dashboard.waiting import wait_for

HOSTILE = "![beacon](http://evil.example/x.png) $x^2$ <script>"


def table_of(app):
    return app.dataframe[0].value


def labels(app):
    return [button.label for button in app.button]


def break_run(experiments, name="broken"):
    """A run directory whose figures are no JSON."""
    run_id = train_small(experiments, num_iterations=1, exp_name=name)
    (experiments / run_id / "metrics.json").write_text("{", encoding="utf-8")
    return run_id


def set_state(experiments, run_id, state, reason=None):
    run = LocalStore(experiments).run(run_id)
    with run.acquire():
        run.write_state(state, reason)


# the page


def test_a_first_visit_offers_the_quickstart_and_starts_it_with_one_click(experiments):
    app = open_app()
    assert not app.exception
    assert labels(app) == ["Run the quickstart"]
    app.button(key="runs-quickstart").click().run()
    assert not app.exception
    (run_id,) = LocalStore(experiments).run_ids()
    assert run_id.startswith("quickstart_")
    wait_for(lambda: LocalStore(experiments).run(run_id).state().state == "completed", "the quickstart is done")
    rewards = [row["avg_reward"] for row in LocalStore(experiments).run(run_id).metrics.iterations()]
    assert rewards[-1] > rewards[0]


def test_two_tabs_that_start_the_quickstart_at_once_share_one_run(experiments):
    tabs = [open_app(), open_app()]
    clicks = [threading.Thread(target=lambda tab=tab: tab.button(key="runs-quickstart").click().run()) for tab in tabs]
    for click in clicks:
        click.start()
    for click in clicks:
        click.join()
    assert len(LocalStore(experiments).run_ids()) == 1


def test_a_small_run_is_a_row_with_its_figures(experiments, small_run):
    app = open_app()
    assert not app.exception
    table = table_of(app)
    row = table.iloc[0]
    assert len(table) == 1
    assert row["run"] == small_run
    assert "completed" in row["state"]
    assert row["environment"] == "language · qa"
    assert row["models"] == "offline"
    assert (row["done"], row["planned"]) == (2, 2)
    assert row["best"] >= row["last"] >= 0
    assert len(row["rewards"]) == 2
    assert row["tokens"] > 0
    assert row["cost"] == 0


def test_a_broken_run_directory_is_named_with_its_reason_and_the_others_are_shown(experiments, small_run):
    broken = break_run(experiments)
    app = open_app()
    assert not app.exception
    assert list(table_of(app)["run"]) == [small_run]
    assert broken in html_of(app)
    assert "not valid JSON" in html_of(app)


def test_a_folder_with_nothing_but_a_broken_run_still_offers_the_quickstart(experiments):
    broken = break_run(experiments)
    app = open_app()
    assert not app.exception
    assert labels(app) == ["Run the quickstart"]
    assert broken in html_of(app)


def test_an_unknown_cost_is_not_shown_as_nothing(experiments, small_run):
    path = experiments / small_run / "metrics.json"
    metrics = json.loads(path.read_text(encoding="utf-8"))
    metrics["totals"]["cost_usd"] = None
    path.write_text(json.dumps(metrics), encoding="utf-8")
    app = open_app()
    assert table_of(app)["cost"].isna().all()
    assert app.dataframe[0].proto.placeholder == "unknown"
    assert "unknown" in [text.value for text in app.text]


def test_a_run_that_was_interrupted_is_resumed_and_finishes(experiments, small_run):
    train_small(experiments, num_iterations=1, exp_name="short")
    set_state(experiments, small_run, "interrupted", "its process is gone.")
    app = open_app(run=small_run)
    assert "its process is gone." in html_of(app)
    app.button(key="runs-resume").click().run()
    assert not app.exception
    wait_for(lambda: LocalStore(experiments).run(small_run).state().state == "completed", "the run has finished")


def test_a_completed_run_offers_neither_resume_nor_stop(experiments, small_run):
    assert labels(open_app()) == ["Archive"]


def test_a_running_run_is_stopped_from_the_page(experiments):
    run_id = context.supervisor().start(small_config(num_iterations=400), "form")
    wait_for(lambda: LocalStore(experiments).run(run_id).state().state == "running", "it is running")
    app = open_app()
    assert labels(app) == ["Stop"]
    app.button(key="runs-stop").click().run()
    assert not app.exception
    wait_for(lambda: LocalStore(experiments).run(run_id).state().state == "stopped", "it has stopped")


def test_what_cannot_be_resumed_says_why_and_the_page_stays(experiments, small_run):
    set_state(experiments, small_run, "failed", "no key")
    path = experiments / small_run / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**config, "num_agents": -1}), encoding="utf-8")
    app = open_app()
    app.button(key="runs-resume").click().run()
    assert not app.exception
    assert "num_agents" in html_of(app)
    assert len(table_of(app)) == 1


def test_an_archived_run_is_hidden_until_it_is_asked_for_and_nothing_is_moved(experiments, small_run):
    other = train_small(experiments, num_iterations=1, exp_name="other")
    app = open_app(run=small_run)
    app.button(key="runs-archive").click().run()
    assert is_archived(experiments / small_run)
    assert list(table_of(app)["run"]) == [other]
    assert LocalStore(experiments).run(small_run).state().state == "completed"
    app.toggle(key="runs-archived").set_value(True).run()
    assert set(table_of(app)["run"]) == {small_run, other}


def test_the_table_is_filtered_by_text_and_by_state_and_sorted(experiments, small_run):
    other = train_small(experiments, num_iterations=1, exp_name="another", seed=4)
    set_state(experiments, other, "stopped")
    app = open_app()
    assert list(table_of(app)["run"]) == [other, small_run]
    app.selectbox(key="runs-order").set_value("Oldest first").run()
    assert list(table_of(app)["run"]) == [small_run, other]
    app.text_input(key="runs-filter").set_value("ANOTHER qa").run()
    assert list(table_of(app)["run"]) == [other]
    app.text_input(key="runs-filter").set_value("").run()
    app.get("button_group")[0].set_value(["completed"]).run()
    assert list(table_of(app)["run"]) == [small_run]
    app.text_input(key="runs-filter").set_value("nothing like this").run()
    assert not app.exception
    assert not app.dataframe


def test_hostile_names_and_reasons_stay_text(experiments, small_run):
    hostile_id = "![beacon](evil) $x^2$ <i>"
    (experiments / small_run).rename(experiments / hostile_id)
    path = experiments / hostile_id / "run.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**manifest, "run_id": hostile_id, "exp_name": HOSTILE}), encoding="utf-8")
    set_state(experiments, hostile_id, "failed", HOSTILE)
    app = open_app()
    assert not app.exception
    assert table_of(app)["experiment"].iloc[0] == HOSTILE
    assert table_of(app)["run"].iloc[0] == hostile_id
    assert "&lt;script&gt;" in html_of(app)
    assert "<script>" not in html_of(app)
    assert app.subheader[0].value == label(hostile_id)
    for element in (*app.markdown, *app.caption, *app.title):
        assert "![" not in element.value


# what it is made of


def test_one_look_at_the_index_gives_every_run_with_its_rewards(experiments, small_run):
    index = Index(experiments)
    index.reconcile()
    (summary,) = run_summaries(index)
    rows = LocalStore(experiments).run(small_run).metrics.iterations()
    assert summary.rewards == [row["avg_reward"] for row in rows]
    assert summary.best_reward == max(summary.rewards)


def test_long_reward_curves_are_thinned_and_keep_both_ends(experiments, small_run):
    run = LocalStore(experiments).run(small_run)
    metrics = run.metrics.read()
    metrics.iterations = [{**metrics.iterations[0], "iteration": k, "avg_reward": k / 1000} for k in range(1000)]
    run.metrics.replace(metrics)
    index = Index(experiments)
    index.reconcile()
    curve = index.reward_curves(points=30)[small_run]
    assert 20 < len(curve) <= 32
    assert (curve[0], curve[-1]) == (0.0, 0.999)
    assert curve == sorted(curve)


def test_the_index_has_another_version_when_and_only_when_a_run_changed(experiments, small_run):
    index = Index(experiments)
    index.reconcile()
    before = index.version()
    index.reconcile()
    assert index.version() == before
    set_state(experiments, small_run, "stopped")
    index.reconcile()
    assert index.version() != before


def test_runs_that_the_index_has_are_not_unreadable(experiments, small_run):
    broken = break_run(experiments)
    assert [run.name for run in unreadable_runs(experiments, [small_run])] == [broken]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, ["a", "b"]),
        ({"states": ["failed"]}, ["b"]),
        ({"text": "HOTPOT"}, ["a"]),
        ({"text": "hotpot math"}, []),
        ({"archived": True}, ["a", "b", "c"]),
    ],
)
def test_matching(asked, found):
    runs = [_summary("a", "completed", "hotpot"), _summary("b", "failed", "math"), _summary("c", "failed", "x", True)]
    assert [run.run_id for run in matching(runs, **asked)] == found


def _summary(run_id, state, experiment, is_archived=False):
    return RunSummary(
        run_id=run_id,
        state=state,
        reason=None,
        experiment=experiment,
        environment="language",
        paradigm="central_credit",
        models="offline",
        iterations_done=0,
        num_iterations=1,
        best_reward=None,
        last_reward=None,
        rewards=[],
        total_tokens=0,
        cost_usd=None,
        started=None,
        updated_at="",
        is_archived=is_archived,
        path="/nowhere",
    )
