"""The OpenAI-compatible interface of the offline model, without the wire: paths and bodies in, replies out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langmarl.llm.offline.model import MODEL, Completion, complete


@dataclass(frozen=True, slots=True)
class ApiReply:
    """An answer to an HTTP request.

    Attributes:
        status: HTTP status.
        body: To be sent as JSON.
        completion: The model's reply, where it gave one.
    """

    status: int
    body: dict[str, Any]
    completion: Completion | None = None


class RequestError(Exception):
    """A request that cannot be answered, with the status and the official error body to refuse it with."""

    def __init__(self, status: int, message: str, *, param: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.reply = ApiReply(status, error_body(message, "invalid_request_error", param=param, code=code))


def error_body(message: str, kind: str, *, param: str | None = None, code: str | None = None) -> dict[str, Any]:
    """An error in OpenAI's shape."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def handle(method: str, path: str, content: bytes) -> ApiReply:
    """Answer one request; what is wrong with it becomes a 4xx reply, never an exception.

    Args:
        method: ``GET`` or ``POST``.
        path: Its end counts: ``…/chat/completions``, ``…/models``, ``…/models/<name>``.
        content: The raw body.
    """
    try:
        if path.endswith("/chat/completions"):
            _expect(method, "POST", path)
            body = check(content)
            return completion_reply(body, complete(body))
        if path.endswith("/models") or "/models/" in path:
            _expect(method, "GET", path)
            return ApiReply(200, _models(path))
    except RequestError as refused:
        return refused.reply
    return ApiReply(
        404, error_body(f"Unknown request URL: {method} {path}.", "invalid_request_error", code="unknown_url")
    )


def check(content: bytes) -> dict[str, Any]:
    """The body of a chat request.

    Raises:
        RequestError: It is not JSON, has no usable messages, or asks for what the model cannot do.
    """
    try:
        body = json.loads(content)
    except ValueError:
        raise RequestError(400, "We could not parse the JSON body of your request.") from None
    if not isinstance(body, dict):
        raise RequestError(400, "The body of your request must be a JSON object.")
    if not isinstance(body.get("model"), str) or not body["model"]:
        raise RequestError(400, "you must provide a model parameter", param="model")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise RequestError(
            400, "Missing required parameter: 'messages'.", param="messages", code="missing_required_parameter"
        )
    if not all(isinstance(message, dict) and isinstance(message.get("role"), str) for message in messages):
        raise RequestError(400, "Each of 'messages' must be an object with a 'role'.", param="messages")
    _check_options(body)
    return body


def _check_options(body: Mapping[str, Any]) -> None:
    if body.get("stream"):
        raise RequestError(400, "The offline model does not stream.", param="stream", code="unsupported_value")
    if body.get("n") not in (None, 1):
        raise RequestError(400, "The offline model gives one reply a request.", param="n", code="unsupported_value")
    for name in ("max_tokens", "max_completion_tokens"):
        limit = body.get(name)
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
            raise RequestError(400, f"Invalid '{name}': must be a whole number of at least 1.", param=name)
    wanted = body.get("response_format")
    if wanted is not None and not (
        isinstance(wanted, dict) and wanted.get("type") in ("text", "json_object", "json_schema")
    ):
        raise RequestError(400, "Invalid 'response_format'.", param="response_format")


def completion_reply(body: Mapping[str, Any], completion: Completion) -> ApiReply:
    """A completion in OpenAI's shape."""
    identity = hashlib.blake2b(json.dumps(body, sort_keys=True).encode(), digest_size=12).hexdigest()
    message = {"role": "assistant", "content": completion.text, "refusal": None}
    reply = {
        "id": f"chatcmpl-{identity}",
        "object": "chat.completion",
        "created": 0,  # a reply follows from the request alone, the time of day included
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": completion.finish_reason}],
        "usage": {
            "prompt_tokens": completion.prompt_tokens,
            "completion_tokens": completion.completion_tokens,
            "total_tokens": completion.prompt_tokens + completion.completion_tokens,
        },
    }
    return ApiReply(200, reply, completion)


def _models(path: str) -> dict[str, Any]:
    entry = {"id": MODEL, "object": "model", "created": 0, "owned_by": "langmarl"}
    if path.endswith("/models"):
        return {"object": "list", "data": [entry]}
    name = path.rsplit("/models/", 1)[1]
    if name != MODEL:
        raise RequestError(404, f"The model '{name}' does not exist.", param="model", code="model_not_found")
    return entry


def _expect(method: str, allowed: str, path: str) -> None:
    if method != allowed:
        raise RequestError(405, f"Not allowed to {method} on {path}; use {allowed}.", code="method_not_supported")
