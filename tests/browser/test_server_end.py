"""The server's end in the middle of a run: what was finished is kept, and the run can go on."""

from playwright.sync_api import expect

from langmarl.store import LocalStore
from tests.browser.configs import as_upload, long_config, offline_config
from tests.browser.pages import (
    LIVE,
    RUNS,
    expect_content,
    expect_state,
    import_config,
    press,
    start_on_train_page,
    visit,
)
from tests.dashboard.conftest import train_small
from tests.dashboard.waiting import wait_for


def test_a_killed_server_leaves_an_interrupted_run_which_resume_completes(page, server):
    config = offline_config(num_iterations=40, exp_name="killed")
    import_config(page, server, as_upload(config))
    start_on_train_page(page)
    run = _wait_for_iterations(server, 2)
    server.kill()
    done = run.iterations_done()
    assert 2 <= done < 40
    server.restart()
    visit(page, server, LIVE, run=run.run_id)
    expect_state(page, "interrupted")
    press(page, "live-resume")
    expect_state(page, "completed")
    expect_content(page, LIVE)
    assert run.iterations_done() == 40
    assert [row["iteration"] for row in run.metrics.iterations()] == list(range(40))


def test_a_page_that_stayed_open_comes_back_with_the_server_and_shows_what_is_new(page, server):
    visit(page, server, RUNS)
    expect(page.locator(".st-key-runs-quickstart")).to_be_visible()
    server.kill()
    run_id = train_small(server.experiments, trajectories_per_iteration=2)
    server.restart()
    expect(page.locator(".st-key-runs-details")).to_contain_text(run_id)
    page.locator(".st-key-runs-links").get_by_role("link", name="Live").click()
    expect_state(page, "completed")


def test_a_server_that_is_asked_to_end_leaves_its_runs_in_a_safe_state(page, server):
    for number in range(3):
        import_config(page, server, as_upload(long_config(exp_name=f"number_{number}")))
        start_on_train_page(page)
    _wait_for_iterations(server, 1)
    server.terminate()
    runs = [LocalStore(server.experiments).run(run_id) for run_id in server.run_ids()]
    states = {run.manifest.exp_name: run.state().state for run in runs}
    assert states["number_2"] == "interrupted"
    assert {states["number_0"], states["number_1"]} <= {"stopped", "interrupted"}
    assert all(run.owner is None for run in runs)
    for run in runs[:2]:
        assert run.metrics.read().totals["calls"] > 0

    server.restart()
    visit(page, server, LIVE, run=runs[0].run_id)
    press(page, "live-resume")
    expect_state(page, "running")


def _wait_for_iterations(server, count):
    run = LocalStore(server.experiments).run(server.run_ids()[0])
    wait_for(lambda: run.iterations_done() >= count, f"{count} iterations are done")
    return run
