import io
import shutil
import zipfile

import pytest

from dashboard.charts.checkpoint_reward import checkpoint_reward_figure
from dashboard.charts.policy_length import policy_length_figure
from dashboard.context import store
from dashboard.navigation import scripts_folder
from dashboard.queries.policies import (
    MOST_CHECKPOINTS,
    Rewards,
    policies_archive,
    policy_lengths,
    read_history,
    read_policies,
    read_proposal,
    thinned,
)
from dashboard.queries.reading import RememberedFiles
from dashboard.theme import agent_color
from tests.dashboard.conftest import html_of, open_app, train_small
from tests.dashboard.hostile import HOSTILE, assert_is_only_text, edit_json


def open_policies(**parameters):
    app = open_app(**parameters)
    return app.switch_page(str(scripts_folder() / "policies.py")).run()


def with_parameters(app, **parameters):
    for name, value in parameters.items():
        app.query_params[name] = value
    return app.run()


def texts(app):
    return "\n".join(element.value for element in app.text)


def test_without_a_run_the_page_says_what_to_do(experiments):
    app = open_policies()
    assert not app.exception
    assert "Start one" in texts(app)


def test_a_run_that_has_not_begun_is_told_so(finished_run):
    shutil.rmtree(store().run(finished_run).layout.checkpoints)
    app = open_policies()
    assert not app.exception
    assert [each.value for each in app.subheader] == ["This run has no policies yet"]


def test_the_latest_policies_are_compared_with_the_start_for_every_agent(finished_run):
    app = open_policies()
    assert not app.exception
    html = html_of(app)
    assert app.select_slider(key="policies-to").value == 2
    assert "Checkpoint 0" in html
    assert "Checkpoint 2" in html
    assert "agent_1" in html
    assert "agent_2" in html
    assert "# Learned instructions" in html
    assert len(app.get("plotly_chart")) == 2


def test_a_link_shows_what_its_sender_saw(finished_run):
    app = with_parameters(open_policies(), **{"run": finished_run, "agent": "agent_2", "from": "2", "to": "1"})
    html = html_of(app)
    assert html.index("Checkpoint 2") < html.index("Checkpoint 1")
    assert ">agent_2<" in html
    assert ">agent_1<" not in html
    assert app.selectbox(key="policies-agent").value == "agent_2"


def test_a_choice_stands_in_the_address(finished_run):
    app = open_policies()
    app.select_slider(key="policies-to").set_value(1).run()
    app.selectbox(key="policies-from").set_value("previous").run()
    app.selectbox(key="policies-agent").set_value("agent_1").run()
    assert app.query_params["to"] == "1"
    assert app.query_params["from"] == "previous"
    assert app.query_params["agent"] == "agent_1"
    assert "Checkpoint 0" in html_of(app)


def test_a_choice_outlives_a_visit_to_another_page(finished_run):
    app = open_policies()
    app.select_slider(key="policies-to").set_value(1).run()
    app.switch_page(str(scripts_folder() / "feedback.py")).run()
    app.query_params.clear()
    app.switch_page(str(scripts_folder() / "policies.py")).run()
    assert app.select_slider(key="policies-to").value == 1


def test_a_checkpoint_that_does_not_exist_is_named(finished_run):
    app = with_parameters(open_policies(), to="77")
    assert not app.exception
    assert "77" in html_of(app)
    assert app.select_slider(key="policies-to").value == 2


def test_inline_and_text_only(finished_run):
    app = open_policies()
    app.segmented_control(key="policies-layout").set_value("Inline").run()
    assert "<ins" in html_of(app)
    assert "<table" not in html_of(app)
    app.segmented_control(key="policies-layout").set_value("Text").run()
    assert "<ins" not in html_of(app)
    policies = store().run(finished_run).checkpoints.get_policies(2)
    assert [each.value for each in app.code] == list(policies.values())


def test_every_update_is_listed_with_its_outcome(finished_run):
    def refuse(metrics):
        metrics["iterations"][0]["refusals"] = {"agent_1": "it is empty"}
        metrics["iterations"][1] |= {"reverted_to": 0, "revert_reason": "the mean reward fell"}

    edit_json(store().run(finished_run).layout.metrics, refuse)
    app = with_parameters(open_policies(), to="1")
    rows = app.dataframe[0].value.to_dict("records")
    assert [(row["iteration"], row["agent"], row["outcome"], row["why"]) for row in rows] == [
        (1, "agent_1", "↩ reverted", "back to checkpoint 0: the mean reward fell"),
        (1, "agent_2", "↩ reverted", "back to checkpoint 0: the mean reward fell"),
        (0, "agent_1", "✕ refused", "it is empty"),
        (0, "agent_2", "✓ accepted", "–"),
    ]
    assert "was refused: it is empty" in html_of(app)


def test_what_was_refused_can_be_read(finished_run):
    run = store().run(finished_run)
    run.gradients.save_update(
        1, "agent_1", {"accepted": False, "reason": "no", "proposed": "A bold plan", "policy": ""}
    )
    edit_json(run.layout.metrics, lambda metrics: metrics["iterations"][1].update(refusals={"agent_1": "no"}))
    assert read_proposal(run, 1, "agent_1").text == "A bold plan"
    app = open_policies()
    assert "A bold plan" not in html_of(app)
    app.session_state["policies-refused-0"] = True
    assert "A bold plan" in html_of(app.run())


def test_a_damaged_metrics_file_costs_the_rewards_not_the_policies(finished_run):
    run = store().run(finished_run)
    run.layout.metrics.write_text('{"iterations": [', encoding="utf-8")
    history = read_history(run)
    assert "is damaged" in history.problem
    assert history.checkpoints == [0, 1, 2]
    assert not open_policies(run=finished_run).exception


@pytest.mark.parametrize(
    "row", [{"iteration": 0}, {"iteration": 0, "rewards": "x", "avg_reward": "NaN", "refusals": [1]}]
)
def test_odd_rows_of_metrics_do_no_harm(finished_run, row):
    edit_json(store().run(finished_run).layout.metrics, lambda metrics: metrics.update(iterations=[row]))
    assert not open_policies().exception


def test_a_policy_that_cannot_be_read_costs_only_its_agent(finished_run):
    run = store().run(finished_run)
    (run.layout.checkpoints / "iter_0002" / "agent_1.txt").write_bytes(b"\xff\xfe\x00bad")
    app = open_policies()
    html = html_of(app)
    assert not app.exception
    assert "is not UTF-8" in html
    assert "no readable policy in checkpoint 2" in html
    assert list(read_policies(run, 2).texts) == ["agent_2"]


def test_an_empty_checkpoint_does_no_harm(finished_run):
    for path in (store().run(finished_run).layout.checkpoints / "iter_0002").iterdir():
        path.unlink()
    assert not open_policies().exception


def test_hostile_text_stays_text(finished_run):
    run = store().run(finished_run)
    folder = run.layout.checkpoints / "iter_0002"
    (folder / "agent_1.txt").write_bytes(HOSTILE.encode("utf-8", "surrogatepass"))
    (folder / "agent_3 ![b](http%3A%2F%2F127.0.0.1%2Fb.png) $x$.txt").write_text("third", encoding="utf-8")
    edit_json(
        run.layout.metrics, lambda metrics: metrics["iterations"][1].update(refusals={"agent_1": HOSTILE, "x": HOSTILE})
    )
    app = open_policies()
    assert_is_only_text(app, html_of(app))
    assert "&lt;script&gt;" in html_of(app)
    app.segmented_control(key="policies-layout").set_value("Text").run()
    assert_is_only_text(app, html_of(app))


def test_a_megabyte_of_policy_is_cut_and_can_be_downloaded(finished_run):
    run = store().run(finished_run)
    (run.layout.checkpoints / "iter_0002" / "agent_1.txt").write_text("word " * 200_000, encoding="utf-8")
    app = open_policies()
    assert not app.exception
    assert "Only the first 200,000 characters are compared" in html_of(app)
    assert len(html_of(app)) < 600_000
    assert app.download_button(key="policies-download-0")


def test_the_archive_holds_every_policy_byte_for_byte(finished_run):
    run = store().run(finished_run)
    archive = zipfile.ZipFile(io.BytesIO(policies_archive(finished_run, 2, read_policies(run, 2).texts)))
    assert {name.rpartition("/")[2]: archive.read(name) for name in archive.namelist()} == {
        path.name: path.read_bytes() for path in (run.layout.checkpoints / "iter_0002").glob("*.txt")
    }


def test_lengths_are_those_of_the_policies(finished_run):
    run = store().run(finished_run)
    lengths = policy_lengths(run, [0, 1, 2])
    assert lengths == {
        agent: {number: len(run.checkpoints.get_policies(number)[agent]) for number in (0, 1, 2)}
        for agent in ("agent_1", "agent_2")
    }


def test_history_follows_the_files(experiments):
    run = store().run(train_small(experiments, num_iterations=1))
    assert [each.checkpoint for each in read_history(run).rewards] == [0]
    row = {**run.metrics.iterations()[0], "iteration": 1, "avg_reward": 0.25, "rewards": [0.0, 0.5]}
    run.metrics.append_iteration(row)
    last = read_history(run).rewards[-1]
    assert (last.checkpoint, last.mean, last.low, last.high) == (1, 0.25, 0.0, 0.5)


def test_held_out_figures_stand_by_their_checkpoint(finished_run):
    run = store().run(finished_run)
    run.metrics.append_evaluation({"checkpoint": 2, "avg_reward": 0.4})
    assert read_history(run).rewards[-1] == Rewards(2, held_out=0.4)


def test_long_histories_are_thinned_with_the_last_one_kept():
    found = thinned(range(10_001))
    assert len(found) <= MOST_CHECKPOINTS
    assert found[-1] == 10_000


def test_the_charts_say_what_they_show():
    fig = policy_length_figure({"agent_2": {0: 10, 1: 20}}, {"agent_2": "agent_2"})
    assert fig.layout.xaxis.title.text == "Checkpoint"
    assert "characters" in fig.layout.yaxis.title.text
    assert fig.data[0].line.color == agent_color("agent_2")
    rewards = [Rewards(0, 0.1, 0.0, 0.2, 0.3), Rewards(1, 0.4)]
    fig = checkpoint_reward_figure(rewards, [0, 1, 2], 0, 2)
    assert [shape.x0 for shape in fig.layout.shapes] == [0, 2]
    assert {trace.name for trace in fig.data} >= {"iteration played under it", "held-out tasks"}


def test_unchanged_files_are_read_once_and_changed_ones_anew(tmp_path):
    path, read = tmp_path / "file", []
    remembered = RememberedFiles(size=1)

    def make(each):
        read.append(each)
        return each.read_text(encoding="utf-8")

    path.write_text("a", encoding="utf-8")
    assert [remembered.read(path, make), remembered.read(path, make)] == ["a", "a"]
    assert len(read) == 1
    path.write_text("longer", encoding="utf-8")
    assert remembered.read(path, make) == "longer"
    remembered.read(tmp_path, lambda _: "folder")
    remembered.read(path, make)
    assert len(read) == 3
