"""A planted key must not come out anywhere, whatever a server does with it."""

from __future__ import annotations

import json
import logging
import traceback
from pathlib import Path

import pytest

from langmarl.errors import LangMARLError
from langmarl.llm import LLMClient, call_scope
from langmarl.llm.endpoint import Endpoint
from langmarl.llm.redaction import server_words
from tests.llm.conftest import QUICK, CallsMaker, ConfigMaker
from tests.llm.server import Answer, Received, Responder, ScriptedServer, completion

KEY = "sk-planted-0123456789-abcdefghij"


def echo(status: int, **fields: str) -> Responder:
    """Answer with the request's own Authorization header in the body and in a header."""

    def answer(request: Received) -> Answer:
        words = f"rejected: {request.headers['authorization']}"
        body = json.dumps({"error": {"message": words, **fields}}).encode()
        return Answer(status, body, {"X-Echo": request.headers["authorization"], "Retry-After": "0"})

    return answer


def prose(request: Received) -> Answer:
    return Answer(502, f"<p>{request.headers['authorization']}</p>".encode(), {"Content-Type": "text/html"})


def not_json(request: Received) -> Answer:
    return Answer(200, f"oops {request.headers['authorization']}".encode())


def error_in_200(request: Received) -> Answer:
    return Answer(200, json.dumps({"error": request.headers["authorization"]}).encode())


def redirect(request: Received) -> Answer:
    return Answer(302, b"", {"Location": f"http://127.0.0.1/{request.headers['authorization'].split()[1]}"})


ECHOES: dict[str, Responder] = {
    **{str(status): echo(status) for status in (400, 401, 402, 403, 404, 413, 422, 429, 500, 503)},
    "no quota": echo(429, code="insufficient_quota"),
    "context length": echo(400, code="context_length_exceeded"),
    "prose": prose,
    "not JSON": not_json,
    "error in 200": error_in_200,
    "redirect": redirect,
}


@pytest.mark.parametrize("responder", ECHOES.values(), ids=ECHOES.keys())
def test_no_error_path_shows_the_key(
    responder: Responder,
    server: ScriptedServer,
    make_config: ConfigMaker,
    open_calls: CallsMaker,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("PLANTED_KEY", KEY)
    server.otherwise = responder
    policy = QUICK.__class__(base_s=0.01, cap_s=0.01, rate_limit_total_s=0.03)
    client = LLMClient(make_config(api_key_env_var="PLANTED_KEY", max_retries=1), backoff=policy)
    with call_scope(calls=open_calls()), pytest.raises(LangMARLError) as failure:
        client.chat("s", "u")
    logging.getLogger("langmarl").error("it failed", exc_info=failure.value)
    seen = [str(failure.value), repr(failure.value), repr(client), *traceback.format_exception(failure.value)]
    seen += [record.getMessage() for record in caplog.records if record.name.startswith("langmarl")]
    seen += [caplog.handler.format(record) for record in caplog.records if record.name.startswith("langmarl")]
    seen += [path.read_text("utf-8") for path in (tmp_path / "calls").iterdir()]
    assert KEY not in "\n".join(seen)
    assert failure.value.__cause__ is None
    assert failure.value.__context__ is None
    assert server.received[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_reply_that_repeats_the_key_is_masked_in_the_answer_and_in_the_journal(
    server: ScriptedServer, make_config: ConfigMaker, open_calls: CallsMaker, tmp_path: Path
) -> None:
    server.otherwise = lambda request: completion(f"I was called with {request.headers['authorization']}")
    with call_scope(calls=open_calls()):
        text = LLMClient(make_config(api_key=KEY)).chat("s", "u")
    assert text == "I was called with Bearer ***"
    assert KEY not in (tmp_path / "calls" / "iter_0000.jsonl").read_text("utf-8")


def test_a_short_placeholder_key_garbles_no_answer(server: ScriptedServer, make_config: ConfigMaker) -> None:
    server.otherwise = completion("run ollama locally")
    assert LLMClient(make_config(api_key="ollama")).chat("s", "u") == "run ollama locally"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Incorrect API key provided: sk-proj-abcd********wxyz.", "Incorrect API key provided: ***"),
        ("got header Bearer abcdef.123, sorry", "got header Bearer ***, sorry"),
        ("API key AIzaSyA1234567890abcdef not valid", "API key *** not valid"),
        ("a task-related error in risk-analysis", "a task-related error in risk-analysis"),
        ("line one\n  line two", "line one line two"),
    ],
)
def test_whatever_looks_like_a_credential_is_masked_in_a_servers_words(said: str, shown: str) -> None:
    assert server_words(said, None) == shown


def test_long_words_of_a_server_are_cut() -> None:
    assert server_words("x" * 10_000, None, limit=20) == "x" * 20 + "…"


@pytest.mark.parametrize("flaw", ["\N{HORIZONTAL ELLIPSIS}", "\n", " "])
def test_a_key_that_no_header_can_carry_is_refused_without_showing_it(
    flaw: str, server: ScriptedServer, make_config: ConfigMaker
) -> None:
    client = LLMClient(make_config(api_key=f"{KEY}{flaw}{KEY}"))
    with pytest.raises(LangMARLError, match="holds a blank") as failure:
        client.chat("s", "u")
    assert KEY not in "".join(traceback.format_exception(failure.value))
    assert server.received == []


def test_blanks_around_a_key_are_left_out(server: ScriptedServer, make_config: ConfigMaker) -> None:
    LLMClient(make_config(api_key=f" {KEY}\n")).chat("s", "u")
    assert server.received[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("text", ["at /v1?key=ab%2Fcd%3D%3D12345", '{"key": "ab/cd==12345"}'])
def test_a_key_is_masked_however_it_is_spelled(text: str) -> None:
    assert "12345" not in server_words(text, "ab/cd==12345")


def test_an_endpoint_does_not_show_its_key() -> None:
    assert KEY not in repr(Endpoint("http://127.0.0.1/v1", KEY))
