"""How quick the dashboard is with a year's worth of runs: 1,000 of them, one with 1,000 iterations × 50 episodes.

They are written through the store's own writer, not trained. Then, in Chromium: the time from the click in the menu to
a readable page (its charts drawn), for every page with the long run chosen, at rest and while two runs train in the
server; the time until a finished iteration is seen on the Live page; the server's memory; the server's processor time
for one look at a run in which nothing changed.

Writing takes some minutes and a gigabyte; --store keeps what was written for the next time.

Usage: python benchmarks/dashboard.py [--store FOLDER] [--runs 1000] [--iterations 1000] [--episodes 50] [--json]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # before this folder, whose dashboard.py is no package

from playwright.sync_api import Browser, sync_playwright

from benchmarks.dashboard_parts.browsing import PageTimes, TickCounter, open_page, page_times, seconds_until
from benchmarks.dashboard_parts.server import MeasuredServer
from benchmarks.dashboard_parts.store import Size, WrittenStore, commit_next_iteration, written_store
from langmarl.store import LocalStore, RunDirectory
from tests.browser.chromium import launch

GOALS = {"page_s": 1.5, "iteration_visible_s": 2.0, "memory_mib": 400.0, "tick_ms": 20.0}
_TICKS_OVER_S = 20


def measure(store: WrittenStore, size: Size, repeats: int) -> dict[str, Any]:
    """Every figure."""
    with MeasuredServer(store.folder) as server, _chromium() as browser:
        page = open_page(browser, server, store.long_run)
        at_rest = page_times(page, repeats)
        _report(f"pages at rest: {_plain(at_rest)}")
        page.context.close()
        tick_ms = _tick_ms(browser, server, store.long_run)
        tick_at_work_ms = _tick_at_work_ms(browser, server, store)
        visible = _iteration_visible(browser, server, store, size.episodes, repeats)
        memory = server.resident_mib()
        _resume(browser, server, store.training_runs)
        page = open_page(browser, server, store.long_run)
        in_training = page_times(page, repeats)
        page.context.close()
        return {
            "pages_at_rest": _plain(at_rest),
            "pages_while_two_runs_train": _plain(in_training),
            "iteration_visible_s": visible,
            "memory_mib": memory,
            "memory_while_two_runs_train_mib": server.resident_mib(),
            "memory_peak_mib": server.peak_mib(),
            "tick_ms": tick_ms,
            "tick_at_work_ms": tick_at_work_ms,
            "goals": GOALS,
        }


@contextlib.contextmanager
def _chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


def _tick_ms(browser: Browser, server: MeasuredServer, run_id: str) -> float:
    """Processor time of the server for one look at a run that does not change, the browser's messages included."""
    page = browser.new_context().new_page()
    counter = TickCounter(page)
    page.goto(f"{server.url}/live?run={run_id}")
    page.wait_for_timeout(5000)
    ticks, used = counter.ticks, server.cpu_s()
    page.wait_for_timeout(1000 * _TICKS_OVER_S)
    per_tick = (server.cpu_s() - used) / max(1, counter.ticks - ticks)
    page.context.close()
    return 1000 * per_tick


def _tick_at_work_ms(browser: Browser, server: MeasuredServer, store: WrittenStore) -> float:
    """The same while somebody works on the run, who has nothing new: everything but the charts is sent again."""
    run = LocalStore(store.folder).run(store.long_run)
    with run.acquire(), _running(run):
        return _tick_ms(browser, server, store.long_run)


@contextlib.contextmanager
def _running(run: RunDirectory) -> Iterator[None]:
    run.write_state("running")
    yield
    run.write_state("stopped", "asked to stop", "Resume it to go on.")


def _iteration_visible(
    browser: Browser, server: MeasuredServer, store: WrittenStore, episodes: int, repeats: int
) -> float:
    """Median seconds from the moment an iteration of the long run is finished until the Live page says so."""
    run = LocalStore(store.folder).run(store.long_run)
    seconds = []
    with run.acquire(), _running(run):
        page = open_page(browser, server, store.long_run)
        for _ in range(repeats):
            done = commit_next_iteration(run, episodes) + 1
            seconds.append(seconds_until(page, f"{done} of "))
        page.context.close()
    return statistics.median(seconds)


def _resume(browser: Browser, server: MeasuredServer, run_ids: list[str]) -> None:
    """Let runs train in the server, as a person would."""
    page = browser.new_context().new_page()
    for run_id in run_ids:
        page.goto(f"{server.url}/live?run={run_id}")
        page.locator(".st-key-live-resume button").first.click()
        page.locator(".st-key-live-stop button").first.wait_for()
        time.sleep(1)
    page.context.close()


def _plain(times: dict[str, PageTimes]) -> dict[str, dict[str, float]]:
    return {name: {"median_s": each.median, "first_s": each.first} for name, each in times.items()}


def print_table(figures: dict[str, Any]) -> None:
    """The figures beside their goals."""
    print(f"{'figure':44}{'measured':>12}{'goal':>10}")
    for kind in ("pages_at_rest", "pages_while_two_runs_train"):
        for name, each in figures[kind].items():
            words = f"{name}, {kind.removeprefix('pages_').replace('_', ' ')}"
            print(f"{words:44}{each['median_s']:>10.2f} s{GOALS['page_s']:>8} s  (first {each['first_s']:.2f} s)")
    for name, unit in (("iteration_visible_s", "s"), ("memory_mib", "MiB"), ("tick_ms", "ms")):
        print(f"{name:44}{figures[name]:>10.2f} {unit}{GOALS[name]:>8} {unit}")
    print(f"{'tick while somebody works on the run':44}{figures['tick_at_work_ms']:>10.2f} ms")
    print(f"{'memory while two runs train':44}{figures['memory_while_two_runs_train_mib']:>10.2f} MiB")


def main() -> None:
    """Write, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, help="keep what is written in this folder, and use it the next time")
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--episodes", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    size = Size(options.runs, options.iterations, options.episodes)
    with tempfile.TemporaryDirectory(prefix="langmarl-benchmark-") as temporary:
        store = written_store(options.store or Path(temporary) / "experiments", size, _report)
        figures = measure(store, size, options.repeats)
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        print_table(figures)


def _report(words: str) -> None:
    print(words, file=sys.stderr)


if __name__ == "__main__":
    main()
