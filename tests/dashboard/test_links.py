import pytest
from streamlit.testing.v1 import AppTest

from dashboard.links import run_url
from tests.dashboard.conftest import html_of, train_small


def _page():
    import streamlit as st

    from dashboard.links import current_run_id, param, pick_run, set_param

    st.text(f"current: {current_run_id()}")
    st.text(f"picked: {pick_run('page-run')}")
    st.text(f"from: {param('from', 0)}")
    st.text(f"agent: {param('agent', 'agent_1')}")
    set_param("kept", "yes")


def open_page(**parameters):
    app = AppTest.from_function(_page, default_timeout=30)
    for name, value in parameters.items():
        app.query_params[name] = value
    return app.run()


def said(app, what):
    return next(text.value.partition(": ")[2] for text in app.text if text.value.startswith(f"{what}: "))


def in_address(app, name):
    value = app.query_params.get(name)
    return value if value is None or isinstance(value, str) else value[0]


@pytest.fixture
def two_runs(experiments):
    """Two runs, the older one first."""
    return [train_small(experiments, num_iterations=1, exp_name=name) for name in ("older", "newer")]


def test_the_newest_run_is_shown_and_put_into_the_address(two_runs):
    app = open_page()
    assert said(app, "picked") == two_runs[1]
    assert in_address(app, "run") == two_runs[1]
    assert app.selectbox(key="page-run").options == list(reversed(two_runs))


def test_the_run_of_the_address_is_shown(two_runs):
    app = open_page(run=two_runs[0])
    assert said(app, "current") == two_runs[0]
    assert said(app, "picked") == two_runs[0]
    assert said(app.run(), "picked") == two_runs[0]


def test_latest_is_the_newest_run(two_runs):
    app = open_page(run="latest")
    assert said(app, "current") == two_runs[1]
    assert said(app, "picked") == two_runs[1]
    assert in_address(app, "run") == "latest"


def test_a_choice_changes_the_address(two_runs):
    app = open_page(run=two_runs[1])
    app.selectbox(key="page-run").set_value(two_runs[0]).run()
    assert said(app, "picked") == two_runs[0]
    assert in_address(app, "run") == two_runs[0]
    assert said(app.run(), "picked") == two_runs[0]


def test_the_run_looked_at_last_is_shown_where_the_address_names_none(two_runs):
    app = open_page(run=two_runs[0])
    del app.query_params["run"]
    assert said(app.run(), "picked") == two_runs[0]


def test_a_run_that_does_not_exist_is_said_so_and_the_choice_is_open(two_runs):
    app = open_page(run="<b>gone</b>")
    assert said(app, "picked") == "None"
    assert said(app, "current") == "None"
    assert "&lt;b&gt;gone&lt;/b&gt;" in html_of(app)
    app.selectbox(key="page-run").set_value(two_runs[0]).run()
    assert said(app, "picked") == two_runs[0]


def test_without_a_run_the_page_says_what_to_do(experiments):
    app = open_page()
    assert said(app, "picked") == "None"
    assert "no run yet" in app.subheader[0].value
    assert not experiments.exists()


def test_parameters_have_the_type_of_their_default_and_fall_back_to_it(two_runs):
    app = open_page(**{"from": "3", "agent": "agent_2"})
    assert (said(app, "from"), said(app, "agent")) == ("3", "agent_2")
    assert in_address(app, "kept") == "yes"
    assert said(open_page(**{"from": "three"}), "from") == "0"


def test_an_address_names_page_run_and_whatever_else_is_given():
    assert run_url("live", "a b&c", agent="agent_1", iteration=None) == "/live?run=a+b%26c&agent=agent_1"
    assert run_url("runs") == "/"
