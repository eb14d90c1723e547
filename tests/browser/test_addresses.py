"""Addresses: each page by its own, on a server that has just started; the same after a refresh."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.pages import (
    CONFIGURE,
    FEEDBACK,
    LIVE,
    MODELS,
    PAGES,
    POLICIES,
    RUNS,
    TRAIN,
    expect_content,
    expect_no_failure,
    expect_title,
    go,
    selected,
    visit,
)
from tests.browser.serving import Dashboard
from tests.dashboard.conftest import train_small


@pytest.mark.parametrize("place", PAGES, ids=lambda place: place.title)
def test_a_page_opens_by_its_address_on_a_server_that_has_just_started(place, tmp_path, make_context):
    """Streamlit may run a page without its frame when that is the very first request: each page has its own server."""
    run_id = train_small(tmp_path / "experiments", trajectories_per_iteration=2)
    with Dashboard(tmp_path) as server:
        page = make_context(server).new_page()
        visit(page, server, place, run=run_id)
        expect_content(page, place)
        expect(page.get_by_test_id("stSidebarNavLink")).to_have_count(len(PAGES))
        page.reload()
        expect_content(page, place)


@pytest.mark.parametrize("place", [RUNS, LIVE, POLICIES, FEEDBACK], ids=lambda place: place.title)
def test_the_address_of_the_latest_run_shows_the_newest(finished, place):
    visit(finished, finished.server, place, run="latest")
    expect_content(finished, place)
    if place is RUNS:
        expect(finished.locator(".st-key-runs-details h3")).to_have_text(finished.server.run_id)
    else:
        expect(selected(finished, f"{place.path[1:]}-run")).to_have_value(finished.server.run_id)


def test_a_link_shows_what_its_sender_saw(finished):
    parameters = {"run": finished.server.run_id, "agent": "agent_2", "iteration": 1, "episode": 2}
    visit(finished, finished.server, FEEDBACK, **parameters)
    expect_content(finished, FEEDBACK)
    expect(selected(finished, "feedback-episode")).to_have_value(re.compile("^2 "))
    expect(selected(finished, "feedback-agent")).to_have_value("agent_2")
    visit(finished, finished.server, POLICIES, **{"run": finished.server.run_id, "from": 1, "to": 2})
    expect(finished.locator(".langmarl-diff").first).to_contain_text("Checkpoint 1")
    expect(finished.locator(".langmarl-diff").first).to_contain_text("Checkpoint 2")
    finished.reload()
    expect(finished.locator(".langmarl-diff").first).to_contain_text("Checkpoint 1")


def test_an_address_that_names_no_run_says_so(finished):
    for place in (LIVE, POLICIES, FEEDBACK):
        visit(finished, finished.server, place, run="no_such_run")
        expect(finished.get_by_text("There is no run").first).to_be_visible()
        expect_no_failure(finished)


def test_the_menu_keeps_the_run_that_is_looked_at(finished):
    visit(finished, finished.server, LIVE, run=finished.server.run_id)
    for place in (POLICIES, FEEDBACK, LIVE):
        go(finished, place)
        expect_content(finished, place)
        expect(finished).to_have_url(re.compile(f"run={finished.server.run_id}"))


def test_the_browsers_back_button_leads_back(finished):
    visit(finished, finished.server, RUNS)
    expect_content(finished, RUNS)
    for place in (CONFIGURE, TRAIN, MODELS):
        go(finished, place)
    finished.go_back()
    expect_title(finished, TRAIN)
    finished.go_back()
    expect_title(finished, CONFIGURE)
