"""A real server in a process of its own, and a real Chromium that looks at it.

Servers and the browser are shared by the tests of one process; every test has an empty profile. A page that asks any
other host for anything, or in which a script fails, fails its test.
"""

import pytest

from tests.browser import chromium
from tests.browser.serving import Dashboard
from tests.dashboard.conftest import train_small


@pytest.fixture(scope="session")
def browser():
    try:
        from playwright.sync_api import expect, sync_playwright
    except ImportError:
        chromium.unavailable("Playwright is not installed; pip install -e '.[dev]' brings it")
    expect.set_options(timeout=chromium.PATIENCE_MS)
    with sync_playwright() as playwright:
        started = chromium.launch(playwright)
        yield started
        started.close()


@pytest.fixture
def make_context(browser):
    """Opens browser contexts (empty profiles) for a server; at the end, looks at what their pages did."""
    opened = []

    def make(server, **settings):
        context = browser.new_context(viewport={"width": 1280, "height": 900}, **settings)
        context.set_default_timeout(chromium.PATIENCE_MS)
        opened.append((context, chromium.Traffic(context), server))
        return context

    yield make
    for context, _, _ in opened:
        context.close()
    for _, traffic, server in opened:
        assert traffic.foreign(server.origin) == []
        assert traffic.page_errors == []


@pytest.fixture(scope="session")
def finished_server(tmp_path_factory):
    """A server whose folder holds one finished run and one that was stopped; nothing changes them."""
    folder = tmp_path_factory.mktemp("finished")
    with Dashboard(folder) as server:
        server.run_id = train_small(server.experiments, exp_name="finished", eval_tasks=4)
        yield server


@pytest.fixture
def finished(finished_server, make_context):
    """A page on :func:`finished_server`, not opened yet."""
    page = make_context(finished_server).new_page()
    page.server = finished_server
    return page


@pytest.fixture
def server(tmp_path):
    """A server of the test's own, with nothing in its folder."""
    with Dashboard(tmp_path) as started:
        yield started


@pytest.fixture
def page(server, make_context):
    """A page on :func:`server`, not opened yet."""
    return make_context(server).new_page()
