"""An experiment folder of its own for each test, with real runs in it, and the app as Streamlit's own test runs it."""

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import context
from langmarl.config import load_config
from langmarl.trainer import make_trainer

ROOT = Path(__file__).resolve().parents[2]
APP = ROOT / "dashboard" / "app.py"


@pytest.fixture
def experiments(tmp_path, monkeypatch):
    """An experiment folder that does not exist yet; what the test left running there is ended with it."""
    folder = tmp_path / "experiments"
    monkeypatch.setenv(context.EXPERIMENTS_VARIABLE, str(folder))
    yield folder
    for supervisor in context.existing_supervisors():
        supervisor.close(timeout_s=20)


@pytest.fixture
def small_run(experiments):
    """A finished run of two iterations, trained with the offline model; its id."""
    return train_small(experiments)


@pytest.fixture(scope="session")
def trained_folder(tmp_path_factory):
    """An experiment folder with one run as in ``small_run``, trained once."""
    folder = tmp_path_factory.mktemp("trained")
    train_small(folder)
    return folder


@pytest.fixture
def finished_run(experiments, trained_folder):
    """A copy of one finished run, to look at or to damage; its id. To go on with a run, use ``small_run``."""
    shutil.copytree(trained_folder, experiments, ignore=shutil.ignore_patterns("index.db*", ".lock"))
    return next(path.parent.name for path in experiments.glob("*/run.json"))


def small_config(**settings):
    """The shipped quickstart, made smaller."""
    return load_config(
        ROOT / "configs" / "quickstart.json",
        {"num_iterations": 2, "trajectories_per_iteration": 3, "seed": 3, **settings},
    )


def train_small(experiments, **settings):
    """Train a small run in this process; its id."""
    trainer = make_trainer(small_config(experiment_dir=str(experiments), **settings))
    trainer.log_to_console = False
    return trainer.train(fresh=True)["run_id"]


def open_app(**parameters):
    """The app at its first page, with these parameters in the address."""
    app = AppTest.from_file(str(APP), default_timeout=60)
    for name, value in parameters.items():
        app.query_params[name] = value
    return app.run()


def html_of(app):
    """Everything that was drawn as HTML, in one text."""
    return "\n".join(element.proto.body for element in app.get("html"))
