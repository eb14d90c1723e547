"""What a person at the browser waits for, measured in Chromium."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass

from playwright.sync_api import Browser, Page, WebSocket

from benchmarks.dashboard_parts.server import MeasuredServer
from tests.browser.pages import PAGES
from tests.browser.pages import Page as Place

PATIENCE_MS = 60_000

_SHOWN = """([title, selectors]) => {
    const heading = [...document.querySelectorAll("h1")].some((each) => each.innerText === title);
    const isThere = (element) => element.offsetParent !== null || element.getClientRects().length > 0;
    return heading && selectors.every((selector) => {
        const found = document.querySelector(selector);
        return found && !found.closest('[data-stale="true"]') && isThere(found);
    });
}"""
"""Whether a page is readable: its heading, and everything that only it has, its charts drawn."""


@dataclass(frozen=True, slots=True)
class PageTimes:
    """How long a page took from the click to readable, in seconds.

    Attributes:
        first: The first time in this tab.
        median: Of the times after it.
    """

    first: float
    median: float


def open_page(browser: Browser, server: MeasuredServer, run_id: str) -> Page:
    """A new tab that looks at a run, so that each page of the menu shows that run."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{server.url}/live?run={run_id}")
    live = next(place for place in PAGES if place.title == "Live")
    wait_until_readable(page, live)
    return page


def wait_until_readable(page: Page, place: Place) -> None:
    """Wait for a page's heading and content; looked at with every frame that the browser draws."""
    page.wait_for_function(_SHOWN, arg=[place.title, list(place.content)], polling="raf")


def page_times(page: Page, repeats: int) -> dict[str, PageTimes]:
    """Walk through the menu again and again, and time each page from the click."""
    seconds: dict[str, list[float]] = {place.title: [] for place in PAGES}
    for _ in range(repeats + 1):
        for place in PAGES:
            link = page.get_by_test_id("stSidebarNavLink").filter(has_text=place.title)
            began = time.perf_counter()
            link.click()
            wait_until_readable(page, place)
            seconds[place.title].append(time.perf_counter() - began)
            page.wait_for_timeout(300)
    return {name: PageTimes(times[0], statistics.median(times[1:])) for name, times in seconds.items()}


def seconds_until(page: Page, text: str) -> float:
    """How long it takes until a text is seen on the page, in seconds."""
    began = time.perf_counter()
    page.wait_for_function("(text) => document.body.innerText.includes(text)", arg=text, polling="raf")
    return time.perf_counter() - began


class TickCounter:
    """Counts the looks that a page takes at a run by itself: each is one message to the server.

    Args:
        page: A page that has not been opened yet.
    """

    def __init__(self, page: Page) -> None:
        self.ticks = 0
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", self._count)

    def _count(self, _payload: object) -> None:
        self.ticks += 1
