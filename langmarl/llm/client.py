"""The one way in which LangMARL asks a model."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from openai import OpenAI

from langmarl.config import LLMConfig
from langmarl.config.prices import price_of
from langmarl.llm.backoff import BackoffPolicy
from langmarl.llm.completion import Completion
from langmarl.llm.endpoint import CONNECTIONS, Endpoint
from langmarl.llm.explain import final_error, missing_key, unsendable_key
from langmarl.llm.failures import Failure
from langmarl.llm.redaction import well_formed
from langmarl.llm.request import JsonSchema, Question, digest
from langmarl.llm.scope import CallScope, current_scope
from langmarl.llm.sending import Sending, Sent
from langmarl.llm.tokens import Tokens
from langmarl.store.journal import CallKey, CallRecord
from langmarl.usage import Role, Usage


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer.

    Attributes:
        text: The answer, without thinking; empty where the model gave none.
        finish_reason: ``"stop"``, ``"length"`` where it was cut off, or another word of the provider's.
        usage: What the call used, all tries included.
        key: Which call of the run it was; None outside a run.
        replayed: Whether it was taken from the journal, and so paid for earlier.
    """

    text: str
    finish_reason: str
    usage: Usage
    key: CallKey | None = None
    replayed: bool = False

    @property
    def truncated(self) -> bool:
        """Whether the answer was cut off at its token limit."""
        return self.finish_reason == "length"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a call belongs when it is made inside a run."""

    scope: CallScope
    key: CallKey
    digest: str


class LLMClient:
    """A model, ready to be asked. Thread-safe; connections are shared between clients.

    Inside a run (see :func:`~langmarl.llm.scope.call_scope`) every call is journaled, counted and limited, and a
    reply that was already paid for comes from the journal. Outside a run calls work just the same, unrecorded.

    Args:
        llm_config: The model.
        role: The role to count calls under; None: the scope's, else ``"actor"``.
        backoff: Waiting times between tries; None: the usual ones.
    """

    def __init__(self, llm_config: LLMConfig, role: Role | None = None, backoff: BackoffPolicy | None = None) -> None:
        self.llm_config = llm_config
        self.role = role
        self._backoff = backoff or BackoffPolicy()
        self._price = price_of(llm_config)

    @property
    def raw_client(self) -> OpenAI:
        """The SDK's own client for this endpoint, for what the methods here do not offer.

        Calls made through it go round the journal, the budget and the usage of a run, and are not sent again when
        they fail. It is shared: do not close it.

        Raises:
            ModelRefusedError: The endpoint needs a key, and there is none or it cannot be sent.
        """
        return CONNECTIONS.to(self._endpoint())

    def chat(self, system_prompt: str, user_input: str, max_tokens: int | None = None) -> str:
        """The model's answer as text; raises as :meth:`complete`."""
        return self.complete(system_prompt, user_input, max_tokens=max_tokens).text

    def chat_with_usage(
        self, system_prompt: str, user_input: str, max_tokens: int | None = None
    ) -> tuple[str, dict[str, int]]:
        """The answer, and its tokens as ``{"input": n, "output": n}``; raises as :meth:`complete`."""
        reply = self.complete(system_prompt, user_input, max_tokens=max_tokens)
        return reply.text, {"input": reply.usage.input_tokens, "output": reply.usage.output_tokens}

    def complete(
        self,
        system: str,
        user: str,
        *,
        max_tokens: int | None = None,
        schema: JsonSchema | None = None,
        attempt: int = 0,
    ) -> Reply:
        """Ask the model.

        Args:
            system: The system message.
            user: The user message.
            max_tokens: Longest reply, in tokens; None: the config's.
            schema: The shape of a JSON answer, asked for as strictly as the model allows. The answer may still
                differ, and the messages must describe it too.
            attempt: 0 for a first answer, then one more for each repair of it.

        Raises:
            ModelCallError: The call failed for good; it costs its episode.
            ModelRefusedError: The endpoint refuses key, model or request; it stops the run.
            RunHalted: The run was asked to stop, or has reached a limit.
        """
        question = Question(well_formed(system), well_formed(user), max_tokens or self.llm_config.max_tokens, schema)
        place = self._place(question, attempt)
        if place is None:
            return self._ask(question, None)
        calls = place.scope.calls
        assert calls is not None
        record = calls.recall(place.key, place.digest)
        if record is not None and record.reply is not None:
            return Reply(record.reply["text"], record.reply["finish_reason"], record.usage, place.key, replayed=True)
        calls.admit()
        return self._ask(question, place)

    def _place(self, question: Question, attempt: int) -> _Place | None:
        scope = current_scope()
        if scope is None or scope.calls is None:
            return None
        key = scope.next_key(self.role or scope.role or "actor", attempt)
        return _Place(scope, key, digest(Endpoint.of(self.llm_config).address, self.llm_config, question))

    def _ask(self, question: Question, place: _Place | None) -> Reply:
        endpoint = self._endpoint()
        calls = place.scope.calls if place else None
        started_at, began = datetime.now(UTC), time.monotonic()
        sent = Sending(self.llm_config, endpoint, self._backoff, calls).send(question)
        usage = self._usage(sent, place.key.attempt if place else 0)
        if place is not None and calls is not None:
            duration_s = time.monotonic() - began
            calls.record(self._record(place, endpoint, sent, usage, started_at, duration_s))
        if isinstance(sent.outcome, Failure):
            raise final_error(sent.outcome, self.llm_config, endpoint, len(sent.retries) + 1)
        return Reply(sent.outcome.text, sent.outcome.finish_reason, usage, place.key if place else None)

    def _endpoint(self) -> Endpoint:
        endpoint = Endpoint.of(self.llm_config)
        if endpoint.key is None and self.llm_config.needs_key:
            raise missing_key(self.llm_config, endpoint)
        if not endpoint.key_is_sendable:
            raise unsendable_key(self.llm_config, endpoint)
        return endpoint

    def _usage(self, sent: Sent, attempt: int) -> Usage:
        tokens, outcome = sent.tokens, sent.outcome
        return Usage(
            calls=1,
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cached_tokens=tokens.cached,
            reasoning_tokens=tokens.reasoning,
            cost_usd=self._cost(tokens),
            retries=len(sent.retries),
            failures=int(isinstance(outcome, Failure)),
            truncated=int(isinstance(outcome, Completion) and outcome.finish_reason == "length"),
            repairs=int(attempt > 0),
        )

    def _cost(self, tokens: Tokens) -> float | None:
        """US dollars; 0 without tokens, None where the price is unknown."""
        if tokens.input + tokens.output == 0:
            return 0.0
        return None if self._price is None else self._price.cost(tokens.input, tokens.output, tokens.cached)

    def _record(
        self, place: _Place, endpoint: Endpoint, sent: Sent, usage: Usage, started_at: datetime, duration_s: float
    ) -> CallRecord:
        outcome = sent.outcome
        return CallRecord(
            key=place.key,
            digest=place.digest,
            model=self.llm_config.model_string,
            endpoint=endpoint.address,
            request=sent.body,
            reply=_reply_entry(outcome, sent.tokens) if isinstance(outcome, Completion) else None,
            error={"kind": outcome.kind, "message": outcome.message} if isinstance(outcome, Failure) else None,
            usage=usage,
            started_at=started_at.isoformat(timespec="milliseconds"),
            duration_s=round(duration_s, 3),
            retries=sent.retries,
        )


def _reply_entry(completion: Completion, tokens: Tokens) -> dict[str, Any]:
    """What the journal keeps of a reply."""
    entry: dict[str, Any] = {"text": completion.text, "finish_reason": completion.finish_reason}
    if completion.thinking:
        entry["thinking"] = completion.thinking
    if tokens.estimated:
        entry["estimated"] = True
    return entry
