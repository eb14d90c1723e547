"""What is downloaded is what is there, byte for byte."""

import io
import json
import zipfile

from playwright.sync_api import expect

from langmarl.config import load_config
from langmarl.store import LocalStore
from tests.browser.configs import as_upload, offline_config
from tests.browser.pages import CONFIGURE, POLICIES, button, import_config, press, visit


def _download(page, key):
    expect(button(page, key)).to_be_enabled()
    with page.expect_download() as started:
        press(page, key)
    return started.value.path()


def test_an_exported_config_is_the_one_on_the_page_and_survives_a_round_trip(finished):
    config = offline_config(exp_name="round_trip", num_agents=3, max_cost_usd=1.25, critic_llm="gpt-4o-mini")
    import_config(finished, finished.server, as_upload(config))
    exported = _download(finished, "configure-export").read_bytes()
    assert json.loads(exported) == config
    assert json.loads(finished.locator(".st-key-configure-json code").inner_text()) == config

    copy = finished.server.cwd / "exported.json"
    copy.write_bytes(exported)
    assert load_config(copy).num_agents == 3

    import_config(finished, finished.server, {**as_upload({}), "buffer": exported})
    assert _download(finished, "configure-export").read_bytes() == exported


def test_the_starting_config_can_be_exported_and_trained(finished):
    visit(finished, finished.server, CONFIGURE)
    copy = finished.server.cwd / "starting.json"
    copy.write_bytes(_download(finished, "configure-export").read_bytes())
    assert load_config(copy, to_run=True).get_actor_llm().is_offline


def test_downloaded_policies_are_the_checkpoints_bytes(finished):
    visit(finished, finished.server, POLICIES, **{"run": finished.server.run_id, "from": 0, "to": 1})
    folder = LocalStore(finished.server.experiments).run(finished.server.run_id).layout.checkpoints / "iter_0001"
    texts = {path.name: path.read_bytes() for path in folder.glob("*.txt")}
    assert _download(finished, "policies-download-0").read_bytes() == texts["agent_1.txt"]

    archive = zipfile.ZipFile(io.BytesIO(_download(finished, "policies-download-all").read_bytes()))
    stored = {name.rsplit("/", 1)[-1]: archive.read(name) for name in archive.namelist()}
    assert {name: stored.get(name) for name in texts} == texts
