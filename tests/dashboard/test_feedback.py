import html
import shutil

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.charts.credit import credit_figure
from dashboard.context import store
from dashboard.navigation import scripts_folder
from dashboard.queries.feedback import (
    EpisodeSummary,
    Filter,
    Standing,
    matching,
    played_iterations,
    read_calls,
    read_episode,
    read_lesson,
    read_overview,
)
from tests.dashboard.conftest import html_of, open_app, train_small
from tests.dashboard.hostile import HOSTILE, assert_is_only_text, edit_json


def open_feedback(**parameters):
    app = open_app().switch_page(str(scripts_folder() / "feedback.py"))
    for name, value in parameters.items():
        app.query_params[name] = value
    return app.run()


def texts(app):
    return "\n".join(element.value for element in app.text)


def episode_file(run, folder, episode, iteration=1):
    return run.path / folder / f"iter_{iteration:04d}" / f"episode_{episode:04d}.json"


def show_stage(app, stage):
    return app.segmented_control(key="feedback-stage").set_value(stage).run()


def test_without_a_run_the_page_says_what_to_do(experiments):
    app = open_feedback()
    assert not app.exception
    assert "Start one" in texts(app)


def test_a_run_without_episodes_is_told_so(finished_run):
    run = store().run(finished_run)
    shutil.rmtree(run.layout.trajectories)
    shutil.rmtree(run.layout.evaluations)
    app = open_feedback()
    assert not app.exception
    assert [each.value for each in app.subheader] == ["This run has no episodes yet"]


def test_the_latest_iteration_is_shown_with_transcript_and_the_critics_words(finished_run):
    app = open_feedback()
    assert not app.exception
    run = store().run(finished_run)
    shown = html_of(app)
    assert app.select_slider(key="feedback-iteration").value == 1
    assert len(app.get("plotly_chart")) == 1
    for step in run.trajectories.get(1, 0).steps:
        assert html.escape(step.action.splitlines()[0]) in shown
    for said in run.evaluations.get(1, 0)["per_agent"].values():
        assert f"credit <strong>{said['credit']:+.2f}" in shown
    assert "rests on step" in shown
    assert 'id="step-0"' in shown


def test_a_link_shows_what_its_sender_saw(finished_run):
    app = open_feedback(run=finished_run, iteration="0", episode="2", agent="agent_2")
    assert app.select_slider(key="feedback-iteration").value == 0
    assert app.selectbox(key="feedback-episode").value == 2
    assert app.selectbox(key="feedback-agent").value == "agent_2"
    assert "Episode 2" in html_of(app)


def test_a_choice_stands_in_the_address(finished_run):
    app = open_feedback()
    app.select_slider(key="feedback-iteration").set_value(0).run()
    app.selectbox(key="feedback-episode").set_value(1).run()
    app.selectbox(key="feedback-agent").set_value("agent_2").run()
    assert app.query_params["iteration"] == "0"
    assert app.query_params["episode"] == "1"
    assert app.query_params["agent"] == "agent_2"


def test_what_the_address_names_in_vain_is_told(finished_run):
    app = open_feedback(iteration="99", episode="88", agent="nobody")
    assert not app.exception
    for wanted in ("99", "88", "nobody"):
        assert wanted in html_of(app)


def test_gradient_merged_gradient_and_policy_are_one_click_apart(finished_run):
    run = store().run(finished_run)
    app = open_feedback(iteration="0", episode="0", agent="agent_1")
    show_stage(app, "Gradient")
    assert run.gradients.get(0, "agent_1", 0)["note"].split(".")[0] in html_of(app)
    show_stage(app, "Merged")
    assert run.gradients.get_merged(0, "agent_1")["note"].splitlines()[0] in html_of(app)
    assert "notes on 3 episodes" in texts(app)
    show_stage(app, "Policy")
    assert "<ins" in html_of(app)
    assert "from checkpoint 0 to 1" in texts(app)


def test_a_refused_update_says_why(finished_run):
    update = {"accepted": False, "reason": "it is empty", "proposed": None, "policy": "x"}
    store().run(finished_run).gradients.save_update(0, "agent_1", update)
    app = show_stage(open_feedback(iteration="0", agent="agent_1"), "Policy")
    assert "was refused: it is empty" in html_of(app)


def test_the_teams_notes_stand_for_each_agent(experiments):
    run = store().run(train_small(experiments, paradigm="central_global", num_iterations=1))
    assert read_overview(run, 0).team
    lesson = read_lesson(run, 0, 0, "agent_2")
    assert lesson.subject == "team"
    assert lesson.note == run.gradients.get(0, "team", 0)["note"]
    app = open_feedback()
    assert "one assessment for the whole team" in texts(app)
    assert "about the whole team" in html_of(show_stage(app, "Gradient"))


@pytest.fixture
def troubled_run(finished_run):
    """Iteration 1: an answer for one agent only, an episode that failed, one that was not judged."""
    run = store().run(finished_run)

    def lose(evaluation):
        evaluation["per_agent"]["agent_1"] = None
        evaluation["problem"] = "agent_1: missing"

    edit_json(episode_file(run, "evaluations", 0), lose)
    (run.layout.gradients / "iter_0001" / "agent_1" / "episode_0000.json").unlink()
    run.trajectories.save_failure(1, 1, "ModelCallError", "the endpoint is gone")
    episode_file(run, "evaluations", 1).unlink()
    episode_file(run, "evaluations", 2).unlink()
    return run


def test_what_did_not_work_is_told_apart(troubled_run):
    episodes = read_overview(troubled_run, 1).episodes
    assert [episode.standing("agent_1") for episode in episodes] == [
        Standing.UNPARSED,
        Standing.FAILED,
        Standing.UNJUDGED,
    ]
    assert episodes[0].standing("agent_2") is Standing.CREDITED


def test_what_did_not_work_is_marked_on_the_page(troubled_run):
    app = open_feedback(episode="0", agent="agent_1")
    assert "no usable answer" in html_of(app)
    assert "agent_1: missing" in html_of(app)
    assert "could not be used for this agent" in html_of(show_stage(app, "Gradient"))
    app = open_feedback(episode="1")
    assert "the endpoint is gone" in html_of(app)
    assert html.escape(troubled_run.tasks.get(1)[1]["question"]) in html_of(app)
    assert "nothing to judge" in html_of(app)
    assert "has not judged this episode" in html_of(open_feedback(episode="2"))


def test_only_problems(troubled_run):
    overview = read_overview(troubled_run, 1)
    assert len(matching(troubled_run, overview, Filter(problems_only=True))) == 3
    only_second = Filter(problems_only=True, agents=["agent_2"])
    assert [episode.episode for episode in matching(troubled_run, overview, only_second)] == [1, 2]


def test_filter_by_reward(troubled_run):
    run = troubled_run
    edit_json(episode_file(run, "trajectories", 0), lambda episode: episode.update(reward=0.9))
    edit_json(episode_file(run, "trajectories", 2), lambda episode: episode.update(reward=0.2))
    # Files are replaced by renaming where a run writes them; that is what an overview notices.
    run.trajectories.save(1, 2, run.trajectories.get(1, 2))
    overview = read_overview(run, 1)
    assert [each.episode for each in matching(run, overview, Filter(least_reward=0.5))] == [0]
    assert [each.episode for each in matching(run, overview, Filter(most_reward=0.5))] == [2]
    assert len(matching(run, overview, Filter())) == 3


def test_filter_by_words_of_the_chosen_agents(finished_run):
    run = store().run(finished_run)

    def say(evaluation):
        evaluation["per_agent"]["agent_2"]["feedback"] = "An UNMISTAKABLE remark."

    edit_json(episode_file(run, "evaluations", 1), say)
    overview = read_overview(run, 1)
    assert [each.episode for each in matching(run, overview, Filter(words="remark unmistakable"))] == [1]
    assert matching(run, overview, Filter(words="unmistakable", agents=["agent_1"])) == []


def test_filters_that_let_nothing_through_can_be_cleared(finished_run):
    app = open_feedback()
    app.text_input(key="feedback-words").set_value("no such words anywhere").run()
    assert "No episode passes the filters" in html_of(app)
    app.button(key="feedback-clear").click().run()
    assert app.text_input(key="feedback-words").value == ""
    assert "No episode passes" not in html_of(app)


def test_a_filter_moves_the_choice_to_an_episode_that_passes(finished_run):
    run = store().run(finished_run)
    edit_json(
        episode_file(run, "evaluations", 2), lambda answer: answer["per_agent"]["agent_1"].update(feedback="Zebra")
    )
    app = open_feedback(episode="0")
    app.text_input(key="feedback-words").set_value("zebra").run()
    assert app.selectbox(key="feedback-episode").value == 2
    assert "Episode 2" in html_of(app)
    assert "1 of 3 episodes" in texts(app)


@pytest.mark.parametrize("content", ['{"broken', "[]", "{}", '{"per_agent": 3, "raw_response": null}'])
def test_a_damaged_evaluation_costs_only_its_episode(finished_run, content):
    run = store().run(finished_run)
    episode_file(run, "evaluations", 0).write_text(content, encoding="utf-8")
    app = open_feedback(episode="0")
    assert not app.exception
    episodes = read_overview(run, 1).episodes
    assert episodes[0].standing("agent_1") in (Standing.UNREADABLE, Standing.UNPARSED)
    assert episodes[1].standing("agent_1") is Standing.CREDITED


@pytest.mark.parametrize("content", ['{"broken', "{}", '{"task": {}, "steps": [{}], "reward": 1}'])
def test_a_damaged_episode_is_told(finished_run, content):
    run = store().run(finished_run)
    episode_file(run, "trajectories", 0).write_text(content, encoding="utf-8")
    app = open_feedback(episode="0")
    assert not app.exception
    assert "is damaged" in html_of(app)


def test_values_of_any_type_do_no_harm(finished_run):
    run = store().run(finished_run)

    def spoil(evaluation):
        evaluation["per_agent"] = {
            "agent_1": {"credit": 1e400, "feedback": {"a": 1}, "evidence": "all"},
            "agent_2": {"credit": 7, "feedback": None, "evidence": [0, "x", 99, -3]},
        }
        evaluation["problem"] = {"odd": True}

    edit_json(episode_file(run, "evaluations", 0), spoil)
    detail = read_episode(run, 1, 0)
    assert detail.judgements["agent_1"] is None
    assert detail.judgements["agent_2"].credit == 1.0
    app = open_feedback(episode="0")
    assert not app.exception
    for stage in ("Gradient", "Merged", "Policy"):
        assert not show_stage(app, stage).exception


def test_missing_and_damaged_gradients_are_told(finished_run):
    run = store().run(finished_run)
    folder = run.layout.gradients / "iter_0001" / "agent_1"
    (folder / "episode_0000.json").unlink()
    (folder / "merged.json").write_text("{", encoding="utf-8")
    (folder / "update.json").write_text('{"accepted": "perhaps"}', encoding="utf-8")
    app = open_feedback(episode="0", agent="agent_1")
    assert "No gradient was made" in html_of(show_stage(app, "Gradient"))
    assert "is damaged" in html_of(show_stage(app, "Merged"))
    assert not show_stage(app, "Policy").exception


def test_hostile_text_stays_text(finished_run):
    run = store().run(finished_run)

    def spoil_episode(episode):
        episode["task"]["question"] = HOSTILE
        episode["metadata"][HOSTILE] = HOSTILE
        episode["steps"][0].update(agent_id=HOSTILE, action=HOSTILE, observation=HOSTILE)

    def spoil_answer(answer):
        answer["per_agent"][HOSTILE] = {"credit": 0.5, "feedback": HOSTILE, "evidence": [0]}
        answer.update(problem=HOSTILE, raw_response=HOSTILE)

    edit_json(episode_file(run, "trajectories", 0), spoil_episode)
    edit_json(episode_file(run, "evaluations", 0), spoil_answer)
    edit_json(
        run.layout.gradients / "iter_0001" / "agent_1" / "update.json",
        lambda it: it.update(accepted=False, reason=HOSTILE),
    )
    edit_json(
        run.layout.gradients / "iter_0001" / "agent_1" / "episode_0000.json",
        lambda it: it.update(note=None, problem=HOSTILE),
    )
    app = open_feedback(episode="0", agent="agent_1")
    assert_is_only_text(app, html_of(app))
    assert "&lt;script&gt;" in html_of(app)
    for stage in ("Gradient", "Merged", "Policy"):
        show_stage(app, stage)
        assert_is_only_text(app, html_of(app))


def test_a_failure_message_stays_text(finished_run):
    store().run(finished_run).trajectories.save_failure(1, 0, "ModelCallError", HOSTILE)
    app = open_feedback(episode="0")
    assert_is_only_text(app, html_of(app))


def test_a_megabyte_of_message_is_cut_and_can_be_downloaded(finished_run):
    run = store().run(finished_run)
    edit_json(
        episode_file(run, "trajectories", 0), lambda episode: episode["steps"][0].update(action="long " * 200_000)
    )
    edit_json(episode_file(run, "evaluations", 0), lambda answer: answer.update(raw_response="raw " * 250_000))
    app = open_feedback(episode="0")
    assert not app.exception
    assert len(html_of(app)) < 200_000
    assert "992,000 more characters" in html_of(app)
    assert "1,000,000" in app.download_button(key="feedback-download-step-0").label
    assert app.download_button(key="feedback-download-raw")


def test_many_steps_are_shown_page_by_page(finished_run):
    run = store().run(finished_run)
    edit_json(episode_file(run, "trajectories", 0), lambda episode: episode.update(steps=episode["steps"] * 50))
    app = open_feedback(episode="0")
    assert 'id="step-39"' in html_of(app)
    assert 'id="step-40"' not in html_of(app)
    app.pagination(key="feedback-page-3").set_value(3).run()
    assert 'id="step-99"' in html_of(app)


def test_the_calls_behind_an_episode(finished_run):
    run = store().run(finished_run)
    calls = read_calls(run, 1, 2, "agent_1").records
    assert {record.key.episode for record in calls} == {2, None}
    assert [record.key.role for record in calls if record.key.episode is None] == ["aggregate", "update"]
    assert {record.key.agent for record in calls if record.key.episode is None} == {"agent_1"}
    assert {"actor", "critic", "gradient"} <= {record.key.role for record in calls}


def test_calls_are_read_only_when_their_section_is_open(finished_run):
    run = store().run(finished_run)
    run.journal.path(1).write_text("no journal\n", encoding="utf-8")
    app = open_feedback()
    assert "damaged" not in html_of(app)
    app.session_state["feedback-calls"] = True
    app.run()
    assert not app.exception
    assert "is damaged" in html_of(app)


def test_a_call_is_shown_with_its_prompt_and_reply(finished_run):
    app = open_feedback(episode="0")
    app.session_state["feedback-calls"] = True
    app.run()
    record = read_calls(store().run(finished_run), 1, 0, "agent_1").records[0]
    shown = [each.value for each in app.code]
    assert record.reply["text"] in shown
    assert record.request["messages"][0]["content"] in shown


def test_only_the_chosen_iteration_is_read(finished_run):
    run = store().run(finished_run)
    for path in [*run.layout.trajectories.glob("iter_0000/*"), *run.layout.evaluations.glob("iter_0000/*")]:
        path.write_text("{", encoding="utf-8")
    app = open_feedback(iteration="1")
    assert played_iterations(run) == [0, 1]
    assert not app.exception
    assert "damaged" not in html_of(app)


def test_the_heat_map_shows_credit_and_marks_the_rest():
    episodes = [
        EpisodeSummary(0, 0.5, {"a": 0.7}, judged=True),
        EpisodeSummary(1, None, {}, failed=True),
        EpisodeSummary(2, 0.1, {"a": -0.2, "b": 0.0}, judged=True),
    ]
    fig = credit_figure(episodes, ["a", "b"], 2, "b")
    heat = next(trace for trace in fig.data if trace.type == "heatmap")
    assert [list(row) for row in heat.z] == [[0.7, None, -0.2], [None, None, 0.0]]
    assert (heat.zmin, heat.zmax) == (-1, 1)
    signs = {trace.name: list(zip(trace.x, trace.y, strict=True)) for trace in fig.data if trace.type == "scatter"}
    assert signs["answer not usable"] == [(0, 1)]
    assert signs["episode failed"] == [(1, 0), (1, 1)]
    chosen = fig.layout.shapes[-1]
    assert (chosen.x0, chosen.y0) == (1.5, 0.5)


def test_hostile_names_are_text_in_the_heat_map():
    name = '<a href="http://x.y">agent</a>'
    fig = credit_figure([EpisodeSummary(name, 0.5, {name: 0.7}, judged=True)], [name], name, name)
    assert "<a " not in fig.to_json().replace("\\u003c", "<")


def test_a_click_on_a_cell_chooses_episode_and_agent():
    def page():
        import streamlit as st

        from dashboard.queries.feedback import EpisodeSummary
        from dashboard.views.bound import AddressChoices
        from dashboard.views.feedback.choosing import choose_clicked

        shown = [EpisodeSummary(number, 0.5, {}) for number in (4, 7)]
        st.session_state["chart"] = {"selection": {"points": [{"x": 1}, {"customdata": [1, 0]}]}}
        choose_clicked("chart", shown, ["agent_1"], AddressChoices("feedback", "run"))

    app = AppTest.from_function(page).run()
    assert not app.exception
    assert app.query_params["episode"] == "7"
    assert app.query_params["agent"] == "agent_1"
