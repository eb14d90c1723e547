"""Why a request failed, and whether to send it again: a value, never a control-flow exception."""

from __future__ import annotations

import email.utils
import json
import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import openai

from langmarl.llm.redaction import server_words
from langmarl.llm.tokens import NO_TOKENS, Tokens


class Retry(Enum):
    """What to do about a failed request."""

    NONE = "none"
    """This request will not succeed; others may. Costs its episode."""
    TRANSIENT = "transient"
    """Send it again, a limited number of times."""
    RATE_LIMIT = "rate_limit"
    """Every call to this endpoint waits, then this one is sent again."""
    USER_MISTAKE = "user_mistake"
    """No request will succeed until the user changes something. Stops the run."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One request that brought no usable reply.

    Attributes:
        retry: Whether to send it again.
        kind: ``bad_key``, ``no_quota``, ``unknown_model``, ``bad_request``, ``bad_address``, ``context_length``,
            ``content_filter``, ``too_large``, ``rate_limit``, ``server_error``, ``connection``, ``timeout`` or
            ``broken_reply``.
        message: What happened, in the server's words where it gave any; holds no key.
        status: The HTTP status; None where no response arrived.
        param: The parameter that the server complains about, where it names one.
        wait_s: Seconds that the server asks to wait; None where it does not say.
        tokens: What an unusable reply used all the same.
    """

    retry: Retry
    kind: str
    message: str
    status: int | None = None
    param: str | None = None
    wait_s: float | None = None
    tokens: Tokens = NO_TOKENS


@dataclass(frozen=True, slots=True)
class _Complaint:
    """What an error body says."""

    message: str
    code: str
    param: str | None
    status: int | None = None


_CONTEXT = re.compile(
    r"context.?length|context.?window|context.?size|maximum context|prompt is too long|too many (input )?tokens"
    r"|input token count|reduce the length",
    re.IGNORECASE,
)
_CONTENT = re.compile(r"content.?(filter|policy|management)|responsible.?ai|content exists risk", re.IGNORECASE)
_RETRY_DELAY = re.compile(r'"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"')
_TRANSIENT_STATUSES = frozenset({408, 409, 425})


def from_exception(error: openai.APIError, key: str | None) -> Failure:
    """Classify what the SDK raised.

    Args:
        error: A status error, a connection error or a time-out.
        key: The key in use; masked in every message.
    """
    if isinstance(error, openai.APIStatusError):
        return from_status(error.status_code, error.response.headers, error.response.text, key)
    if isinstance(error, openai.APITimeoutError):
        return Failure(Retry.TRANSIENT, "timeout", f"no answer in time ({type(error.__cause__).__name__})")
    cause = error.__cause__ or error
    words = server_words(f"{type(cause).__name__}: {cause}", key)
    if "CERTIFICATE_VERIFY_FAILED" in words:
        return Failure(Retry.USER_MISTAKE, "bad_address", words)
    return Failure(Retry.TRANSIENT, "connection", words)


def from_status(status: int, headers: Mapping[str, str], body: str, key: str | None) -> Failure:
    """Classify a response by its HTTP status and what its body says.

    Args:
        status: 300 or above.
        headers: Of the response; ``Retry-After`` and ``retry-after-ms`` are honoured.
        body: Of the response, as text.
        key: The key in use; masked in every message.
    """
    complaint = _read_complaint(body)
    retry, kind = _verdict(status, complaint)
    words = server_words(complaint.message, key) or "the server gave no reason"
    return Failure(retry, kind, words, status, complaint.param, _requested_wait(headers, body))


def broken_reply(message: str, status: int | None = None, tokens: Tokens | None = None) -> Failure:
    """A reply that arrived and cannot be used: half a body, no choices, prose instead of JSON."""
    return Failure(Retry.TRANSIENT, "broken_reply", message, status, tokens=tokens or NO_TOKENS)


def error_in_reply(payload: Mapping[str, Any], headers: Mapping[str, str], key: str | None) -> Failure | None:
    """The failure that a response with status 200 reports in its body, as routers do; None where there is none."""
    if not payload.get("error") or payload.get("choices"):
        return None
    body = json.dumps(payload, ensure_ascii=False)
    status = _read_complaint(body).status
    return from_status(status if status is not None and 300 <= status < 600 else 502, headers, body, key)


def _verdict(status: int, complaint: _Complaint) -> tuple[Retry, str]:
    if status == 429:
        if complaint.code in ("insufficient_quota", "billing_hard_limit_reached"):
            return Retry.USER_MISTAKE, "no_quota"
        return Retry.RATE_LIMIT, "rate_limit"
    if status in (401, 403):
        return Retry.USER_MISTAKE, "bad_key"
    if status == 402 or complaint.code == "billing_hard_limit_reached":
        return Retry.USER_MISTAKE, "no_quota"
    if status == 404:
        return Retry.USER_MISTAKE, "unknown_model"
    if _CONTEXT.search(f"{complaint.code} {complaint.message}"):
        return Retry.NONE, "context_length"
    if status >= 500 or status in _TRANSIENT_STATUSES or complaint.code == "json_validate_failed":
        return Retry.TRANSIENT, "server_error"
    if status == 413:
        return Retry.NONE, "too_large"
    if _CONTENT.search(f"{complaint.code} {complaint.message}"):
        return Retry.NONE, "content_filter"
    return Retry.USER_MISTAKE, "bad_address" if status < 400 else "bad_request"


def _read_complaint(body: str) -> _Complaint:
    """Read an error body: ``{"error": {…}}``, ``{"error": "…"}``, ``[{"error": {…}}]``, ``{"detail": …}`` or prose."""
    try:
        data = json.loads(body)
    except ValueError:
        return _Complaint(re.sub(r"<[^>]*>", " ", body), "", None)
    if isinstance(data, list) and data:
        data = data[0]
    inner = data.get("error", data) if isinstance(data, Mapping) else data
    if not isinstance(inner, Mapping):
        return _Complaint(inner if isinstance(inner, str) else json.dumps(inner, ensure_ascii=False), "", None)
    message = inner.get("message") or inner.get("detail") or inner or ""
    code, kind, param = inner.get("code"), inner.get("type"), inner.get("param")
    return _Complaint(
        message=message if isinstance(message, str) else json.dumps(message, ensure_ascii=False),
        # Providers put the telling word now in ``code``, now in ``type``.
        code=next((word for word in (code, kind) if isinstance(word, str) and word), ""),
        param=param if isinstance(param, str) else None,
        status=code if isinstance(code, int) else None,
    )


def _requested_wait(headers: Mapping[str, str], body: str) -> float | None:
    """Seconds that the response asks to wait: headers first, then the ``retryDelay`` that Google puts in the body."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    date = email.utils.parsedate_tz(headers.get("retry-after", ""))
    if date is not None:
        return max(0.0, email.utils.mktime_tz(date) - time.time())
    delay = _RETRY_DELAY.search(body)
    return float(delay[1]) if delay else None
