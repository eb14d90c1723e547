import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from dashboard import trust
from dashboard.forecast import forecast
from dashboard.preflight import models_in_use, preflight, probe_key
from dashboard.preflight import test_call as call_model
from langmarl.config import BaseConfig, LanguageTaskConfig, LLMConfig
from langmarl.envs.base import BaseEnvironment
from langmarl.errors import UserMistake
from langmarl.llm.probe import ProbeResult
from tests.dashboard.registering import register_for_test

REPLY = b"""{"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [{"index": 0,
"finish_reason": "stop", "message": {"role": "assistant", "content": "ok"}}],
"usage": {"prompt_tokens": 9, "completion_tokens": 1,
"total_tokens": 10}}"""


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch, experiments):
    monkeypatch.setenv(trust.HOME_VARIABLE, str(tmp_path / "home"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


@pytest.fixture
def endpoint():
    """A server that answers, and remembers the headers of each request."""
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            seen.append(self.headers.get("Authorization"))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(REPLY)))
            self.end_headers()
            self.wfile.write(REPLY)

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.seen = seen
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def config(**settings):
    return LanguageTaskConfig(**{"llm": "offline", **settings})


def checks(config, imported=False, **more):
    return {check.key: check for check in preflight(config, imported=imported, **more).checks}


def test_the_offline_model_is_ready_at_once():
    found = preflight(config(), imported=True)
    assert found.is_ready
    assert {check.state for check in found.checks} == {"ok"}


def test_a_missing_key_is_a_problem_with_a_remedy(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    check = checks(config(llm="gpt-4o"))["key-0"]
    assert check.blocks
    assert "OPENAI_API_KEY" in check.detail
    assert check.remedy


def test_a_key_that_is_there_is_named_and_never_shown(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "planted-secret")
    found = checks(config(llm="gpt-4o"))
    assert found["key"].detail == "set: OPENAI_API_KEY"
    assert "planted" not in str(found)


def test_an_endpoint_is_not_known_to_answer_before_a_test_call():
    model = {"model_string": "m", "base_url": "http://127.0.0.1:1/v1"}
    found = preflight(config(llm=model), imported=False)
    check = next(each for each in found.checks if each.key == "answers-0")
    assert check.state == "open"
    assert found.is_ready


def test_a_test_call_shows_that_the_endpoint_answers(endpoint):
    model = LLMConfig(model_string="m", base_url=f"http://127.0.0.1:{endpoint.server_port}/v1", local=True)
    result = call_model(model)
    assert isinstance(result, ProbeResult)
    check = checks(config(llm=model), probes={probe_key(model): result})["answers-0"]
    assert check.state == "ok"
    assert "$0" in check.detail


def test_a_test_call_that_fails_says_why_and_blocks():
    model = LLMConfig(model_string="m", base_url="http://127.0.0.1:1/v1", local=True)
    result = call_model(model)
    assert isinstance(result, str)
    assert checks(config(llm=model), probes={probe_key(model): result})["answers-0"].blocks


def test_no_request_is_made_with_a_key_before_the_user_consents(endpoint, monkeypatch):
    monkeypatch.setenv("MY_SECRET", "planted-secret")
    # No loopback address by name, though it leads to this computer.
    address = f"http://0.0.0.0:{endpoint.server_port}/v1"
    model = LLMConfig(model_string="m", base_url=address, api_key_env_var="MY_SECRET")
    assert "confirm first" in str(call_model(model))
    assert endpoint.seen == []
    found = preflight(config(llm=model, max_total_tokens=9), imported=True)
    assert not found.is_ready
    trust.confirm(found.endpoints[0])
    assert isinstance(call_model(model), ProbeResult)
    assert endpoint.seen == ["Bearer planted-secret"]
    assert preflight(config(llm=model, max_total_tokens=9), imported=True).is_ready


def test_paths_are_asked_about_only_where_somebody_else_may_have_named_them(tmp_path):
    (tmp_path / "tasks.jsonl").write_text('{"id": "1", "problem": "1 + 1", "answer": "2"}\n', encoding="utf-8")
    settings = {"benchmark_path": "../tasks.jsonl", "task_type": "math"}
    assert checks(config(**settings))["benchmark"].state == "ok"
    found = checks(config(**settings), imported=True)
    assert found["path-0"].state == "question"
    assert found["benchmark"].state == "open"  # not even looked at
    trust.allow_path("../tasks.jsonl")
    assert checks(config(**settings), imported=True)["benchmark"].state == "ok"


def test_a_benchmark_that_cannot_be_read_is_a_problem_that_quotes_nothing(tmp_path):
    (tmp_path / "work" / "tasks.jsonl").write_text("secret content, no JSON\n", encoding="utf-8")
    check = checks(config(benchmark_path="tasks.jsonl"), imported=True)["benchmark"]
    assert check.blocks
    assert "secret" not in check.detail
    assert check.remedy


def test_a_benchmark_is_read_again_when_it_changes(tmp_path):
    file = tmp_path / "work" / "tasks.jsonl"
    row = '{"problem": "%s", "answer": "2"}\n'
    file.write_text(row % "one", encoding="utf-8")
    settings = {"benchmark_path": "tasks.jsonl", "task_type": "math"}
    assert "1 task" in checks(config(**settings))["benchmark"].detail
    file.write_text(row % "one" + row % "two", encoding="utf-8")
    assert "2 tasks" in checks(config(**settings))["benchmark"].detail


def test_code_needs_a_sandbox():
    assert "sandbox" in checks(config(task_type="coding"))
    assert "sandbox" not in checks(config(task_type="qa"))


def test_a_model_that_costs_should_have_a_limit(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    without = checks(config(llm="gpt-4o"))["budget"]
    assert (without.state, without.blocks) == ("open", False)
    assert "max_cost_usd" in without.remedy
    low = config(llm="gpt-4o", max_cost_usd=0.01)
    assert checks(low, forecast=forecast(low, {}))["budget"].state == "open"
    high = config(llm="gpt-4o", max_cost_usd=1000)
    assert checks(high, forecast=forecast(high, {}))["budget"].state == "ok"


def test_a_folder_that_cannot_be_made_is_a_problem(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("LANGMARL_EXPERIMENTS", str(tmp_path / "file" / "experiments"))
    assert checks(config())["folder"].blocks


def test_one_model_in_several_roles_is_tried_once():
    (used,) = models_in_use(config())
    assert len(used.roles) == 3
    assert len(models_in_use(config(critic_llm="ollama"))) == 2


def test_an_environment_that_cannot_be_built_says_why(monkeypatch):
    class NarrowConfig(BaseConfig):
        env: str = "narrow"

    class Narrow(BaseEnvironment):
        config_class = NarrowConfig

        def __init__(self, config):
            raise UserMistake("there is no display", "Start one.")

        def sample_tasks(self, n):
            return []

    register_for_test(monkeypatch, "narrow", Narrow)
    check = checks(NarrowConfig(llm="offline"))["environment"]
    assert (check.state, check.detail, check.remedy) == ("problem", "there is no display", "Start one.")


def test_a_path_that_is_no_benchmark_is_refused_without_a_walk_through_the_file_system():
    config = LanguageTaskConfig(llm="offline", benchmark_path="/")
    (check,) = [each for each in preflight(config, imported=False).checks if each.key == "benchmark"]
    assert check.state == "problem"
    assert "more than is read" in check.detail or "deeper than is read" in check.detail
