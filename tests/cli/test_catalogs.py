from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from langmarl import list_available_models
from langmarl.cli.app import app
from tests.cli.shell import Result, scrubbed_environment

Command = Callable[..., Result]

COMMANDS = [str(command.name) for command in (*app.registered_commands, *app.registered_groups)]


def test_models_lists_every_preset_whole_when_piped(langmarl: Command) -> None:
    header, *rows = (line.split("\t") for line in langmarl("models").out.splitlines())

    assert [row[0] for row in rows] == list(list_available_models())
    assert all(len(row) == len(header) for row in rows)
    offline = dict(zip(header, rows[0], strict=True))
    assert (offline["preset"], offline["$/M in"], offline["key"]) == ("offline", "0", "not needed")


def test_models_tell_whether_a_key_is_set_and_never_the_key(langmarl: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
    as_json, as_table = langmarl("models", "--json"), langmarl("models")

    by_name = {row["name"]: row for row in as_json.json}
    assert by_name["gpt-5-mini"]["key_set"] is True
    assert by_name["gpt-5-mini"]["input_price_per_million"] > 0
    assert by_name["offline"]["key_set"] is None
    assert by_name[_other_key(by_name)]["key_set"] is False
    assert "planted" not in as_json.out + as_table.out + as_table.err


def _other_key(by_name: dict[str, dict[str, object]]) -> str:
    return next(name for name, row in by_name.items() if row["api_key_env_var"] not in (None, "OPENAI_API_KEY"))


def test_an_unknown_price_is_called_unknown(langmarl: Command) -> None:
    unpriced = {row["name"] for row in langmarl("models", "--json").json if row["input_price_per_million"] is None}
    header, *rows = (line.split("\t") for line in langmarl("models").out.splitlines())

    shown = {row[0] for row in rows if row[header.index("$/M in")] == "unknown"}
    assert shown == unpriced


def test_envs_lists_built_in_and_imported_environments(tmp_path: Path, langmarl: Command) -> None:
    (tmp_path / "counting.py").write_text(PLUGIN, encoding="utf-8")
    result = langmarl("envs", "--import", "counting")

    rows = {row[0]: row[2] for row in (line.split("\t") for line in result.out.splitlines())}
    assert "task_type" in rows["language"]
    assert rows["counting"] == "highest"
    assert langmarl("envs", "--json").json[0].keys() == {"name", "config", "settings"}


PLUGIN = """
from langmarl import BaseConfig, BaseEnvironment, Trajectory, register_env


class CountingConfig(BaseConfig):
    highest: int = 10


@register_env("counting")
class Counting(BaseEnvironment):
    config_class = CountingConfig

    def sample_tasks(self, n):
        return [{} for _ in range(n)]

    def collect_trajectory(self, policies, task):
        return Trajectory(task, [], 1.0)
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(command: str, langmarl: Command) -> None:
    result = langmarl(command, "--help")

    assert result.code == 0
    assert f"langmarl {command}" in result.out.partition("Example")[2]
    assert "\x08" not in result.out


def test_the_list_of_commands_is_complete_and_uncut(langmarl: Command) -> None:
    result = langmarl("-h")

    assert {
        "train",
        "resume",
        "runs",
        "show",
        "diff",
        "stop",
        "export",
        "models",
        "envs",
        "index",
        "serve-offline",
    } <= {*COMMANDS}
    assert all(f"  {command} " in result.out for command in COMMANDS)
    assert "..." not in result.out.partition("Commands:")[2]


def test_the_documentation_names_every_command_and_exit_code() -> None:
    text = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")

    assert all(f"langmarl {command}" in text for command in COMMANDS)
    assert all(f"| {code} |" in text for code in (0, 2, 3, 4, 130))


@pytest.mark.parametrize("command", [("--help",), ("models",), ("show", "latest")])
def test_what_a_command_does_not_need_is_not_imported(command: tuple[str, ...], tmp_path: Path) -> None:
    program = (
        "import sys; from langmarl.cli.app import _run; _run(); "
        "print(*({'streamlit', 'plotly', 'sympy', 'math_verify', 'uvicorn'} & sys.modules.keys()), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, *command],
        cwd=tmp_path,
        env=scrubbed_environment(tmp_path),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )

    assert result.stderr.splitlines()[-1] == ""
