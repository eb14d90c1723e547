"""The dashboard's pages as a browser sees them: their addresses, what shows that one is there, and how to use it."""

import re
from dataclasses import dataclass

from playwright.sync_api import expect

STATE = ".langmarl-state"


@dataclass(frozen=True)
class Page:
    """One page.

    Attributes:
        title: Its heading, and its name in the menu.
        path: Its address.
        content: What only this page has once it is readable, with a run to show; CSS selectors.
    """

    title: str
    path: str
    content: tuple[str, ...]


def chart(key):
    """The drawn chart whose key begins so."""
    return f'[class*="st-key-{key}"] .js-plotly-plot .main-svg'


RUNS = Page("Runs", "/", (".st-key-runs-table canvas", ".st-key-runs-details"))
CONFIGURE = Page("Configure", "/configure", (".st-key-configure-json", ".st-key-configure-forecast"))
TRAIN = Page("Train", "/train", (".langmarl-config", ".st-key-train-source"))
LIVE = Page("Live", "/live", (STATE, ".langmarl-tiles", chart("live-chart-reward"), chart("live-chart-tokens")))
POLICIES = Page("Policies", "/policies", (chart("policies-reward"), ".st-key-policies-agent-0 .langmarl-diff"))
FEEDBACK = Page("Feedback", "/feedback", (chart("feedback-map"), "#step-0", ".st-key-feedback-stage"))
MODELS = Page("Models", "/models", ('[data-testid="stDataFrame"] canvas', ".st-key-models-test"))
PAGES = (RUNS, CONFIGURE, TRAIN, LIVE, POLICIES, FEEDBACK, MODELS)


def visit(page, server, place, **parameters):
    """Open a page by its address."""
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    page.goto(server.url(place.path + (f"?{query}" if query else "")))
    expect_title(page, place)


def go(page, place):
    """Open a page through the menu."""
    page.get_by_test_id("stSidebarNavLink").filter(has_text=place.title).click()
    expect_title(page, place)


def expect_title(page, place):
    """The page is the one that is shown."""
    expect(page.locator("h1").filter(has_text=re.compile(f"^{place.title}$"))).to_be_visible()


def expect_content(page, place):
    """The page is readable."""
    expect_title(page, place)
    for selector in place.content:
        expect(page.locator(selector).first).to_be_visible()
    expect_no_failure(page)


def expect_no_failure(page):
    """No page script has failed, and no address was wrong."""
    expect(page.locator(".langmarl-message", has_text="This page failed")).to_have_count(0)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)


def selected(page, key):
    """The box in which the choice of the list with this key stands."""
    return page.locator(f".st-key-{key}").get_by_role("combobox")


def button(page, key):
    """The button with this key. One that has a tooltip is there twice, the second time for narrow screens."""
    return page.locator(f".st-key-{key} button").first


def press(page, key):
    """Click the button with this key."""
    button(page, key).click()


def expect_state(page, *names):
    """The Live page's run is in one of these states."""
    expect(page.locator(STATE)).to_contain_text(re.compile("|".join(names)))


def rewards_drawn(page):
    """The mean rewards in the chart of the Live page, by iteration; none while there is no chart."""
    return page.evaluate(
        """() => {
            const plot = document.querySelector('[class*="st-key-live-chart-reward"] .js-plotly-plot');
            const place = plot?.data?.findIndex((trace) => trace.name === "mean of training episodes") ?? -1;
            return place < 0 ? [] : plot.calcdata[place].map((point) => point.y);
        }"""
    )


def wait_for_rewards(page, at_least):
    """Wait until so many iterations are drawn, without touching the page; their mean rewards."""
    poll = """(least) => {
        const plot = document.querySelector('[class*="st-key-live-chart-reward"] .js-plotly-plot');
        const place = plot?.data?.findIndex((trace) => trace.name === "mean of training episodes") ?? -1;
        return place >= 0 && plot.calcdata?.[place]?.length >= least;
    }"""
    page.wait_for_function(poll, arg=at_least)
    return rewards_drawn(page)


def import_config(page, server, upload):
    """Hand a file to the Configure page, which is opened for it."""
    visit(page, server, CONFIGURE)
    page.locator(".st-key-configure-import summary").click()
    page.locator(".st-key-configure-import-file input[type=file]").set_input_files(upload)
    expect(page.locator(".st-key-configure-import-outcome .langmarl-message")).to_be_visible()


def start_on_train_page(page):
    """From the Configure page to the Train page, and start what was configured."""
    go(page, TRAIN)
    press(page, "train-start")
    expect(page.locator(".st-key-train-started")).to_be_visible()
