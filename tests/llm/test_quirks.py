from __future__ import annotations

import logging
import threading
from typing import Any

import pytest

from langmarl.errors import ModelRefusedError
from langmarl.llm import JsonSchema, LLMClient, call_scope
from langmarl.llm.failures import Failure, Retry
from langmarl.llm.quirks import Capabilities, Lesson, lesson_of
from tests.llm.conftest import CallsMaker, ClientMaker, ConfigMaker
from tests.llm.server import Answer, Received, ScriptedServer, completion, error

SCHEMA = JsonSchema("judgement", {"type": "object"})

NO_MAX_TOKENS = error(
    400,
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    param="max_tokens",
    code="unsupported_parameter",
)
NO_TEMPERATURE = error(
    400,
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    param="temperature",
    code="unsupported_value",
)


class ReasoningModel:
    """Refuses, one at a time, what reasoning models behind strict endpoints refuse."""

    def __call__(self, request: Received) -> Answer:
        body = request.body
        if "max_tokens" in body:
            return NO_MAX_TOKENS
        if "temperature" in body:
            return NO_TEMPERATURE
        if "response_format" in body:
            kind = body["response_format"]["type"]
            return error(
                400, f"Invalid parameter: 'response_format' of type '{kind}' is not supported with this model."
            )
        if body["messages"][0]["role"] == "system":
            return error(400, "System role not supported")
        return completion()


def test_what_the_endpoint_refuses_is_learned_once_for_all_clients(
    server: ScriptedServer, make_config: ConfigMaker, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "langmarl")
    server.otherwise = ReasoningModel()
    config = make_config(temperature=0.2)
    first = LLMClient(config).complete("be brief", "u", schema=SCHEMA)
    assert first.usage.retries == 5
    second = LLMClient(config.model_copy()).complete("be brief", "u", schema=SCHEMA)
    assert second.usage.retries == 0
    assert server.bodies[-1] == {
        "model": config.model_string,
        "messages": [{"role": "user", "content": "be brief\n\nu"}],
        "max_completion_tokens": 4096,
    }
    learned = [record.getMessage() for record in caplog.records if "learned" in record.getMessage()]
    assert len(learned) == 5


def test_the_journal_shows_the_body_that_was_answered_and_why_others_were_not(
    server: ScriptedServer, make_config: ConfigMaker, open_calls: CallsMaker
) -> None:
    server.script = [NO_MAX_TOKENS]
    calls = open_calls()
    with call_scope(calls=calls):
        LLMClient(make_config()).chat("s", "u")
    [record] = calls._journal.read(0)
    assert record.request == server.bodies[1]
    assert [retry["kind"] for retry in record.retries] == ["unsupported_parameter"]


def test_another_model_at_the_same_endpoint_is_not_concerned(server: ScriptedServer, make_client: ClientMaker) -> None:
    server.script = [NO_MAX_TOKENS]
    make_client().chat("s", "u")
    make_client().chat("s", "u")
    assert "max_tokens" in server.bodies[-1]


def test_an_endpoint_that_refuses_both_names_of_the_limit_is_not_asked_for_ever(
    server: ScriptedServer, make_client: ClientMaker
) -> None:
    def refuse(request: Received) -> Answer:
        name = "max_tokens" if "max_tokens" in request.body else "max_completion_tokens"
        return error(400, f"Unrecognized request argument supplied: {name}")

    server.otherwise = refuse
    with pytest.raises(ModelRefusedError):
        make_client().chat("s", "u")
    assert len(server.received) == 2


def test_calls_in_flight_together_learn_the_same_lesson_without_failing(
    server: ScriptedServer, make_config: ConfigMaker
) -> None:
    together = threading.Barrier(4)

    def refuse_together(request: Received) -> Answer:
        if "max_tokens" in request.body or "response_format" in request.body:
            together.wait(10)
            return ReasoningModel()(request)
        return completion()

    server.otherwise = refuse_together
    config = make_config()
    texts: list[str] = []

    def work() -> None:
        texts.append(LLMClient(config).complete("", "u", schema=SCHEMA).text)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == ["hello"] * 4


def test_what_is_learned_does_not_raise_what_a_config_declares(
    server: ScriptedServer, make_config: ConfigMaker
) -> None:
    server.script = [error(400, "response_format json_schema is not supported")]
    config = make_config()
    LLMClient(config).complete("s", "u", schema=SCHEMA)
    assert server.bodies[-1]["response_format"] == {"type": "json_object"}
    LLMClient(config.model_copy(update={"structured_output": "none"})).complete("s", "u", schema=SCHEMA)
    assert "response_format" not in server.bodies[-1]


BODY: dict[str, Any] = {
    "model": "m",
    "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}],
    "max_tokens": 10,
    "temperature": 0.2,
    "response_format": {"type": "json_schema"},
}

WORDINGS = [
    ("This response_format type is unavailable now", None, "structured_output", "json_object"),
    ("This model does not support response format `json_schema`.", None, "structured_output", "json_object"),
    ("Invalid schema for response_format 'credit': missing", None, "structured_output", "json_object"),
    ("Input should be 'text' or 'json_object'", "response_format.type", "structured_output", "json_object"),
    ('Invalid JSON payload: Unknown name "response_format"', None, "structured_output", "json_object"),
    ("`temperature` is deprecated for this model.", None, "temperature", False),
    ("`temperature` may only be set to 1 when thinking is enabled.", None, "temperature", False),
    ("Extra inputs are not permitted: max_tokens", None, "token_parameter", "max_completion_tokens"),
    ("Developer instruction is not enabled for models/gemma-3-27b-it", None, "system_role", False),
]


@pytest.mark.parametrize(("words", "param", "field", "value"), WORDINGS)
def test_the_wordings_of_providers_are_understood(words: str, param: str | None, field: str, value: object) -> None:
    failure = Failure(Retry.USER_MISTAKE, "bad_request", words, 400, param)
    assert lesson_of(failure, BODY, Capabilities("max_tokens")) == Lesson(field, value)


@pytest.mark.parametrize(
    ("words", "param"),
    [
        ("max_tokens is too large: 99999. This model supports at most 16384 completion tokens", "max_tokens"),
        ("Invalid 'temperature': decimal above maximum value. Expected a value <= 2", "temperature"),
        ("'top_k' is not supported with this model.", "top_k"),
        ("'top_k' is not supported with this model.", None),
        ("the request is malformed", None),
    ],
)
def test_a_bad_value_or_another_parameter_teaches_nothing(words: str, param: str | None) -> None:
    failure = Failure(Retry.USER_MISTAKE, "bad_request", words, 400, param)
    assert lesson_of(failure, BODY, Capabilities("max_tokens")) is None


def test_what_was_not_sent_cannot_be_left_out() -> None:
    failure = Failure(Retry.USER_MISTAKE, "bad_request", "'temperature' is not supported", 400, "temperature")
    body = {name: value for name, value in BODY.items() if name != "temperature"}
    assert lesson_of(failure, body, Capabilities("max_tokens")) is None
