import shutil
import socket

import pytest

from dashboard import trust
from dashboard.context import experiments_dir, store
from dashboard.navigation import scripts_folder
from dashboard.queries.models import model_rows, usage_by_model
from langmarl.config import list_available_models
from langmarl.llm.local.speed import Speed, remember
from langmarl.store.creation import run_folders
from langmarl.usage import Usage
from tests.dashboard.conftest import html_of, open_app, train_small
from tests.dashboard.hostile import HOSTILE, assert_is_only_text, edit_json

KEY = "sk-planted-0123456789"


@pytest.fixture(autouse=True)
def own_settings(monkeypatch, tmp_path):
    monkeypatch.setenv(trust.HOME_VARIABLE, str(tmp_path / "home"))


@pytest.fixture
def free_port():
    """A port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def open_models():
    return open_app().switch_page(str(scripts_folder() / "models.py")).run()


def table(app, column="preset"):
    return next(each.value for each in app.dataframe if column in each.value.columns)


def choose_endpoint(app, address, name="m", variable=""):
    app.selectbox(key="models-test-model").select("another endpoint …").run()
    app.text_input(key="models-test-address").input(address)
    app.text_input(key="models-test-variable").input(variable)
    return app.text_input(key="models-test-name").input(name).run()


def test_every_preset_is_listed_with_price_source_and_key(experiments, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("TOGETHER_API_KEY", raising=False)
    app = open_models()
    assert not app.exception
    listed = table(app)
    assert list(listed["preset"]) == list(list_available_models())
    by_name = listed.set_index("preset")
    assert by_name.loc["offline", "source"] == "local, free"
    assert "not needed" in by_name.loc["offline", "key"]
    assert "🟢" in by_name.loc["gpt-4.1", "key"]
    assert by_name.loc["gpt-4.1", "source"] == "genai-prices"
    assert KEY not in listed.to_csv() + html_of(app)


def test_keys_are_looked_up_anew_each_time(experiments, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert next(row for row in model_rows() if row.preset == "gpt-4.1").key == "not set"
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert next(row for row in model_rows() if row.preset == "gpt-4.1").key == "set"


def test_the_filter_takes_words_of_name_provider_and_variable(experiments, monkeypatch):
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)
    app = open_models()
    app.text_input(key="models-filter").input("deepseek DEEPSEEK_API_KEY").run()
    assert 0 < len(table(app)) < len(list_available_models())
    app.toggle(key="models-usable").set_value(True).run()
    assert "No model fits the filter." in [each.value for each in app.text]


def test_a_test_call_shows_how_long_it_took_and_what_it_cost(experiments):
    app = open_models()
    app.selectbox(key="models-test-model").select("offline").run()
    app.button(key="models-test-call").click().run()
    assert not app.exception
    assert "offline answered after" in html_of(app)
    assert "cost $0" in html_of(app)
    assert app.code[0].value


def test_a_test_call_that_fails_says_what_to_do(experiments, free_port):
    app = choose_endpoint(open_models(), f"http://127.0.0.1:{free_port}/v1")
    app.button(key="models-test-call").click().run()
    assert "Is a server running" in html_of(app)


def test_a_missing_key_is_told_before_and_after_the_call(experiments, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    app = open_models()
    app.selectbox(key="models-test-model").select("gpt-4.1").run()
    assert any("OPENAI_API_KEY is not set" in each.value for each in app.text)
    app.button(key="models-test-call").click().run()
    assert "Set OPENAI_API_KEY" in html_of(app)


def test_a_key_goes_to_another_endpoint_only_after_consent_that_can_be_withdrawn(experiments, monkeypatch):
    monkeypatch.setenv("MY_SECRET", KEY)
    app = choose_endpoint(open_models(), "https://elsewhere.example/v1", variable="MY_SECRET")
    assert app.button(key="models-test-call").disabled
    assert "This would send the key in MY_SECRET to https://elsewhere.example/v1" in html_of(app)
    assert KEY not in html_of(app)
    app.button(key="models-test-allow").click().run()
    assert not app.button(key="models-test-call").disabled
    assert "MY_SECRET → https://elsewhere.example/v1" in html_of(app)
    app.button(key="models-withdraw-0").click().run()
    assert app.button(key="models-test-call").disabled
    assert trust.confirmed_endpoints() == []


def test_an_impossible_endpoint_is_explained(experiments):
    app = choose_endpoint(open_models(), "ftp://elsewhere.example")
    assert not app.exception
    assert "base_url" in html_of(app)
    assert "models-test-call" not in [button.key for button in app.button]


def test_an_endpoint_that_is_not_filled_in_cannot_be_called(experiments):
    app = choose_endpoint(open_models(), "http://127.0.0.1:9/v1", name="")
    assert "models-test-call" not in [button.key for button in app.button]


def test_hostile_answers_and_names_are_only_text(experiments, small_run):
    by_model = {HOSTILE: Usage(calls=1).to_dict()}
    edit_json(store().run(small_run).layout.metrics, lambda data: data["totals"].update(by_model=by_model))
    app = choose_endpoint(open_models(), HOSTILE.replace("\ud800", ""))
    app.toggle(key="models-used").set_value(True).run()
    assert_is_only_text(app, html_of(app))
    assert len(table(app, "calls")) == 1


def test_usage_is_added_up_over_all_runs_that_can_be_read(experiments, small_run):
    second = train_small(experiments)
    totals = [store().run(run_id).metrics.read().totals for run_id in (small_run, second)]
    broken = experiments / "broken"
    shutil.copytree(store().run(small_run).path, broken)
    (broken / "metrics.json").write_text("{", encoding="utf-8")
    (used,) = usage_by_model(run_folders(experiments_dir()))
    assert used.model == "offline"
    assert used.runs == 2
    assert used.usage.calls == sum(each["calls"] for each in totals)
    app = open_models()
    app.toggle(key="models-used").set_value(True).run()
    assert table(app, "calls")["calls"].tolist() == [used.usage.calls]


def test_without_runs_nothing_was_used(experiments):
    app = open_models()
    app.toggle(key="models-used").set_value(True).run()
    assert any("No run has finished" in each.value for each in app.text)


def test_model_files_are_listed_with_their_speed_and_how_to_get_the_others(experiments, monkeypatch, tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    monkeypatch.setenv("LANGMARL_MODELS_DIR", str(folder))
    (folder / "mine.gguf").write_bytes(b"GGUF")
    remember((folder / "mine.gguf").resolve(), Speed(reading=123.4, writing=5.6))
    app = open_models()
    assert not app.exception
    found = table(app, "pull").set_index("file")
    assert found.loc["mine.gguf", "preset"] == f"local:{folder / 'mine.gguf'}"
    assert found.loc["mine.gguf", "reading"] == 123.4
    assert "on disk" in found.loc["mine.gguf", "state"]
    missing = found.loc["qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"]
    assert missing["pull"] == "langmarl models pull qwen2.5-coder-0.5b"
    assert missing["preset"] == "local-qwen2.5-coder-0.5b"


def test_a_folder_of_models_that_cannot_be_listed_is_told(experiments, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("LANGMARL_MODELS_DIR", str(tmp_path / "file"))
    app = open_models()
    assert not app.exception
    assert "cannot be listed" in html_of(app)
