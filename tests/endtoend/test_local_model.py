"""A real language model in this process. One processor thread: the tests beside this one need the others."""

import json
import stat
import threading

import httpx2
import pytest

from langmarl import LLMClient, LLMConfig
from langmarl.errors import ModelCallError, ModelRefusedError
from langmarl.llm.endpoint import Endpoint
from langmarl.llm.local.files import models_dir
from langmarl.llm.local.servers import LOG_FILE, SERVERS
from langmarl.llm.local.settings import ServerSettings
from langmarl.llm.local.speed import known_speed
from langmarl.llm.request import JsonSchema
from tests.endtoend.real_model import real_model

pytestmark = pytest.mark.timeout(900)

CAPITALS = JsonSchema(
    "capitals",
    {
        "type": "object",
        "properties": {"capital": {"type": "string"}, "is_in_europe": {"type": "boolean"}},
        "required": ["capital", "is_in_europe"],
        "additionalProperties": False,
    },
)


@pytest.fixture(scope="module")
def model():
    real_model()
    return LLMConfig.from_preset("local-qwen2.5-coder-0.5b", threads=1, context_window=1024)


@pytest.fixture
def client(model):
    return LLMClient(model)


def test_a_real_model_answers_and_its_tokens_are_counted_and_free(client):
    reply = client.complete("You are terse.", "What is the capital of France?", max_tokens=24)
    assert "Paris" in reply.text
    assert reply.finish_reason == "stop"
    assert reply.usage.calls == 1
    assert reply.usage.input_tokens > 10
    assert 0 < reply.usage.output_tokens <= 24
    assert reply.usage.cost_usd == 0


def test_a_schema_is_kept_by_the_model_itself(client):
    reply = client.complete("Answer in JSON.", "The capital of Italy?", max_tokens=48, schema=CAPITALS)
    answer = json.loads(reply.text)
    assert answer.keys() == {"capital", "is_in_europe"}
    assert "Rome" in answer["capital"]


def test_a_reply_that_is_cut_off_says_so(client):
    assert client.complete("", "Count from 1 to 100.", max_tokens=4).truncated


def test_a_request_that_is_too_long_is_refused_with_the_remedy(client):
    with pytest.raises(ModelCallError, match="context") as refused:
        client.complete("", "word " * 2000, max_tokens=8)
    assert "longer context" in refused.value.remedy


def test_two_clients_of_one_file_share_its_server(model):
    settings = ServerSettings.of(model)
    found = []
    threads = [threading.Thread(target=lambda: found.append(SERVERS.running(settings))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len({id(server) for server in found}) == 1


def test_it_listens_on_this_computer_and_wants_its_key(model):
    server = SERVERS.running(ServerSettings.of(model))
    assert server.address.startswith("http://127.0.0.1:")
    body = {"messages": [{"role": "user", "content": "x"}], "max_tokens": 1}
    with httpx2.Client(trust_env=False) as stranger:
        assert stranger.post(f"{server.address}/chat/completions", json=body).status_code == 401
    assert server.key not in repr(server)


def test_its_speed_is_known_once_it_was_loaded(model):
    settings = ServerSettings.of(model)
    SERVERS.running(settings)
    speed = known_speed(settings.file)
    assert speed.reading > 0
    assert speed.writing > 0


def test_what_llama_cpp_prints_goes_to_a_private_file(model, capfd):
    SERVERS.running(ServerSettings.of(model))
    log = models_dir() / LOG_FILE
    assert "llama" in log.read_text(encoding="utf-8", errors="replace")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert capfd.readouterr().err == ""


def test_no_more_calls_are_in_flight_than_it_has_slots(model):
    endpoint = Endpoint.of(model.model_copy(update={"slots": 3}))
    assert endpoint.most_in_flight == 3
    assert Endpoint.of(LLMConfig.from_preset("offline")).most_in_flight == float("inf")


def test_a_file_that_only_looks_like_a_model_is_refused_with_llama_cpps_words(tmp_path):
    pytest.importorskip("xllamacpp")
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF" + bytes(range(256)) * 8)
    client = LLMClient(LLMConfig.from_preset(f"local:{file}"))
    with pytest.raises(ModelRefusedError, match="cannot load") as refused:
        client.chat("", "Hello")
    assert "failed to load model" in refused.value.message
