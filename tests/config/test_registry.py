from __future__ import annotations

import sys

import pytest

from langmarl.config import BaseConfig, LanguageTaskConfig, load_config, registry
from langmarl.errors import ConfigError, UnknownNameError


@pytest.fixture(autouse=True)
def _own_registry(monkeypatch):
    monkeypatch.setattr(registry, "_classes", dict(registry._classes))


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a package that names environments, as pip would leave it on the path."""

    def write(name: str, source: str, points: dict[str, str]) -> None:
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
        lines = [f"{env} = {target}" for env, target in points.items()]
        (info / "entry_points.txt").write_text("\n".join(["[langmarl.envs]", *lines]) + "\n", encoding="utf-8")

    monkeypatch.syspath_prepend(str(tmp_path))
    yield write
    for name in ("plugin_good", "plugin_broken"):
        sys.modules.pop(name, None)


GOOD = """
from langmarl.config import BaseConfig

class GoodConfig(BaseConfig):
    env: str = "good"
    rounds: int = 3

class Good:
    config_class = GoodConfig
"""


def test_a_registered_class_reads_its_files(tmp_path):
    class Mine(BaseConfig):
        env: str = "mine"
        rounds: int = 3

    registry.register_config("mine", Mine)
    path = tmp_path / "config.json"
    path.write_text('{"env": "mine", "rounds": 7}', encoding="utf-8")
    config = load_config(path)
    assert isinstance(config, Mine)
    assert config.rounds == 7


def test_language_is_known_from_the_start():
    assert registry.config_class("language") is LanguageTaskConfig


def test_an_installed_environment_is_found_by_its_name(install):
    install("plugin_good", GOOD, {"good": "plugin_good:Good"})
    assert registry.config_class("good").__name__ == "GoodConfig"


@pytest.mark.parametrize("error", ["RuntimeError", "SystemExit"])
def test_a_broken_package_does_not_keep_the_others_from_working(install, error):
    install("plugin_broken", f"raise {error}(5)", {"broken": "plugin_broken:Broken"})
    install("plugin_good", GOOD, {"good": "plugin_good:Good"})
    with pytest.raises(UnknownNameError) as caught:
        registry.config_class("elsewhere")
    assert {"broken", "good", "language"} <= set(caught.value.known)
    assert registry.config_class("good").__name__ == "GoodConfig"


def test_an_unknown_environment_lists_the_known_ones(tmp_path):
    path = tmp_path / "config.json"
    path.write_text('{"env": "languag"}', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"must be one of .*language.*Did you mean 'language'"):
        load_config(path)
