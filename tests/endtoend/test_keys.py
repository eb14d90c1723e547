"""Keys planted wherever people put them, whatever goes wrong then: none is written to a file or shown."""

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from dashboard import context, navigation, trust
from dashboard.navigation import scripts_folder
from langmarl.store import LocalStore
from tests.cli.shell import PROJECT, QUICKSTART, end_of, scrubbed_environment
from tests.dashboard.conftest import open_app
from tests.llm.server import Answer, ScriptedServer, completion

KEYS = {
    "environment": "planted-environment-4711-aaaa",
    "dotenv": "planted-dotenv-4711-bbbb",
    "inline": "planted-inline-4711-cccc",
    "password": "planted-password-4711-dddd",
    "query": "planted-query-4711-eeee",
    "misplaced": "sk-planted-misplaced-4711-ffff",
}
NOWHERE = "http://127.0.0.1:9/v1"  # the discard port; nothing listens


def echo(status):
    """Answers that repeat the key they were called with, as some gateways do."""

    def answer(request):
        words = f"refused: {request.headers.get('authorization')}"
        return Answer(status, json.dumps({"error": {"message": words}}).encode(), {"X-Echo": words, "Retry-After": "0"})

    return answer


def repeat(request):
    return completion(f"I was called with {request.headers.get('authorization')}")


class Planted:
    """A working directory with keys in it, and everything that commands printed there."""

    def __init__(self, folder):
        self.folder = folder
        self.printed = {}
        (folder / ".env").write_text(f"DOTENV_KEY={KEYS['dotenv']}\n", encoding="utf-8")

    def config(self, name, **llm):
        """A config file; its own text is the user's and is not searched."""
        settings = json.loads(QUICKSTART.read_text(encoding="utf-8"))
        model = {"model_string": "m", "max_retries": 0, "request_timeout_s": 20, "local": True, **llm}
        settings.update(exp_name=name, num_iterations=1, trajectories_per_iteration=2, llm=model)
        (self.folder / f"{name}.config.json").write_text(json.dumps(settings), encoding="utf-8")
        return f"{name}.config.json"

    def run(self, *arguments):
        """Run a command that finds the keys; its exit code."""
        environment = scrubbed_environment(self.folder, ENV_KEY=KEYS["environment"], PYTHONPATH=str(PROJECT))
        del environment["LANGMARL_NO_DOTENV"]
        ended = end_of(run_here(self.folder, environment, *arguments))
        self.printed[" ".join(map(str, arguments))] = ended.out + ended.err
        return ended.code

    def leaks(self):
        """Files, and commands by their arguments, that hold a planted key."""
        written = [path for path in self.folder.rglob("*") if path.is_file() and not self._is_users_own(path)]
        found = [str(path.relative_to(self.folder)) for path in written if holds_key(path.read_bytes())]
        return found + [command for command, text in self.printed.items() if holds_key(text.encode())]

    def _is_users_own(self, path):
        return path.name == ".env" or path.name.endswith(".config.json")


def run_here(folder, environment, *arguments):
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-m", "langmarl", *map(str, arguments)]
    return subprocess.Popen(command, cwd=folder, env=environment, encoding="utf-8", **pipes)


def holds_key(content):
    """Whether any planted key is in these bytes, also without its beginning or its end."""
    return any(key[3:-3].encode() in content for key in KEYS.values())


@pytest.fixture
def server():
    running = ScriptedServer()
    yield running
    running.close()


@pytest.fixture
def planted(tmp_path):
    return Planted(tmp_path)


def test_no_key_is_written_or_printed_however_a_run_fails(planted, server, monkeypatch):
    for name, variable, answer in (
        ("refused", "ENV_KEY", echo(401)),
        ("broken", "DOTENV_KEY", echo(500)),
        ("garbled", "DOTENV_KEY", lambda request: Answer(200, f"oops {request.headers['authorization']}".encode())),
        ("repeated", "ENV_KEY", repeat),
    ):
        server.otherwise = answer
        config = planted.config(name, base_url=server.base_url, api_key_env_var=variable)
        planted.run("train", config, "--override", "log_level=DEBUG")
    server.otherwise = repeat
    planted.run("train", planted.config("inline", base_url=server.base_url, api_key=KEYS["inline"]))
    assert planted.run("train", planted.config("unreachable", base_url=NOWHERE, api_key_env_var="ENV_KEY")) != 0

    sent = {request.headers.get("authorization") for request in server.received}
    assert sent == {f"Bearer {KEYS[name]}" for name in ("environment", "dotenv", "inline")}  # they were used
    runs = {path.name.split("_2")[0] for path in (planted.folder / "experiments").iterdir() if path.is_dir()}
    assert {"refused", "broken", "garbled", "repeated", "inline", "unreachable"} <= runs
    for command in (("runs",), ("show", "latest"), ("models",), ("index", "--rebuild")):
        assert planted.run(*command) == 0
    assert planted.leaks() == []
    assert pages_that_show_a_key(planted.folder, monkeypatch) == []
    assert planted.leaks() == []


def pages_that_show_a_key(folder, monkeypatch):
    """Titles of the dashboard's pages that show a planted key in anything they send to the browser."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv(trust.HOME_VARIABLE, str(folder / "home"))
    monkeypatch.setenv(context.EXPERIMENTS_VARIABLE, str(folder / "experiments"))
    monkeypatch.setenv("ENV_KEY", KEYS["environment"])
    shown = []
    run_ids = LocalStore(folder / "experiments").run_ids()
    assert len(run_ids) >= 6
    for run_id in run_ids:
        app = open_app(run=run_id)
        assert run_id in sent_to_browser(app)
        for entry in navigation.PAGES if run_id == run_ids[0] else (navigation.page_entry("live"),):
            app.switch_page(str(scripts_folder() / f"{entry.name}.py")).run()
            assert not app.exception
            if holds_key(sent_to_browser(app).encode()):
                shown.append((run_id, entry.title))
    return shown


def sent_to_browser(app):
    """Everything that a page sends: each element as it is, whatever its kind."""
    return "\n".join(_protos(app._tree))


def _protos(block):
    for child in block.children.values():
        if hasattr(child, "children"):
            yield str(getattr(child, "proto", ""))
            yield from _protos(child)
        else:
            yield str(child.proto)


MISTAKES = {
    "a password in the address": {"base_url": f"https://me:{KEYS['password']}@gateway.example/v1"},
    "a key in the address's query": {"base_url": f"https://gateway.example/v1?key={KEYS['query']}"},
    "a key for a variable's name": {"base_url": NOWHERE, "api_key_env_var": KEYS["misplaced"]},
    "a key under another name": {"base_url": NOWHERE, "apikey": KEYS["misplaced"]},
    "a key as the field's name": {"base_url": NOWHERE, KEYS["misplaced"]: 1},
    "a key in a header": {"base_url": NOWHERE, "extra_params": {"authorization": f"Bearer {KEYS['misplaced']}"}},
    "a key beside another mistake": {"base_url": NOWHERE, "api_key": KEYS["inline"], "max_tokens": "many"},
    "a list of keys": {"base_url": NOWHERE, "api_key": [KEYS["inline"]]},
    "a key as the model": KEYS["misplaced"],
}


@pytest.fixture
def quietly(tmp_path, monkeypatch, capsys, caplog):
    """Runs the command within this process; its exit code and everything it printed or logged."""
    from langmarl.cli import main

    monkeypatch.chdir(tmp_path)
    caplog.set_level(logging.DEBUG)

    def run(*arguments):
        monkeypatch.setattr("sys.argv", ["langmarl", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return int(ended.value.code or 0), printed.out + printed.err + caplog.text

    return run


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_without_the_key_in_it(name, quietly, planted):
    model = MISTAKES[name]
    settings = json.loads(QUICKSTART.read_text(encoding="utf-8"))
    model = model if isinstance(model, str) else {"model_string": "m", **model}
    settings.update(exp_name="mistaken", llm=model)
    Path("a.config.json").write_text(json.dumps(settings), encoding="utf-8")
    code, told = quietly("train", "a.config.json")
    assert code == 2
    assert "llm" in told
    assert not holds_key(told.encode())
    assert planted.leaks() == []


@pytest.mark.parametrize(
    "override",
    [
        f"llm.api_key={KEYS['inline']}",
        f"llm.api_kye={KEYS['misplaced']}",
        f"llm.api_key_env_var={KEYS['misplaced']}",
        f"llm.base_url=https://me:{KEYS['password']}@gateway.example/v1",
        f"api_key={KEYS['misplaced']}",
        f"{KEYS['misplaced']}",
        f"{KEYS['misplaced']}=1",
        f"num_agents={KEYS['misplaced']}",
    ],
)
def test_an_override_with_a_key_is_refused_without_it(override, quietly, planted):
    code, told = quietly("train", QUICKSTART, "--override", override, "max_workers=0")
    assert code == 2
    assert not holds_key(told.encode())
    assert planted.leaks() == []


def test_a_file_that_is_no_json_is_told_without_its_text(quietly, planted):
    Path("a.config.json").write_text(f'{{"llm": {{"api_key": "{KEYS["inline"]}",', encoding="utf-8")
    code, told = quietly("train", "a.config.json")
    assert code == 2
    assert not holds_key(told.encode())
    assert planted.leaks() == []


@pytest.mark.parametrize("name", MISTAKES)
def test_an_import_is_told_without_the_key_in_it(name, tmp_path, monkeypatch, experiments_of):
    model = MISTAKES[name]
    app = open_app().switch_page(str(scripts_folder() / "configure.py")).run()
    app.text_area(key="configure-import-text").set_value(json.dumps({"llm": model}))
    app = app.button(key="configure-import-paste").click().run()
    assert not app.exception
    for entry in navigation.PAGES:
        assert not holds_key(without_own_words(app).encode()), entry.title
        app.switch_page(str(scripts_folder() / f"{entry.name}.py")).run()
        assert not app.exception


@pytest.fixture
def experiments_of(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(trust.HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.setenv(context.EXPERIMENTS_VARIABLE, str(tmp_path / "experiments"))


def without_own_words(app):
    """What a page sends, save the box into which the text was pasted."""
    return "\n".join(text for text in _protos(app._tree) if "configure-import-text" not in text)
