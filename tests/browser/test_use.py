"""How it is to use: by keyboard, in the dark, from page to page; and what the server answers to whom."""

import http.client
import urllib.error

import pytest
from playwright.sync_api import expect

from tests.browser.configs import as_upload, long_config
from tests.browser.pages import (
    CONFIGURE,
    FEEDBACK,
    LIVE,
    MODELS,
    PAGES,
    POLICIES,
    RUNS,
    button,
    expect_content,
    expect_state,
    expect_title,
    go,
    import_config,
    press,
    start_on_train_page,
    visit,
    wait_for_rewards,
)


def _tab_to(page, selector, limit=60):
    """Press Tab until something inside ``selector`` has the focus, as a person without a mouse would."""
    for _ in range(limit):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => !!document.activeElement.closest(selector)", selector):
            return
    raise AssertionError(f"{selector} is not reached by {limit} times Tab")


def _wait_for_looks(page, count):
    """Wait until the Live page has looked at its run so many times, and found it further each time."""
    for _ in range(count):
        before = page.locator(".langmarl-progress").inner_text()
        page.wait_for_function("(old) => document.querySelector('.langmarl-progress')?.innerText !== old", arg=before)


def test_a_run_is_started_watched_and_stopped_by_keyboard(page, server):
    visit(page, server, RUNS)
    expect(button(page, "runs-quickstart")).to_be_visible()
    _tab_to(page, ".st-key-runs-quickstart")
    page.keyboard.press("Enter")
    expect_title(page, LIVE)
    expect_state(page, "completed")
    _tab_to(page, ".st-key-live-links")
    page.keyboard.press("Enter")
    expect_content(page, POLICIES)


def test_a_config_is_started_and_stopped_by_keyboard(page, server):
    visit(page, server, CONFIGURE)
    field = page.locator(".st-key-configure-num_iterations input")
    field.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("5000")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-configure-json")).to_contain_text("5000")
    _tab_to(page, ".st-key-configure-to-train", limit=200)
    page.keyboard.press("Enter")
    expect(button(page, "train-start")).to_be_enabled()
    _tab_to(page, ".st-key-train-start", limit=100)
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-train-started")).to_be_visible()
    _tab_to(page, ".st-key-train-started", limit=100)
    page.keyboard.press("Enter")
    expect_title(page, LIVE)
    expect_state(page, "running")
    _tab_to(page, ".st-key-live-stop")
    page.keyboard.press("Enter")
    expect_state(page, "stopped")


def test_nothing_that_was_typed_or_chosen_is_lost_between_pages(finished):
    visit(finished, finished.server, CONFIGURE)
    name = finished.locator(".st-key-configure-exp_name input")
    name.fill("typed_by_hand")
    name.press("Enter")
    expect(finished.locator(".st-key-configure-json")).to_contain_text("typed_by_hand")
    go(finished, FEEDBACK)
    words = finished.locator(".st-key-feedback-words input")
    words.fill("passage")
    words.press("Enter")
    expect(finished.get_by_text("episodes pass the filters")).to_be_visible()
    go(finished, POLICIES)
    finished.locator(".st-key-policies-layout").get_by_text("Inline", exact=True).click()
    go(finished, RUNS)
    found = finished.locator(".st-key-runs-filter input")
    found.fill("finished")
    found.press("Enter")

    go(finished, CONFIGURE)
    expect(name).to_have_value("typed_by_hand")
    go(finished, FEEDBACK)
    expect(words).to_have_value("passage")
    go(finished, POLICIES)
    expect(finished.locator(".st-key-policies-layout").get_by_role("radio", name="Inline")).to_be_checked()
    go(finished, RUNS)
    expect(found).to_have_value("finished")


def test_a_typed_config_survives_a_refresh(finished):
    visit(finished, finished.server, CONFIGURE)
    name = finished.locator(".st-key-configure-exp_name input")
    name.fill("still_there")
    name.press("Enter")
    expect(finished.locator(".st-key-configure-json")).to_contain_text("still_there")
    finished.reload()
    expect(name).to_have_value("still_there")


def test_the_live_page_keeps_its_place_and_a_paused_chart_its_zoom(page, server):
    import_config(page, server, as_upload(long_config()))
    start_on_train_page(page)
    page.locator(".st-key-train-started").get_by_role("link").click()
    wait_for_rewards(page, at_least=2)
    page.get_by_test_id("stMain").evaluate("(main) => main.scrollTo(0, 250)")
    page.locator(".st-key-live-pause label").click()
    _wait_for_looks(page, 3)  # one may be older than the click, and a new chart needs another to replace the old one
    zoom = """() => {
        const plot = document.querySelector('[class*="st-key-live-chart-reward"] .js-plotly-plot');
        return plot._fullLayout.xaxis.range.map((end) => Math.round(end * 100) / 100);
    }"""
    whole = page.evaluate(zoom)
    chart = page.locator('[class*="st-key-live-chart-reward"] .js-plotly-plot .nsewdrag').first
    box = chart.bounding_box()
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"], steps=4)
    page.mouse.up()
    zoomed = page.evaluate(zoom)
    assert zoomed != whole
    place = page.get_by_test_id("stMain").evaluate("(main) => main.scrollTop")
    _wait_for_looks(page, 2)
    assert page.evaluate(zoom) == zoomed
    assert page.get_by_test_id("stMain").evaluate("(main) => main.scrollTop") == place
    press(page, "live-stop")
    expect_state(page, "stopped")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_follows_the_browsers_light_or_dark(finished_server, make_context, scheme):
    page = make_context(finished_server, color_scheme=scheme).new_page()
    visit(page, finished_server, LIVE, run="latest")
    for place in PAGES:
        go(page, place)
        expect_content(page, place)
        brightness = """(element) => {
            const style = getComputedStyle(element);
            const parts = (color) => color.match(/[0-9.]+/g).slice(0, 3).map(Number);
            const mean = (color) => parts(color).reduce((sum, each) => sum + each, 0) / 3;
            const background = getComputedStyle(document.querySelector(".stApp")).backgroundColor;
            return {text: mean(style.color), background: mean(background)};
        }"""
        seen = page.locator("h1").first.evaluate(brightness)
        lighter, darker = ("background", "text") if scheme == "light" else ("text", "background")
        assert seen[lighter] - seen[darker] > 128


def test_pages_fit_a_narrow_laptop_without_scrolling_sideways(finished):
    visit(finished, finished.server, LIVE, run="latest")
    for place in PAGES:
        go(finished, place)
        expect_content(finished, place)
        overflow = finished.get_by_test_id("stMain").evaluate("(main) => main.scrollWidth - main.clientWidth")
        assert overflow <= 0, place.title


def test_a_foreign_host_header_is_refused(finished_server):
    for path in ("/", "/live", "/health", "/_stcore/health"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            finished_server.get(path, host="evil.example")
        assert refused.value.code == 400


def test_a_websocket_from_a_foreign_page_is_refused(finished_server):
    for host, origin in (("evil.example", "http://evil.example"), (finished_server.origin, "http://evil.example")):
        connection = http.client.HTTPConnection("127.0.0.1", finished_server.port, timeout=20)
        headers = {
            "Host": host,
            "Origin": origin,
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        }
        connection.request("GET", "/_stcore/stream", headers=headers)
        assert connection.getresponse().status in (400, 403)
        connection.close()


def test_the_models_page_makes_a_test_call_without_a_network(finished):
    visit(finished, finished.server, MODELS)
    box = finished.locator(".st-key-models-test-model").get_by_role("combobox")
    box.fill("offline")
    box.press("Enter")
    press(finished, "models-test-call")
    expect(finished.locator(".st-key-models-test")).to_contain_text("answered after")
