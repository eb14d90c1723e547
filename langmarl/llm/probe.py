"""One small call that shows whether a model can be reached."""

from __future__ import annotations

import time
from dataclasses import dataclass

from langmarl.config import LLMConfig
from langmarl.llm.backoff import BackoffPolicy
from langmarl.llm.client import LLMClient
from langmarl.usage import Usage

_MAX_TOKENS = 256
"""Enough for a model that thinks before it answers."""

_PATIENCE = BackoffPolicy(rate_limit_total_s=20.0)


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What a test call brought.

    Attributes:
        latency_s: Seconds from the request to the reply.
        reply_text: What the model answered.
        usage: What it cost.
    """

    latency_s: float
    reply_text: str
    usage: Usage


def probe(llm_config: LLMConfig) -> ProbeResult:
    """Ask a model to answer "ok"; tried once, so that a wrong address or key shows at once.

    Raises:
        ModelCallError: No reply.
        ModelRefusedError: The endpoint refuses key, model or request.
    """
    client = LLMClient(llm_config.model_copy(update={"max_retries": 0}), backoff=_PATIENCE)
    began = time.monotonic()
    reply = client.complete("", "Answer with the word: ok", max_tokens=min(_MAX_TOKENS, llm_config.max_tokens))
    return ProbeResult(time.monotonic() - began, reply.text, reply.usage)
