"""Starting, stopping and resuming runs from the browser, from several tabs, and beside the shell."""

import contextlib
import json
import subprocess
import sys

from playwright.sync_api import expect

from langmarl.store import LocalStore
from tests.browser.configs import as_upload, long_config, offline_config
from tests.browser.pages import (
    CONFIGURE,
    LIVE,
    RUNS,
    TRAIN,
    button,
    expect_state,
    expect_title,
    go,
    import_config,
    press,
    start_on_train_page,
    visit,
    wait_for_rewards,
)
from tests.dashboard.waiting import wait_for


def test_an_imported_config_is_corrected_started_stopped_and_resumed(page, server):
    config = long_config()
    config["num_iteration"] = config.pop("num_iterations")
    import_config(page, server, as_upload(config))
    expect(page.locator(".st-key-configure-unknown .langmarl-fault")).to_contain_text("num_iteration:")
    press(page, "configure-unknown-0-rename")
    expect(page.get_by_text("This config can run.")).to_be_visible()
    start_on_train_page(page)

    page.locator(".st-key-train-started").get_by_role("link").click()
    expect_title(page, LIVE)
    wait_for_rewards(page, at_least=1)
    press(page, "live-stop")
    expect_state(page, "stopped")
    before = _only_run(server).iterations_done()
    press(page, "live-resume")
    expect_state(page, "running")
    wait_for_rewards(page, at_least=before + 1)  # seen on the page: it goes on, and its buttons are those of now
    press(page, "live-stop")
    expect_state(page, "stopped")


def test_a_pasted_config_with_a_fault_is_refused_as_a_whole_and_taken_once_it_is_mended(page, server):
    visit(page, server, CONFIGURE)
    page.locator(".st-key-configure-import summary").click()
    box = page.locator(".st-key-configure-import-text textarea")
    outcome = page.locator(".st-key-configure-import-outcome")
    text = json.dumps(offline_config(exp_name="pasted"))
    box.fill(text[:-1])
    press(page, "configure-import-paste")
    expect(outcome).to_contain_text("Nothing was imported")
    expect(page.locator(".st-key-configure-exp_name input")).to_have_value("experiment")
    box.fill(text)
    press(page, "configure-import-paste")
    expect(outcome).to_contain_text("Imported")
    expect(page.locator(".st-key-configure-exp_name input")).to_have_value("pasted")


@contextlib.contextmanager
def _shell(server, *arguments):
    """A run that a shell works on while the block lasts, and until it ends by itself."""
    command = [sys.executable, "-P", "-m", "langmarl", *arguments]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    shell = subprocess.Popen(command, cwd=server.cwd, env=server.environment, **quiet)
    try:
        yield
        shell.wait(timeout=60)
    finally:
        shell.kill()
        shell.wait()


def test_a_run_from_the_shell_is_shown_live_stopped_from_the_page_and_followed_when_it_goes_on(page, server):
    file = server.cwd / "shell.json"
    file.write_text(json.dumps(long_config(exp_name="shell")), encoding="utf-8")
    visit(page, server, RUNS)
    expect(page.locator(".st-key-runs-quickstart")).to_be_visible()
    with _shell(server, "train", str(file)):
        expect(page.locator(".st-key-runs-details")).to_contain_text("running")
        visit(page, server, LIVE, run="latest")
        expect_state(page, "outside this dashboard")
        wait_for_rewards(page, at_least=1)
        press(page, "live-stop")
        expect_state(page, "stopped")
    assert _only_run(server).state().state == "stopped"

    before = _only_run(server).iterations_done()
    with _shell(server, "train", str(file)):  # nothing is pressed on the page
        expect_state(page, "outside this dashboard")
        wait_for_rewards(page, at_least=before + 1)
        press(page, "live-stop")
        expect_state(page, "stopped")


def test_a_double_click_on_start_starts_one_run(page, server):
    import_config(page, server, as_upload(offline_config()))
    go(page, TRAIN)
    button(page, "train-start").dblclick()
    expect(page.locator(".st-key-train-started")).to_be_visible()
    wait_for(lambda: _only_run(server).state().state == "completed", "the run ends")
    assert len(server.run_ids()) == 1


def test_start_pressed_in_two_tabs_starts_one_run(server, make_context):
    context = make_context(server)
    tabs = [context.new_page(), context.new_page()]
    for tab in tabs:
        import_config(tab, server, as_upload(long_config()))
        go(tab, TRAIN)
        expect(button(tab, "train-start")).to_be_enabled()
    for tab in tabs:
        button(tab, "train-start").dispatch_event("click")
    for tab in tabs:
        expect(tab.locator("[class*=st-key-train-working-]")).to_have_count(1)
    assert len(server.run_ids()) == 1


def test_a_double_click_on_the_quickstart_starts_one_run(page, server):
    visit(page, server, RUNS)
    button(page, "runs-quickstart").dblclick()
    expect_title(page, LIVE)
    expect_state(page, "running", "completed")
    assert len(server.run_ids()) == 1


def test_a_third_run_waits_in_the_queue_and_can_be_taken_out(page, server):
    for number in range(3):
        import_config(page, server, as_upload(long_config(exp_name=f"number_{number}")))
        start_on_train_page(page)
    waiting = page.locator("[class*=st-key-train-working-number_2]")
    expect(waiting).to_contain_text("number 1 in the queue")
    waiting.get_by_role("button", name="Stop").click()
    expect(page.locator("[class*=st-key-train-ended-number_2]")).to_contain_text("stopped")


def _only_run(server):
    (run_id,) = server.run_ids()
    return LocalStore(server.experiments).run(run_id)
