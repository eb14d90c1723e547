import json
import stat
from pathlib import Path

import pytest
from pydantic import Field

from dashboard import trust
from dashboard.trust import KeyUse
from langmarl.config import BaseConfig, LanguageTaskConfig, LLMConfig
from langmarl.errors import UserMistake
from langmarl.store import LocalStore
from tests.dashboard.conftest import train_small


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A home for confirmations, and a working directory, of the test's own."""
    place = tmp_path / "home"
    monkeypatch.setenv(trust.HOME_VARIABLE, str(place))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return place


def llm(base_url=None, variable="OPENAI_API_KEY", **more):
    return LLMConfig(model_string="m", base_url=base_url, api_key_env_var=variable, **more)


def asked(model):
    return trust.unconfirmed_use(model)


# keys


@pytest.mark.parametrize(
    "model",
    [
        LLMConfig.from_preset("gpt-4o"),
        LLMConfig.from_preset("gemini-2.5-flash"),
        LLMConfig.from_preset("offline"),
        llm(None),
        llm("https://api.openai.com/v1"),
        llm("https://API.OpenAI.com:443/v1/"),
        llm("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
        llm("http://localhost:8000/v1", "ANY_SECRET"),
        llm("http://127.0.0.1:1/v1", "ANY_SECRET"),
        llm("http://[::1]:1/v1", "ANY_SECRET"),
        llm("https://example.com/v1", None),
    ],
)
def test_keys_that_a_preset_sends_there_and_endpoints_of_this_computer_need_no_consent(model):
    assert asked(model) is None


@pytest.mark.parametrize(
    "model",
    [
        LLMConfig.from_preset("gpt-4o", base_url="https://evil.example/v1"),
        LLMConfig.from_preset("gpt-4o", api_key_env_var="GEMINI_API_KEY"),
        LLMConfig.from_preset("ollama", base_url="http://10.0.0.7:11434/v1", api_key_env_var="OPENAI_API_KEY"),
        llm("https://evil.example/v1"),
        llm("http://api.openai.com/v1"),
        llm("https://api.openai.com:8443/v1"),
        llm("https://api.openai.com/v2"),
        llm("https://api.openai.com/v1/../../x"),
        llm("https://api.openai.com.evil.example/v1"),
        llm("https://аpi.openai.com/v1"),
        llm("https://localhost.evil.example/v1"),
        llm("http://0.0.0.0:1/v1"),
        llm("https://api.together.xyz/v1", "OPENAI_API_KEY"),
        llm(None, "AWS_SECRET_ACCESS_KEY"),
    ],
)
def test_any_other_pair_of_key_and_endpoint_needs_consent(model):
    assert asked(model) is not None


def test_the_question_says_why_and_shows_look_alike_letters():
    use = asked(llm("https://аpi.openai.com/v1"))
    assert use.host.startswith("xn--")
    assert "no preset sends the key in OPENAI_API_KEY" in use.why
    assert "no preset uses the variable AWS_SECRET" in asked(llm(None, "AWS_SECRET")).why


def test_a_confirmation_holds_for_this_key_at_this_endpoint_only():
    trust.confirm(asked(llm("https://mine.example/v1")))
    assert asked(llm("https://mine.example/v1/")) is None
    assert asked(llm("https://MINE.example/v1")) is None
    assert asked(llm("https://mine.example/v1", "GEMINI_API_KEY")) is not None
    assert asked(llm("https://mine.example/v2")) is not None
    assert asked(llm("https://other.example/v1")) is not None


def test_a_confirmation_can_be_withdrawn():
    use = asked(llm("https://mine.example/v1"))
    trust.confirm(use)
    trust.confirm(asked(llm("https://second.example/v1")))
    trust.withdraw(use)
    assert asked(llm("https://mine.example/v1")) is not None
    assert trust.confirmed_endpoints() == [KeyUse("https://second.example/v1", "OPENAI_API_KEY")]


def test_confirmations_are_kept_for_the_user_and_hold_no_key(home, monkeypatch):
    monkeypatch.setenv("MY_KEY", "planted-secret-value")
    trust.confirm(asked(llm("https://mine.example/v1", "MY_KEY")))
    text = (home / "confirmed_endpoints.json").read_text(encoding="utf-8")
    assert json.loads(text)["endpoints"][0]["key_variable"] == "MY_KEY"
    assert "planted" not in text
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"endpoints": 3}', '{"endpoints": [{"base_url": 1}]}', '{"paths": {}}']
)
def test_a_damaged_file_confirms_nothing_and_can_be_written_again(home, content):
    home.mkdir()
    (home / "confirmed_endpoints.json").write_text(content, encoding="utf-8")
    use = asked(llm("https://mine.example/v1"))
    assert use is not None
    assert trust.allowed_paths() == []
    trust.confirm(use)
    assert asked(llm("https://mine.example/v1")) is None


def test_without_a_home_of_its_own_the_users_config_folder_is_used(monkeypatch, tmp_path):
    monkeypatch.delenv(trust.HOME_VARIABLE)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    trust.confirm(KeyUse("https://mine.example/v1", "K"))
    assert (tmp_path / "xdg" / "langmarl" / "confirmed_endpoints.json").is_file()


def test_a_home_that_cannot_be_written_is_a_mistake_with_a_remedy(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv(trust.HOME_VARIABLE, str(tmp_path / "file"))
    with pytest.raises(UserMistake, match="LANGMARL_CONFIG_HOME"):
        trust.confirm(KeyUse("https://mine.example/v1", "K"))


def test_every_model_of_a_config_is_looked_at_wherever_it_is():
    class Team(BaseConfig):
        helpers: dict[str, LLMConfig] = Field(default_factory=dict)
        more: list[LLMConfig] = Field(default_factory=list)

    config = Team(
        llm="offline",
        helpers={"a": llm("https://a.example/v1")},
        more=[llm("https://b.example/v1"), llm("https://b.example/v1/")],
    )
    assert [use.base_url for use in trust.unconfirmed_endpoints(config)] == [
        "https://a.example/v1",
        "https://b.example/v1",
    ]


# paths


def faults(**settings):
    return {fault.field: fault.message for fault in trust.path_faults(LanguageTaskConfig(llm="offline", **settings))}


def test_paths_inside_the_working_directory_need_no_consent(tmp_path):
    (tmp_path / "work" / "data").mkdir()
    inside = {
        "benchmark_path": "data/tasks.jsonl",
        "prompts_dir": str(tmp_path / "work" / "prompts"),
        "checkpoint_dir": "./checkpoints",
    }
    assert faults(**inside) == {}
    assert faults(benchmark_path="data/../data") == {}
    assert faults() == {}


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../other.jsonl",
        "data/../../other.jsonl",
        "~/tasks.jsonl",
        "~root/x",
        ".env",
        "./.ssh/id",
        "a/.b/c",
    ],
)
def test_paths_that_leave_it_or_name_a_dotfile_need_consent(path):
    assert set(faults(benchmark_path=path)) == {"benchmark_path"}
    assert set(faults(prompts_dir=path)) == {"prompts_dir"}
    assert set(faults(checkpoint_dir=path)) == {"checkpoint_dir"}


def test_symbolic_links_are_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "tasks.jsonl").write_text("secret content", encoding="utf-8")
    work = tmp_path / "work"
    (work / "file.jsonl").symlink_to(outside / "tasks.jsonl")
    (work / "folder").mkdir()
    (work / "folder" / "inner.jsonl").symlink_to(outside / "tasks.jsonl")
    (work / "hidden").symlink_to(work / ".git")
    (work / "loop").symlink_to(work / "loop")
    for path in ("file.jsonl", "folder", "hidden", "loop"):
        found = faults(benchmark_path=path)
        assert set(found) == {"benchmark_path"}, path
        assert "secret" not in found["benchmark_path"]


def test_a_link_that_stays_inside_is_fine(tmp_path):
    work = tmp_path / "work"
    (work / "real").mkdir()
    (work / "link").symlink_to(work / "real")
    assert faults(benchmark_path="link") == {}


def test_an_allowed_path_is_allowed_as_what_it_is_now(tmp_path):
    outside, work = tmp_path / "outside", tmp_path / "work"
    outside.mkdir()
    (work / "link").symlink_to(outside)
    trust.allow_path("link")
    assert faults(benchmark_path="link") == {}
    assert faults(benchmark_path=str(outside)) == {}
    (work / "link").unlink()
    (work / "link").symlink_to(tmp_path)
    assert set(faults(benchmark_path="link")) == {"benchmark_path"}


def test_a_name_that_no_file_can_have_cannot_be_allowed():
    config = LanguageTaskConfig(llm="offline").model_copy(update={"benchmark_path": "a\0b"})  # past its validation
    (question,) = trust.path_questions(config)
    assert not question.can_be_allowed


def test_settings_of_plugins_are_looked_at_too():
    class Plugin(BaseConfig):
        rom_file: str = "rom.bin"
        layout: str = "/etc/shadow"
        options: dict[str, str] = Field(default_factory=dict)

    config = Plugin(rom_file="../rom.bin", options={"log_dir": "/var/log"})
    assert {fault.field for fault in trust.path_faults(config)} == {"rom_file", "layout", "options.log_dir"}


def test_the_folder_of_runs_counts_as_inside_for_what_is_written_there(experiments):
    assert faults(experiment_dir=str(experiments), checkpoint_dir=str(experiments / "kept")) == {}
    assert set(faults(benchmark_path=str(experiments / "x.jsonl"))) == {"benchmark_path"}


# runs


def test_a_run_of_ones_own_can_be_resumed(experiments):
    run = LocalStore(experiments).run(train_small(experiments, num_iterations=1))
    trust.require_run(run)


def test_a_run_directory_from_elsewhere_is_refused_until_confirmed(experiments):
    run = LocalStore(experiments).run(train_small(experiments, num_iterations=1))
    data = json.loads(run.layout.config.read_text(encoding="utf-8"))
    data["llm"] = {"model_string": "m", "base_url": "https://evil.example/v1", "api_key_env_var": "OPENAI_API_KEY"}
    data["benchmark_path"] = "/etc/passwd"
    run.layout.config.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(UserMistake, match=r"evil\.example") as caught:
        trust.require_run(run)
    assert "Train page" in caught.value.remedy
    trust.confirm(KeyUse("https://evil.example/v1", "OPENAI_API_KEY"))
    with pytest.raises(UserMistake, match="benchmark_path"):
        trust.require_run(run)
    trust.allow_path("/etc/passwd")
    trust.require_run(run)


def test_a_manifest_that_puts_checkpoints_elsewhere_needs_consent(experiments, tmp_path):
    run = LocalStore(experiments).run(train_small(experiments, num_iterations=1))
    data = json.loads(run.layout.manifest.read_text(encoding="utf-8"))
    data["checkpoint_dir"] = str(tmp_path / "elsewhere")
    run.layout.manifest.write_text(json.dumps(data), encoding="utf-8")
    assert [question.field for question in trust.run_path_questions(run)] == ["checkpoint_dir"]


def test_nothing_is_written_by_asking(home):
    asked(llm("https://mine.example/v1"))
    faults(benchmark_path="/etc/passwd")
    assert not home.exists()
    assert list(Path.cwd().iterdir()) == []


def test_a_model_file_elsewhere_needs_consent(tmp_path):
    (question,) = trust.path_questions(LanguageTaskConfig(llm="local:/somewhere/else.gguf"))
    assert (question.field, question.text) == ("llm.model_string", "/somewhere/else.gguf")
    assert trust.path_questions(LanguageTaskConfig(llm="local:models/mine.gguf")) == []
    assert trust.path_questions(LanguageTaskConfig(llm="local-qwen2.5-coder-0.5b")) == []


def test_models_and_settings_inside_lists_and_objects_are_looked_at_too():
    class Inner(BaseConfig):
        log_file: str = "../elsewhere.log"

    class Team(BaseConfig):
        helpers: dict[str, LLMConfig] = Field(default_factory=dict)
        more: list[LLMConfig] = Field(default_factory=list)
        parts: list[Inner] = Field(default_factory=list)

    gguf = LLMConfig.model_validate("local:/somewhere/else.gguf")
    found = {
        question.field for question in trust.path_questions(Team(helpers={"a": gguf}, more=[gguf], parts=[Inner()]))
    }
    assert found == {"helpers.a.model_string", "more.model_string", "parts.log_file"}


@pytest.mark.parametrize("where", ["run.log", "calls/iter_0009.jsonl", "checkpoints/iter_0001", "loop"])
def test_a_run_directory_with_a_link_out_of_it_is_not_gone_on_with(experiments, tmp_path, where):
    run = LocalStore(experiments).run(train_small(experiments, num_iterations=1))
    outside = tmp_path / "outside"
    outside.write_text("secret content", encoding="utf-8")
    place = run.path / where
    if place.is_dir():
        place.rename(place.with_name("moved"))
    place.unlink(missing_ok=True)
    place.symlink_to(place if where == "loop" else outside)
    with pytest.raises(UserMistake, match="symbolic link out of the run directory") as caught:
        trust.require_run(run)
    assert "secret" not in str(caught.value)
    assert outside.read_text(encoding="utf-8") == "secret content"


def test_a_run_directory_with_links_to_its_own_files_is_gone_on_with(experiments):
    run = LocalStore(experiments).run(train_small(experiments, num_iterations=1))
    (run.path / "newest.json").symlink_to("run.json")
    trust.require_run(run)
