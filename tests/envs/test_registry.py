import sys

import pytest

from langmarl.config import BaseConfig, LanguageTaskConfig
from langmarl.config.registry import config_class
from langmarl.envs import LanguageEnvironment, list_envs, make_env, register_env
from langmarl.errors import UnknownNameError, UserMistake
from tests.envs.sample_plugins import CoinToss


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install a package with entry points, as pip would lay it out."""

    def install(package, code, entry_points):
        (tmp_path / f"{package}.py").write_text(code, encoding="utf-8")
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
        lines = "\n".join(f"{name} = {value}" for name, value in entry_points.items())
        (info / "entry_points.txt").write_text(f"[langmarl.envs]\n{lines}\n", encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, package, raising=False)

    return install


PLUGIN = """
from langmarl.envs import BaseEnvironment
from langmarl.config import BaseConfig

class {name}Config(BaseConfig):
    pass

class {name}(BaseEnvironment):
    config_class = {name}Config
    def sample_tasks(self, n):
        return [{{"n": n}}] * n
"""


def test_language_is_registered():
    assert "language" in list_envs()
    assert isinstance(make_env("language", LanguageTaskConfig(llm="offline")), LanguageEnvironment)
    assert config_class("language") is LanguageTaskConfig


def test_unknown_name_is_a_value_error_that_lists_the_known_ones():
    with pytest.raises(ValueError, match="unknown environment 'langauge'; did you mean 'language'") as caught:
        make_env("langauge", BaseConfig(llm="offline"))
    assert isinstance(caught.value, UnknownNameError)
    assert "language" in caught.value.known


def test_decorated_class_can_be_made_and_its_config_read():
    class TossConfig(BaseConfig):
        """Settings of a toss."""

    @register_env("coin-toss-by-decorator")
    class Toss(CoinToss):
        config_class = TossConfig

    assert isinstance(make_env("coin-toss-by-decorator", TossConfig(llm="offline")), Toss)
    assert config_class("coin-toss-by-decorator") is TossConfig
    assert "coin-toss-by-decorator" in list_envs()


def test_taken_name_is_refused_and_stays_with_its_holder():
    with pytest.raises(UserMistake, match=r"'language' is taken by langmarl\.envs\.language\.environment"):
        register_env("language")(CoinToss)
    assert isinstance(make_env("language", LanguageTaskConfig(llm="offline")), LanguageEnvironment)


def test_same_class_may_register_again_after_a_reload():
    class Toss(CoinToss):
        """Of this test."""

    first = register_env("coin-toss-reloaded")(Toss)
    again = type("Toss", (CoinToss,), {"__qualname__": first.__qualname__, "__module__": first.__module__})
    register_env("coin-toss-reloaded")(again)
    assert type(make_env("coin-toss-reloaded", BaseConfig(llm="offline"))) is again


def test_what_is_no_environment_is_refused():
    with pytest.raises(UserMistake, match="no subclass of BaseEnvironment"):
        register_env("dictionary")(dict)


def test_config_of_another_class_is_refused():
    with pytest.raises(UserMistake, match="reads a LanguageTaskConfig, not a BaseConfig"):
        make_env("language", BaseConfig(llm="offline"))


def test_installed_class_is_found_by_its_entry_point(installed):
    installed("plugin_by_class", PLUGIN.format(name="Maze"), {"maze": "plugin_by_class:Maze"})
    config = config_class("maze")(llm="offline")
    assert type(make_env("maze", config)).__name__ == "Maze"
    assert "maze" in list_envs()


def test_installed_module_registers_by_decorator_when_loaded(installed):
    code = PLUGIN.format(name="Cave") + "\nfrom langmarl.envs import register_env\nregister_env('cave')(Cave)\n"
    installed("plugin_by_module", code, {"caves": "plugin_by_module"})
    assert "cave" in list_envs()


def test_broken_package_costs_the_others_nothing_and_says_why(installed):
    installed("plugin_broken", "import a_module_that_is_not_there\n", {"broken": "plugin_broken:Env"})
    installed("plugin_exits", "raise SystemExit(5)\n", {"exits": "plugin_exits:Env"})
    assert "language" in list_envs()
    assert "broken" not in list_envs()
    with pytest.raises(UserMistake, match="'broken' is installed but cannot be loaded: No module named"):
        make_env("broken", BaseConfig(llm="offline"))


def test_package_that_takes_a_name_is_reported_and_changes_nothing(installed):
    installed("plugin_thief", PLUGIN.format(name="Thief"), {"language": "plugin_thief:Thief"})
    list_envs()
    assert isinstance(make_env("language", LanguageTaskConfig(llm="offline")), LanguageEnvironment)
    assert config_class("language") is LanguageTaskConfig
