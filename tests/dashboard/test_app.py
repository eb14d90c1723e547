import ast
import logging
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from dashboard import context, navigation, server
from dashboard.middleware import is_allowed, is_same_origin
from dashboard.settings import names_of, server_settings
from langmarl.errors import UserMistake
from tests.dashboard.conftest import APP, ROOT, open_app, small_config
from tests.dashboard.serving import Serving
from tests.dashboard.waiting import wait_for


@pytest.fixture
def serving(tmp_path):
    with Serving(tmp_path / "experiments") as running:
        yield running


def test_the_first_page_is_runs(experiments):
    app = open_app()
    assert not app.exception
    assert app.title[0].value == "Runs"


def test_looking_does_not_make_the_experiment_folder(experiments):
    open_app()
    assert not experiments.exists()


def test_only_pages_whose_view_is_written_are_in_the_menu():
    shown = [entry.name for entry in navigation.PAGES if navigation.is_shown(entry.name)]
    assert "runs" in shown
    for entry in navigation.PAGES:
        has_view = (
            any((ROOT / "dashboard" / "views").glob(f"{entry.name}.py"))
            or (ROOT / "dashboard" / "views" / entry.name / "__init__.py").is_file()
        )
        assert (entry.name in shown) == has_view
    assert not navigation.is_shown("compare")


def test_every_page_has_a_thin_script():
    for entry in navigation.PAGES:
        text = (navigation.scripts_folder() / f"{entry.name}.py").read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 30
        assert ast.get_docstring(ast.parse(text))


def test_no_module_hides_one_of_pythons_own():
    # Streamlit puts the entry's folder in front of everything that can be imported.
    own = {path.stem for path in (ROOT / "dashboard").iterdir()} | {"page_scripts", "ready_configs"}
    assert not own & sys.stdlib_module_names


def test_an_unknown_page_is_refused():
    with pytest.raises(KeyError, match="compare"):
        navigation.page("compare")


def test_importing_the_entry_outside_a_page_gives_the_server(experiments):
    code = "from dashboard.app import app; print(type(app).__module__)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert "streamlit" in done.stdout


def test_the_settings_keep_the_server_to_this_machine():
    settings = server_settings()
    assert settings["server.address"] == "127.0.0.1"
    assert settings["server.allowedHosts"] == ["127.0.0.1", "localhost"]
    assert settings["browser.gatherUsageStats"] is False
    assert settings["client.showErrorLinks"] is False
    assert settings["server.enableXsrfProtection"] is True


def test_another_host_is_allowed_only_where_it_is_asked_for():
    settings = server_settings("10.1.2.3", 9000, open_browser=False)
    assert settings["server.address"] == "10.1.2.3"
    assert set(settings["server.allowedHosts"]) == {"10.1.2.3", "127.0.0.1", "localhost"}
    assert settings["server.port"] == 9000
    assert settings["server.headless"] is True
    assert "0.0.0.0" not in names_of("0.0.0.0")


def test_behind_a_proxy_it_answers_under_the_proxys_name_and_still_listens_here_only(tmp_path):
    settings = server_settings(public_name="runs.example.com")
    assert settings["server.address"] == "127.0.0.1"
    assert set(settings["server.allowedHosts"]) == {"runs.example.com", "127.0.0.1", "localhost"}
    command = [sys.executable, "-P", "-m", "langmarl", "dashboard", "--no-browser", "--public-name", "runs.example.com"]
    with Serving(tmp_path / "experiments", command) as serving:
        assert serving.get("/health", host="runs.example.com").status == 200
        with pytest.raises(urllib.error.HTTPError):
            serving.get("/health", host="other.example.com")
        assert f"0100007F:{serving.port:04X}" in Path("/proc/net/tcp").read_text(encoding="ascii")


@pytest.mark.parametrize("host", ["localhost", "localhost:8501", "LOCALHOST.", "127.0.0.1:1"])
def test_hosts_of_this_machine_are_allowed(host):
    assert is_allowed(host, ["127.0.0.1", "localhost"])


@pytest.mark.parametrize("host", ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "[", "a@b:c"])
def test_foreign_hosts_are_not(host):
    assert not is_allowed(host, ["127.0.0.1", "localhost"])


@pytest.mark.parametrize(
    "origin",
    ["", "null", "[", "http://evil.example", "http://localhost", "http://localhost:8502", "http://a@localhost:8501",
     "file://localhost:8501", "http://localhost:8501.evil.example"],
)  # fmt: skip
def test_pages_of_other_origins_are_not_the_servers_own(origin):
    assert not is_same_origin(origin, "localhost:8501")
    assert is_same_origin("http://localhost:8501", "localhost:8501")
    assert is_same_origin("https://dashboard.example.com", "Dashboard.example.com")


def test_host_patterns_are_read_as_streamlit_reads_them():
    assert is_allowed("a.example.com", ["*.example.com"])
    assert not is_allowed("example.com", ["*.example.com"])
    assert is_allowed("anything", ["*"])
    assert is_allowed("anything", [])
    assert is_allowed("[::1]:8501", ["::1"])


def test_the_server_tells_how_it_is_serves_pages_and_refuses_foreign_hosts(serving):
    assert serving.get_json("/health") == {"status": "ok", "running": 0, "queued": 0}
    assert serving.get("/").status == 200
    for path in ("/", "/health", "/_stcore/health", "/_stcore/host-config"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            serving.get(path, host="evil.example")
        assert refused.value.code == 400


def test_it_listens_on_this_machine_only(serving):
    table = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()
    listening = [row.split()[1] for row in table if row.split()[3] == "0A"]
    assert f"0100007F:{serving.port:04X}" in listening
    assert f"00000000:{serving.port:04X}" not in listening


def test_a_fault_in_a_page_is_told_without_its_text(monkeypatch):
    shown = []
    monkeypatch.setattr(server, "show_message", lambda *arguments, **more: shown.append((arguments, more)))
    assert server.report_script_error(ValueError("![x](http://evil.example/secret)")) is True
    assert "ValueError" in str(shown)
    assert "evil" not in str(shown)


def test_a_message_is_logged_once_however_often_it_comes():
    once = server.OnceOnly()
    records = [logging.makeLogRecord({"msg": "%s is damaged", "args": (name,)}) for name in ("a", "a", "b")]
    assert [once.filter(record) for record in records] == [True, False, True]


def test_whoever_is_not_logged_in_sees_a_login_button_and_no_run(small_run):
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.secrets["auth"] = {"redirect_uri": "http://localhost/oauth2callback", "cookie_secret": "x", "client_id": "y"}
    app.run()
    assert not app.exception
    assert [button.label for button in app.button] == ["Log in"]
    assert not app.dataframe


def test_ending_the_server_ends_its_supervisors(experiments):
    begun = context.supervisor()
    server.close_supervisors()
    with pytest.raises(UserMistake, match="stopped"):
        begun.start(small_config(), "token")


def test_the_server_ends_when_asked(serving):
    serving.process.terminate()
    wait_for(lambda: serving.process.poll() is not None, "the server has ended", 30)


def test_a_browser_that_went_to_sleep_does_not_hold_up_the_servers_end(serving):
    with serving.stall(f"/static/js/{largest_script().name}"):
        serving.process.terminate()
        wait_for(lambda: serving.process.poll() is not None, "the server has ended", 30)


def largest_script():
    scripts = Path(streamlit.__file__).with_name("static").rglob("*.js")
    return max(scripts, key=lambda path: path.stat().st_size)
