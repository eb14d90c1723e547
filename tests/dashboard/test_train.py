import json
import threading
from pathlib import Path

import pytest

from dashboard import context, trust
from dashboard.draft import Draft
from dashboard.queries.launches import launch_token, same_run
from langmarl.store import Index, LocalStore
from tests.dashboard.conftest import ROOT, html_of, open_app, small_config, train_small
from tests.dashboard.hostile import HOSTILE, assert_is_only_text, edit_json
from tests.dashboard.test_runs import break_run
from tests.dashboard.waiting import wait_for

PAGE = str(ROOT / "pages" / "train.py")
SMALL = {"llm": "offline", "exp_name": "small", "num_iterations": 1, "trajectories_per_iteration": 2}


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch, experiments):
    monkeypatch.setenv(trust.HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


@pytest.fixture
def waiting_runs(experiments, monkeypatch):
    """The supervisor starts nothing: what is started waits in the queue until a test lets it go."""
    supervisor = context.supervisor()
    monkeypatch.setattr(supervisor, "max_running", 0)
    return supervisor


def open_page(data=None, imported=False, **parameters):
    app = open_app(**parameters)
    if data is not None:
        app.session_state["configure.draft"] = Draft(data, imported)
    return app.switch_page(PAGE).run()


def buttons(app):
    return {button.key: button for button in app.button}


def click(app, key):
    return app.button(key=key).click().run()


def runs(experiments):
    return LocalStore(experiments).run_ids() if experiments.is_dir() else []


def ended(experiments, run_id, state="completed"):
    run = LocalStore(experiments).run(run_id)
    wait_for(lambda: run.state().state == state and run.owner is None, f"{run_id} is {state}")
    wait_for(lambda: run_id not in context.supervisor().running(), "its thread is done")


def states(html):
    return {part.split('"')[0] for part in html.split('data-state="')[1:]}


# starting


def test_the_first_visit_shows_a_config_that_can_start(experiments):
    app = open_page()
    assert not app.exception
    assert states(html_of(app)) == {"ok"}
    assert not buttons(app)["train-start"].disabled
    assert "No run is at work" in "\n".join(text.value for text in app.text)
    assert not experiments.exists()


def test_start_trains_the_config_and_links_to_it(experiments):
    app = click(open_page(SMALL), "train-start")
    (run_id,) = runs(experiments)
    assert f"{run_id} has been started" in html_of(app)
    ended(experiments, run_id)
    assert LocalStore(experiments).run(run_id).iterations_done() == 1
    app.run()
    assert "train-start" not in buttons(app)
    assert "train-fresh" in buttons(app)
    assert "is complete" in html_of(app)


def test_two_tabs_that_start_at_once_share_one_run(experiments, waiting_runs):
    tabs = [open_page(SMALL), open_page(SMALL)]
    clicks = [threading.Thread(target=lambda tab=tab: click(tab, "train-start")) for tab in tabs]
    for each in clicks:
        each.start()
    for each in clicks:
        each.join()
    assert len(runs(experiments)) == 1
    tabs[0].run()
    assert "train-start" not in buttons(tabs[0])


def test_two_tabs_that_ask_for_a_new_run_at_once_get_one(experiments, waiting_runs):
    first = train_small(experiments, exp_name="again", num_iterations=1)
    data = LocalStore(experiments).run(first).config_data()
    for tab in [open_page(data), open_page(data)]:
        click(tab, "train-fresh")
    assert len(runs(experiments)) == 2


def test_a_refresh_starts_nothing(experiments, waiting_runs):
    click(open_page(SMALL), "train-start")
    for _ in range(2):
        open_page(SMALL).run()
    assert len(runs(experiments)) == 1


def test_one_intention_has_one_token(experiments):
    config = small_config()
    assert launch_token(config, fresh=False, earlier=None) == launch_token(small_config(), fresh=False, earlier=None)
    assert launch_token(config, fresh=True, earlier=None) != launch_token(config, fresh=False, earlier=None)
    train_small(experiments)
    index = Index(experiments)
    index.reconcile()
    earlier = same_run(index, config)
    assert earlier is not None
    assert launch_token(config, fresh=True, earlier=earlier) != launch_token(config, fresh=True, earlier=None)
    assert same_run(index, small_config(seed=99)) is None


def test_a_new_run_can_start_beside_a_finished_one(experiments):
    first = train_small(experiments, exp_name="again", num_iterations=1)
    data = LocalStore(experiments).run(first).config_data()
    app = click(open_page(data), "train-fresh")
    assert not app.exception
    ids = runs(experiments)
    assert len(ids) == 2
    for run_id in ids:
        ended(experiments, run_id)


def test_a_finished_run_goes_on_when_more_iterations_are_asked_for(experiments):
    first = train_small(experiments, exp_name="longer", num_iterations=1)
    data = {**LocalStore(experiments).run(first).config_data(), "num_iterations": 2}
    app = open_page(data)
    assert app.button(key="train-start").label == "Go on with it"
    click(app, "train-start")
    ended(experiments, first)
    wait_for(lambda: LocalStore(experiments).run(first).iterations_done() == 2, "the second iteration")
    assert runs(experiments) == [first]


def test_a_config_with_faults_cannot_start(experiments):
    app = open_page({"num_agents": 0, "llm": "offline"})
    assert "num_agents: is 0; must be at least 1." in html_of(app)
    assert "train-start" not in buttons(app)


def test_a_missing_key_is_shown_with_its_remedy_and_nothing_starts():
    app = open_page({**SMALL, "llm": "gpt-4o"})
    assert app.button(key="train-start").disabled
    page = html_of(app)
    assert "OPENAI_API_KEY is not set" in page
    assert ".env" in page
    assert "problem" in states(page)


# the queue


def test_waiting_runs_are_shown_with_their_places_and_can_be_stopped(experiments, waiting_runs):
    click(open_page({**SMALL, "exp_name": "one"}), "train-start")
    app = click(open_page({**SMALL, "exp_name": "two"}), "train-start")
    page = html_of(app)
    assert "number 1 in the queue" in page
    assert "number 2 in the queue" in page
    assert "waits in the queue, as number 2" in page
    first = next(run_id for run_id in runs(experiments) if run_id.startswith("one"))
    click(app, f"train-stop-{first}")
    assert LocalStore(experiments).run(first).state().state == "stopped"
    assert "number 2 in the queue" not in html_of(app)


def test_a_stopped_run_is_resumed_from_the_list(experiments, waiting_runs, monkeypatch):
    app = click(open_page(SMALL), "train-start")
    (run_id,) = runs(experiments)
    click(app, f"train-stop-{run_id}")
    monkeypatch.setattr(waiting_runs, "max_running", 2)
    app.run()
    click(app, f"train-resume-{run_id}")
    ended(experiments, run_id)


# a run that is there


def test_a_run_is_chosen_by_the_address_and_shows_its_config(small_run):
    app = open_page(run="latest")
    assert app.selectbox(key="train-run").value == small_run
    assert "completed, 2 iterations done" in html_of(app)
    assert app.button(key="train-resume").disabled


def test_more_iterations_resume_a_finished_run(experiments, small_run):
    app = open_page(run=small_run)
    app.number_input(key=f"train-limit-num_iterations-{small_run}").set_value(3).run()
    click(app, "train-resume")
    wait_for(lambda: LocalStore(experiments).run(small_run).iterations_done() == 3, "the third iteration")
    ended(experiments, small_run)


def test_a_runs_config_starts_again_as_a_new_run(experiments, small_run):
    click(open_page(run=small_run), "train-fresh")
    other = next(run_id for run_id in runs(experiments) if run_id != small_run)
    ended(experiments, other)
    mine, its = (LocalStore(experiments).run(run_id).config_data() for run_id in (small_run, other))
    assert mine == its


def test_a_runs_config_can_be_edited_in_configure(small_run, experiments):
    app = click(open_page(run=small_run), "train-edit")
    assert not app.exception
    assert app.title[0].value == "Configure"
    draft = app.session_state["configure.draft"]
    assert draft.imported
    assert draft.data == LocalStore(experiments).run(small_run).config_data()


def test_without_any_run_the_page_says_what_to_do():
    app = open_page(run="nothing")
    assert not app.exception


def test_a_broken_run_is_told_and_breaks_nothing(experiments):
    train_small(experiments, exp_name="sound", num_iterations=1)
    broken = break_run(experiments)
    assert not open_page().exception
    assert not open_page(run=broken).exception
    sound = next(run_id for run_id in runs(experiments) if run_id.startswith("sound"))
    (experiments / sound / "config.json").write_text("{", encoding="utf-8")
    app = open_page(run=sound)
    assert not app.exception


# trust


EVIL = {
    "model_string": "m",
    "base_url": "https://evil.example/v1",
    "api_key_env_var": "SOME_SECRET",
    "input_price_per_million": 1,
    "output_price_per_million": 1,
}


def test_an_imported_config_sends_no_key_and_reads_no_file_before_the_user_consents(experiments, monkeypatch):
    monkeypatch.setenv("SOME_SECRET", "planted-secret-value")
    app = open_page({**SMALL, "llm": EVIL, "benchmark_path": "/etc/passwd"}, imported=True)
    page = html_of(app)
    assert "SOME_SECRET would be sent to https://evil.example/v1" in page
    assert "benchmark_path" in page
    assert "planted" not in page
    assert "root:" not in page
    assert app.button(key="train-start").disabled
    assert app.button(key="train-answers-0-test").disabled
    app = click(app, "train-endpoint-0-confirm")
    assert "would be sent" not in html_of(app)
    assert app.button(key="train-start").disabled
    app = click(app, "train-path-0-allow")
    page = html_of(app)
    assert "not JSON" in page
    assert "root:" not in page
    assert runs(experiments) == []


@pytest.mark.parametrize("link", [False, True])
def test_another_users_tasks_are_neither_counted_nor_shown_before_consent(experiments, tmp_path, monkeypatch, link):
    theirs = tmp_path / "theirs.jsonl"
    row = {"problem": "a secret problem", "answer": "a secret answer"}
    theirs.write_text(json.dumps(row) + "\n", encoding="utf-8")
    path = "../theirs.jsonl"
    if link:
        path = "tasks.jsonl"
        Path(path).symlink_to(theirs)
    data = {**SMALL, "task_type": "math", "benchmark_path": path}
    app = open_page(data, imported=True)
    for page in (PAGE, "pages/configure.py", PAGE):
        app = app.switch_page(str(ROOT / page)).run()
        assert not app.exception
        assert "secret" not in str(app)
        assert "1 task" not in html_of(app)
    assert app.button(key="train-start").disabled
    app = click(app, "train-path-0-allow")
    assert "1 task" in html_of(app)
    assert "secret" not in str(app)


def test_what_was_confirmed_is_not_asked_again(monkeypatch):
    monkeypatch.setenv("SOME_SECRET", "planted-secret-value")
    trust.confirm(trust.KeyUse("https://evil.example/v1", "SOME_SECRET"))
    app = open_page({**SMALL, "llm": EVIL}, imported=True)
    assert not app.button(key="train-start").disabled


def test_a_run_directory_from_elsewhere_is_not_resumed_before_the_user_consents(experiments, monkeypatch):
    monkeypatch.setenv("SOME_SECRET", "planted-secret-value")
    run_id = train_small(experiments, num_iterations=1)
    edit_json(experiments / run_id / "config.json", lambda data: data.update(llm=EVIL, num_iterations=9))
    edit_json(experiments / run_id / "state.json", lambda data: data.update(state="stopped"))
    app = open_page(run=run_id)
    assert app.button(key="train-resume").disabled
    assert "would be sent to https://evil.example/v1" in html_of(app)
    app = click(app, f"train-resume-{run_id}")
    assert "which nobody has confirmed" in html_of(app)
    assert LocalStore(experiments).run(run_id).state().state == "stopped"


def test_hostile_text_stays_text(experiments):
    text = HOSTILE.replace("\ud800", "")
    run_id = train_small(experiments, num_iterations=1)
    edit_json(experiments / run_id / "state.json", lambda data: data.update(state="failed", reason=text, remedy=text))
    edit_json(experiments / run_id / "config.json", lambda data: data.update(benchmark_path=text, prompts_dir=text))
    for app in (open_page({**SMALL, "num_agents": text, text: 1}), open_page(), open_page(run=run_id)):
        assert_is_only_text(app, html_of(app))
    hostile_model = {"model_string": text, "base_url": "http://127.0.0.1:1/v1"}
    app = open_page({**SMALL, "llm": hostile_model})
    assert_is_only_text(app, html_of(app))


def test_a_test_call_is_made_on_a_button_press_only(monkeypatch):
    model = {"model_string": "m", "base_url": "http://127.0.0.1:1/v1", "local": True}
    app = open_page({**SMALL, "llm": model})
    assert "not tried yet" in html_of(app)
    app.run()
    assert "not tried yet" in html_of(app)
    app = click(app, "train-answers-0-test")
    assert "not tried yet" not in html_of(app)
    assert app.button(key="train-start").disabled
