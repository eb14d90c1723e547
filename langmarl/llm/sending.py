"""Sends one question until there is a reply, or no sense in asking again."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import openai

from langmarl.config import LLMConfig
from langmarl.llm.backoff import GATES, BackoffPolicy, EndpointPausedError, Gate
from langmarl.llm.calls import RunCalls
from langmarl.llm.completion import Completion, read_completion
from langmarl.llm.endpoint import CONNECTIONS, Endpoint, timeout
from langmarl.llm.failures import Failure, Retry, broken_reply, error_in_reply, from_exception
from langmarl.llm.quirks import LEARNED, Capabilities, ModelPlace, lesson_of
from langmarl.llm.request import Question, build_body
from langmarl.llm.tokens import NO_TOKENS, Tokens


@dataclass(slots=True)
class Sent:
    """What became of one question.

    Attributes:
        body: The last request's body.
        outcome: The reply, or why there is none.
        tokens: Of all tries that reported any.
        retries: One ``{"kind", "status", "message", "waited_s"}`` for each request that was sent again.
    """

    body: dict[str, Any]
    outcome: Completion | Failure
    tokens: Tokens = NO_TOKENS
    retries: list[dict[str, Any]] = field(default_factory=list)


class Sending:
    """One question on its way; used once.

    Transient failures are sent again ``max_retries`` times at most. Rate limits do not count as tries: the call
    waits with all others to its endpoint, for ``policy.rate_limit_total_s`` seconds in all. A parameter that the
    endpoint refuses is left out or renamed, once for each.

    Args:
        config: The model.
        endpoint: Where it is served.
        policy: How long to wait.
        calls: The run, which may be halted while this waits; None outside a run.
    """

    def __init__(self, config: LLMConfig, endpoint: Endpoint, policy: BackoffPolicy, calls: RunCalls | None) -> None:
        self._config = config
        self._endpoint = endpoint
        self._policy = policy
        self._calls = calls
        self._place = ModelPlace(endpoint.address, config.model_string)
        self._gate: Gate = GATES.at((endpoint, config.model_string), endpoint.most_in_flight)
        self._transient_tries = 0
        self._limited = False
        self._limited_s = 0.0
        self._tokens = NO_TOKENS
        self._retries: list[dict[str, Any]] = []
        self._pause_s = 0.0

    def send(self, question: Question) -> Sent:
        """Ask until there is a reply or a final failure.

        Raises:
            RunHalted: The run was halted while this waited.
        """
        while True:
            used = LEARNED.applied(self._place, Capabilities.declared(self._config))
            body = build_body(self._config, question, used)
            outcome = self._pass_gate(body, question)
            if not (isinstance(outcome, Failure) and self._prepare_next(outcome, body, used)):
                return Sent(body, outcome, self._tokens, self._retries)

    def _pass_gate(self, body: dict[str, Any], question: Question) -> Completion | Failure:
        """Wait for leave to send, then send once."""
        began = time.monotonic()
        patience_s = self._policy.rate_limit_total_s - self._limited_s
        try:
            ticket = self._gate.enter(self._check, patience_s)
        except EndpointPausedError as paused:
            return self._paused_too_long(paused.pause_s)
        waited_s = time.monotonic() - began
        if self._limited:
            # Counted as at least the first back-off, so that an endpoint that asks for no pause has an end too.
            self._limited_s += max(waited_s, self._policy.base_s)
            self._limited = False
        try:
            if self._retries:
                self._retries[-1]["waited_s"] += round(waited_s, 3)
            outcome = self._request(body, question)
            self._tokens += outcome.tokens
            if isinstance(outcome, Completion):
                self._gate.succeeded(ticket)
            elif outcome.retry is Retry.RATE_LIMIT:
                self._pause_s = self._gate.slow_down(ticket, outcome.wait_s, self._policy)
            return outcome
        finally:
            self._gate.leave()

    def _request(self, body: dict[str, Any], question: Question) -> Completion | Failure:
        """Send once; every way in which that can fail becomes a value."""
        key = self._endpoint.key
        further = {name: value for name, value in body.items() if name not in ("model", "messages")}
        try:
            response = CONNECTIONS.to(self._endpoint).chat.completions.with_raw_response.create(
                model=body["model"],
                messages=body["messages"],
                extra_body=further,
                timeout=timeout(self._config.request_timeout_s),
            )
            headers, text = response.headers, response.text
        except openai.APIError as error:
            return from_exception(error, key)
        try:
            payload = json.loads(text)
        except ValueError:
            return broken_reply("the reply is not JSON, or only half of it arrived", response.status_code)
        if not isinstance(payload, Mapping):
            return broken_reply("the reply is not a JSON object", response.status_code)
        reported = error_in_reply(payload, headers, key)
        return reported or read_completion(payload, question.system + question.user, key)

    def _prepare_next(self, failure: Failure, body: dict[str, Any], used: Capabilities) -> bool:
        """Wait or adapt as the failure demands; False where there is no point in sending again."""
        waited_s = 0.0
        lesson = lesson_of(failure, body, used)
        if lesson is not None:
            if not LEARNED.learn(self._place, lesson):
                return False
        elif failure.retry is Retry.RATE_LIMIT:
            if self._calls is not None:
                self._calls.rate_limited(self._endpoint.address, self._pause_s)
            if self._limited_s >= self._policy.rate_limit_total_s:
                return False
            self._limited = True
        elif failure.retry is Retry.TRANSIENT and self._transient_tries < self._config.max_retries:
            self._transient_tries += 1
            waited_s = self._policy.delay(self._transient_tries) if failure.wait_s is None else failure.wait_s
            if waited_s > self._policy.rate_limit_total_s:
                return False
            self._wait(waited_s)
        else:
            return False
        self._retries.append(
            {
                "kind": "unsupported_parameter" if lesson else failure.kind,
                "status": failure.status,
                "message": failure.message,
                "waited_s": round(waited_s, 3),
            }
        )
        return True

    def _paused_too_long(self, pause_s: float) -> Failure:
        if self._retries:
            # The request that this entry announced is never sent.
            self._retries.pop()
        limit_s = self._policy.rate_limit_total_s
        return Failure(
            Retry.NONE,
            "rate_limit",
            f"the endpoint asks for a pause of {pause_s:.0f} s; a call waits {limit_s:.0f} s at most",
            429,
        )

    def _check(self) -> None:
        if self._calls is not None:
            self._calls.check()

    def _wait(self, seconds: float) -> None:
        if self._calls is not None:
            self._calls.wait(seconds)
        else:
            time.sleep(seconds)
