from __future__ import annotations

import email.utils
import json
import time

import httpx2
import openai
import pytest

from langmarl.llm.failures import Retry, from_exception, from_status


def test_google_wraps_its_error_in_a_list_and_puts_the_pause_into_the_body() -> None:
    body = [
        {
            "error": {
                "code": 429,
                "message": "You exceeded your current quota, please check your plan and billing details.",
                "status": "RESOURCE_EXHAUSTED",
                "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "37.5s"}],
            }
        }
    ]
    failure = from_status(429, {}, json.dumps(body), None)
    assert (failure.retry, failure.wait_s) == (Retry.RATE_LIMIT, 37.5)
    assert failure.message.startswith("You exceeded your current quota")


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Mon, 01 Jan 2001 00:00:00 GMT"}, 0.0),
    ],
)
def test_requested_pauses_are_read(headers: dict[str, str], expected: float | None) -> None:
    assert from_status(429, headers, "", None).wait_s == expected


def test_a_date_as_pause_is_read() -> None:
    date = email.utils.formatdate(time.time() + 100, usegmt=True)
    wait_s = from_status(503, {"retry-after": date}, "", None).wait_s
    assert wait_s is not None
    assert 95 < wait_s <= 100


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('{"error": {"message": "m", "code": null}}', "m"),
        ('{"error": "model not found, try pulling it first"}', "model not found, try pulling it first"),
        ('{"message": "m"}', "m"),
        ('{"detail": "m"}', "m"),
        ('{"detail": [{"loc": ["body"], "msg": "wrong"}]}', '[{"loc": ["body"], "msg": "wrong"}]'),
        ("<html><h1>Bad  gateway</h1></html>", "Bad gateway"),
        ("", "the server gave no reason"),
        ("{}", "the server gave no reason"),
        ("null", "null"),
        ("[]", "[]"),
    ],
)
def test_the_shapes_of_error_bodies_are_read(body: str, message: str) -> None:
    assert from_status(500, {}, body, None).message == message


def test_a_certificate_that_nobody_vouches_for_is_the_users_affair() -> None:
    request = httpx2.Request("POST", "https://127.0.0.1/v1/chat/completions")
    error = openai.APIConnectionError(request=request)
    error.__cause__ = httpx2.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate")
    assert from_exception(error, None).retry is Retry.USER_MISTAKE


def test_a_model_that_failed_to_write_json_is_asked_again() -> None:
    body = json.dumps({"error": {"message": "Failed to generate JSON", "code": "json_validate_failed"}})
    assert from_status(400, {}, body, None).retry is Retry.TRANSIENT
