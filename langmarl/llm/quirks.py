"""What a model can be asked for: declared by its config, corrected by what its endpoint refuses."""

from __future__ import annotations

import logging
import re
import threading
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from langmarl.config import LLMConfig
from langmarl.llm.failures import Failure

StructuredOutput = Literal["json_schema", "json_object", "none"]

_STEPS: tuple[StructuredOutput, ...] = ("json_schema", "json_object", "none")
_OTHER_LIMIT = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}

# A parameter that is refused as such, not for its value ("max_tokens is too large" stays the user's mistake).
_REFUSED = re.compile(
    r"unsupported|not (be )?(support|permit|allow|available|enabled|implement)|unavailable|deprecated|unrecogni[sz]ed"
    r"|unknown|unexpected|extra (inputs|fields)|may only be set|only the default|input should be"
    r"|invalid (schema|parameter)|use '?max_|must contain the word",
    re.IGNORECASE,
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a request to one model may hold.

    Attributes:
        token_parameter: The name under which the limit of the reply is sent.
        temperature: Whether a temperature is taken.
        structured_output: The strongest way to ask for a JSON answer.
        system_role: Whether system messages are taken; if not, their text leads the user message.
    """

    token_parameter: str
    temperature: bool = True
    structured_output: StructuredOutput = "json_schema"
    system_role: bool = True

    @classmethod
    def declared(cls, config: LLMConfig) -> Capabilities:
        """What the config says, before anything was learned."""
        return cls(config.max_tokens_parameter, config.supports_temperature, config.structured_output)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One field of :class:`Capabilities` and the value that the endpoint insists on."""

    field: str
    value: Any


def lesson_of(failure: Failure, body: dict[str, Any], used: Capabilities) -> Lesson | None:
    """What a refused request teaches about the model; None where it teaches nothing.

    Args:
        failure: Of any kind; only refused requests (status 400 or 422) teach.
        body: The request that was refused.
        used: What ``body`` was built with.
    """
    words = failure.message.casefold()
    if failure.kind != "bad_request" or failure.status not in (400, 422) or not _REFUSED.search(words):
        return None

    def concerns(*names: str) -> bool:
        return failure.param in names or (failure.param is None and any(name in words for name in names))

    if "response_format" in body and concerns(
        "response_format", "response format", "response_format.type", "json_schema", "json schema", "json_object"
    ):
        return Lesson("structured_output", _STEPS[_STEPS.index(used.structured_output) + 1])
    if "temperature" in body and concerns("temperature"):
        return Lesson("temperature", False)
    if concerns(used.token_parameter):
        return Lesson("token_parameter", _OTHER_LIMIT[used.token_parameter])
    if used.system_role and ("system" in words or "developer" in words) and ("role" in words or "instruction" in words):
        return Lesson("system_role", False)
    return None


class ModelPlace(NamedTuple):
    """One model at one endpoint."""

    address: str
    model: str


class LearnedQuirks:
    """What the endpoints of this process have taught, model by model. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._learned: dict[ModelPlace, dict[str, Any]] = {}

    def applied(self, place: ModelPlace, declared: Capabilities) -> Capabilities:
        """``declared``, corrected by what was learned at ``place``."""
        with self._lock:
            known = dict(self._learned.get(place, {}))
        if "structured_output" in known:
            known["structured_output"] = max(known["structured_output"], declared.structured_output, key=_STEPS.index)
        return replace(declared, **known)

    def learn(self, place: ModelPlace, lesson: Lesson) -> bool:
        """Remember a lesson for the life of the process; logged the first time.

        Calls in flight together bring the same lesson, or an older one: what was learned is never taken back.

        Returns:
            Whether a request that follows what is known now differs from the one that was refused; False where the
            endpoint refuses both ways.
        """
        with self._lock:
            known = self._learned.setdefault(place, {})
            before = known.get(lesson.field)
            if before in (lesson.value, "none"):
                return True
            if before is not None and lesson.field != "structured_output":
                return False
            known[lesson.field] = lesson.value
        _log.info("%s at %s: learned that %s must be %r", place.model, place.address, lesson.field, lesson.value)
        return True


LEARNED = LearnedQuirks()
"""Shared by all clients of the process."""
