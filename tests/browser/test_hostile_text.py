"""Whatever models, files and names say stays text: nothing runs, nothing is fetched, nothing becomes a link."""

import json
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from langmarl.policy import Policy
from langmarl.store import CallKey, CallRecord, Fingerprint, RunDirectory
from langmarl.trajectory import Step, Trajectory
from langmarl.usage import Usage
from tests.browser.hostile import MEGABYTE, Beacon, dangerous_file_name, payload
from tests.browser.pages import (
    CONFIGURE,
    FEEDBACK,
    LIVE,
    MODELS,
    POLICIES,
    RUNS,
    TRAIN,
    expect_no_failure,
    expect_title,
    press,
    visit,
)
from tests.browser.serving import Dashboard
from tests.dashboard.conftest import small_config

_IN_PAGE = """(origin) => {
    const found = [];
    if (window.__pwned !== undefined) found.push("script: " + window.__pwned);
    for (const element of document.querySelectorAll("*")) {
        for (const attribute of element.attributes) {
            const value = attribute.value.trim();
            const loads = ["src", "href", "srcset", "action", "xlink:href"].includes(attribute.name);
            if (loads && (value.includes(origin) || value.startsWith("javascript:")))
                found.push(`${element.tagName} ${attribute.name}=${value}`);
        }
        if (element.classList.contains("katex")) found.push("formula: " + element.textContent);
    }
    return found;
}"""


@pytest.fixture(scope="module")
def beacon():
    with Beacon() as started:
        yield started


@pytest.fixture(scope="module")
def hostile_server(tmp_path_factory, beacon):
    """A server whose folder holds one run in which every text is hostile, and one that cannot be read."""
    folder = tmp_path_factory.mktemp("hostile")
    server = Dashboard(folder)
    server.run_id = _write_hostile_run(server.experiments, beacon)
    _write_broken_run(server.experiments, beacon)
    with server:
        yield server


@pytest.fixture
def hostile(hostile_server, make_context):
    """A page on that server, not opened yet."""
    page = make_context(hostile_server).new_page()
    page.server = hostile_server
    return page


def _write_hostile_run(experiments, beacon):
    config = small_config(exp_name="hostile", num_iterations=3)
    run = RunDirectory.create(experiments, config, Fingerprint.of(config))
    renamed = run.path.with_name(dangerous_file_name(beacon, "directory"))
    run.path.rename(renamed)
    run = RunDirectory.open(renamed)
    agents = [payload(beacon, "agent_1", line_breaks=False)[:60], f"![a](http://{beacon.origin}/agent.png)"]
    with run.acquire():
        run.checkpoints.save_policies(0, dict.fromkeys(agents, "You answer."))
        for iteration in range(2):
            _write_hostile_iteration(run, iteration, agents, beacon)
        run.layout.log.write_text(payload(beacon, "log"), encoding="utf-8")
        run.write_state("failed", payload(beacon, "reason"), payload(beacon, "remedy"))
    data = run.config_data() | {
        "exp_name": payload(beacon, "experiment", line_breaks=False),
        "env": payload(beacon, "environment", line_breaks=False),
        "paradigm": payload(beacon, "paradigm", line_breaks=False),
        "llm": {"model_string": payload(beacon, "model"), "base_url": f"http://{beacon.origin}/v1"},
    }
    run.layout.config.write_text(json.dumps(data), encoding="utf-8")
    manifest = json.loads(run.layout.manifest.read_text(encoding="utf-8"))
    manifest |= {"exp_name": data["exp_name"], "env": data["env"], "run_id": run.run_id}
    run.layout.manifest.write_text(json.dumps(manifest), encoding="utf-8")
    return run.run_id


def _write_hostile_iteration(run, iteration, agents, beacon):
    text = payload(beacon, f"iteration{iteration}")
    for episode in range(3):
        long = text + "A" * MEGABYTE if episode == 0 else text
        task = {"question": text, "answer": text, "id": text}
        steps = [Step(agent, text, long) for agent in agents]
        run.trajectories.save(iteration, episode, Trajectory(task, steps, 0.5, {"note": text, text[:40]: 1.0}))
        assessment = {"credit": -0.5, "feedback": text, "evidence": [0]}
        judged = {agents[0]: assessment, agents[1]: None}
        answer = {"raw_response": long, "paradigm": text, "per_agent": judged, "problem": text}
        run.evaluations.save(iteration, episode, answer)
        note = {"episode": episode, "credit": -0.5, "note": text, "problem": text}
        run.gradients.save(iteration, agents[0], episode, note)
        run.journal.append(_call(iteration, episode, agents[0], text))
    run.trajectories.save_failure(iteration, 3, text, text)
    merged = {"note": text, "problem": None, "episodes": [0, 1, 2]}
    policies = {agent: Policy("You answer.", f"{iteration}\n{text}").text for agent in agents}
    if iteration == 1:
        policies[agents[0]] += "B" * MEGABYTE
    for agent in agents:
        run.gradients.save_merged(iteration, agent, merged)
        update = {"accepted": agent == agents[0], "reason": text, "proposed": text, "policy": policies[agent]}
        run.gradients.save_update(iteration, agent, update)
    stats = {"num_episodes": 3, "avg_reward": 0.5, "min_reward": 0.1, "max_reward": 0.9, "rewards": [0.1, 0.5, 0.9]}
    stats |= {
        "refusals": {agents[1]: text},
        "refused_updates": 1,
        "usage_by_role": {text[:30]: Usage(1, 5, 5).to_dict()},
    }
    run.commit_iteration(iteration, policies, stats)


def _call(iteration, episode, agent, text):
    return CallRecord(
        CallKey("train", "critic", iteration, episode, agent, 0, 0),
        digest="0",
        model=text,
        endpoint=text,
        request={"messages": [{"role": text, "content": text}]},
        reply=None,
        error={"kind": text, "message": text},
        usage=Usage(calls=1, failures=1),
        started_at="2026-01-01T00:00:00+00:00",
        duration_s=1.0,
    )


def _write_broken_run(experiments, beacon):
    """A directory that cannot be read: its name and the complaint about it are shown as well."""
    folder = experiments / dangerous_file_name(beacon, "broken")
    folder.mkdir()
    (folder / "run.json").write_text(payload(beacon, "manifest"), encoding="utf-8")


def _expect_nothing_happened(page, beacon, *, shown=True):
    """Look at what became of the texts; with ``shown``, they must be there to be read."""
    expect_no_failure(page)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    if shown:
        expect(page.get_by_test_id("stMain")).to_contain_text("window.__pwned")
    assert page.evaluate(_IN_PAGE, beacon.origin) == []
    assert beacon.seen == []


@pytest.mark.parametrize("place", [RUNS, LIVE, POLICIES, FEEDBACK, TRAIN, MODELS], ids=lambda place: place.title)
def test_text_from_a_run_stays_text(hostile, beacon, place):
    visit(hostile, hostile.server, place, run="latest")
    visible = {RUNS: ".st-key-runs-details", LIVE: ".langmarl-tiles", POLICIES: ".langmarl-diff", FEEDBACK: "#step-0"}
    expect(hostile.locator(visible.get(place, "h1")).first).to_be_visible()
    _expect_nothing_happened(hostile, beacon, shown=place is not MODELS)


def test_every_view_of_a_policy_shows_text(hostile, beacon):
    for parameters in ({"from": 0, "to": 1}, {"from": 1, "to": 2}):
        visit(hostile, hostile.server, POLICIES, run="latest", **parameters)
        for layout in ("Inline", "Text"):
            hostile.locator(".st-key-policies-layout").get_by_text(layout, exact=True).click()
            expect(hostile.locator(".langmarl-diff, [data-testid=stCode]").first).to_be_visible()
            _expect_nothing_happened(hostile, beacon)


def test_every_stage_of_the_feedback_shows_text(hostile, beacon):
    for episode in (1, 3):
        visit(hostile, hostile.server, FEEDBACK, run="latest", iteration=0, episode=episode)
        for stage in ("Critic", "Gradient", "Merged", "Policy"):
            hostile.locator(".st-key-feedback-stage").get_by_text(stage, exact=True).click()
        for section in ("feedback-task", "feedback-raw", "feedback-calls"):
            found = hostile.locator(f".st-key-{section} summary")
            if found.count():
                found.click()
        expect_title(hostile, FEEDBACK)
        _expect_nothing_happened(hostile, beacon)


def test_a_hostile_config_stays_text_and_sends_no_key(hostile, beacon):
    names = ("exp_name", "env", "task_type", "paradigm", "llm", "actor_llm", "benchmark_path", "initial_policies")
    config = {name: payload(beacon, name) for name in names}
    config[payload(beacon, "unknown", line_breaks=False)] = payload(beacon, "value")
    config["critic_llm"] = {"model_string": "m", "base_url": f"http://{beacon.origin}/v1", "api_key_env_var": "HOME"}
    visit(hostile, hostile.server, CONFIGURE)
    hostile.locator(".st-key-configure-import summary").click()
    content = json.dumps(config).encode()
    upload = {"name": "<img src=x onerror=window.__pwned=1>.json", "mimeType": "application/json", "buffer": content}
    hostile.locator(".st-key-configure-import-file input[type=file]").set_input_files(upload)
    expect(hostile.locator(".st-key-configure-import-outcome .langmarl-message")).to_be_visible()
    _expect_nothing_happened(hostile, beacon)
    for group in hostile.locator("[class*=st-key-configure] details:not([open]) summary").all():
        group.click()
    _expect_nothing_happened(hostile, beacon)
    hostile.get_by_test_id("stSidebarNavLink").filter(has_text="Train").click()
    expect_title(hostile, TRAIN)
    _expect_nothing_happened(hostile, beacon)


def test_a_run_that_asks_for_a_key_is_not_resumed_without_consent(hostile, beacon):
    visit(hostile, hostile.server, LIVE, run="latest")
    press(hostile, "live-resume")
    expect(hostile.get_by_role("alert").first).to_be_visible()
    _expect_nothing_happened(hostile, beacon)


def test_text_in_the_address_stays_text(hostile, beacon):
    for place in (LIVE, POLICIES, FEEDBACK, TRAIN):
        text = f"<img src=x onerror=window.__pwned=1> ![p](http://{beacon.origin}/x.png)"
        hostile.goto(hostile.server.url(f"{place.path}?run={quote(text)}"))
        expect(hostile.get_by_text("There is no run").first).to_be_visible()
        _expect_nothing_happened(hostile, beacon)
