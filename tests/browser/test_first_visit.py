"""A person who has read nothing sees a team learn: clicks only, no word typed."""

import re

from playwright.sync_api import expect

from tests.browser.pages import (
    FEEDBACK,
    LIVE,
    POLICIES,
    RUNS,
    expect_content,
    expect_state,
    expect_title,
    go,
    press,
    visit,
    wait_for_rewards,
)


def test_from_the_first_visit_to_the_critics_words(page, server):
    visit(page, server, RUNS)
    press(page, "runs-quickstart")
    expect_title(page, LIVE)
    assert len(wait_for_rewards(page, at_least=1)) <= 5
    rewards = wait_for_rewards(page, at_least=5)
    assert max(rewards[1:]) > rewards[0]
    expect_state(page, "completed")
    expect_content(page, LIVE)

    page.locator(".st-key-live-links").get_by_role("link", name="Policies").click()
    expect_content(page, POLICIES)
    expect(page.locator(".st-key-policies-agent-0 ins").first).to_be_visible()
    expect(page).to_have_url(re.compile("run=quickstart_"))

    page.get_by_role("link", name="What led to it").first.click()
    expect_content(page, FEEDBACK)
    for stage in ("Gradient", "Merged", "Policy"):
        page.locator(".st-key-feedback-stage").get_by_role("radio", name=stage).or_(
            page.locator(".st-key-feedback-stage").get_by_role("button", name=stage)
        ).click()
    expect(page.locator(".langmarl-diff, [data-testid=stText]").first).to_be_visible()

    go(page, RUNS)
    expect_content(page, RUNS)
    expect(page.locator(".st-key-runs-details")).to_contain_text("completed")
    assert len(server.run_ids()) == 1


def test_an_empty_store_says_on_each_page_what_to_do_next(page, server):
    for place, next_step in ((LIVE, "Go to Runs"), (POLICIES, "Go to Runs"), (FEEDBACK, "Go to Runs")):
        visit(page, server, place)
        page.get_by_role("link", name=next_step).click()
        expect(page.locator(".st-key-runs-quickstart button")).to_be_visible()
