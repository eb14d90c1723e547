import os
import signal
import subprocess
import sys
import zipfile

import pytest

from tests.dashboard.conftest import ROOT
from tests.dashboard.serving import Serving


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from this checkout."""
    pytest.importorskip("hatchling", reason="the wheel is built with hatchling, of the extra 'dev'")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", str(ROOT), "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "-w", str(folder)], check=True, capture_output=True, timeout=110)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A folder with nothing but what the wheel brings."""
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "install", str(wheel), "--no-deps", "--no-index", "--target", str(target)]
    subprocess.run(command, check=True, capture_output=True, timeout=110)
    return target


def _content(wheel, name):
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(name).decode("utf-8")


def test_the_wheel_carries_the_settings_of_the_checkout(wheel):
    settings = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    assert _content(wheel, "dashboard/.streamlit/config.toml") == settings


def test_the_wheel_carries_every_page_and_no_folder_called_pages(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for script in (ROOT / "pages").glob("*.py"):
        assert f"dashboard/page_scripts/{script.name}" in names
    assert not [name for name in names if name.startswith(("pages/", "dashboard/pages/"))]


def test_the_wheel_carries_the_ready_configs(wheel):
    for config in (ROOT / "configs").rglob("*.json"):
        name = f"dashboard/ready_configs/{config.relative_to(ROOT / 'configs').as_posix()}"
        assert _content(wheel, name) == config.read_text(encoding="utf-8")


_DRAW = """
import sys
from pathlib import Path
import dashboard, langmarl
from streamlit.testing.v1 import AppTest
here = Path(dashboard.__file__).resolve()
app = AppTest.from_file(str(here.parent / "app.py"), default_timeout=60).run()
assert not app.exception, app.exception
app.button(key="runs-quickstart").click().run()
assert not app.exception, app.exception
from dashboard import context
from dashboard.navigation import scripts_folder
print(here, scripts_folder(), *context.store().run_ids())
context.supervisor().close(30)
"""


def test_the_installed_wheel_draws_its_pages_and_runs_the_quickstart(installed, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(installed), "LANGMARL_EXPERIMENTS": str(tmp_path / "experiments")}
    done = subprocess.run(
        [sys.executable, "-P", "-c", _DRAW], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=110
    )
    assert done.returncode == 0, done.stderr
    assert str(installed) in done.stdout
    assert "page_scripts" in done.stdout
    assert "quickstart_" in done.stdout


def test_the_installed_command_opens_the_dashboard_from_any_directory(installed, tmp_path):
    command = [sys.executable, "-P", "-m", "langmarl", "dashboard", "--no-browser", "--experiments", "my runs"]
    with Serving(tmp_path / "unused", command, {"PYTHONPATH": str(installed)}, cwd=tmp_path) as serving:
        assert b"<title>" in serving.get("/").read()
        assert serving.get_json("/health")["status"] == "ok"
        with pytest.raises(OSError, match="400"):
            serving.get("/", host="evil.example")
        serving.process.send_signal(signal.SIGINT)
        assert serving.process.wait(timeout=30) in (0, 130)
