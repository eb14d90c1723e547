"""How a model file is served: what the config says, and what follows from this machine where it says nothing."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from langmarl.config import LLMConfig
from langmarl.llm.local.files import located

USUAL_CONTEXT = 8192
"""Tokens of a request and its reply together, where the config does not say."""

_PROCESSORS_A_SLOT = 4


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """One server for each different value.

    Attributes:
        file: The GGUF file, absolute.
        threads: Processor threads.
        context: Tokens of a request and its reply together.
        slots: Calls at once.
    """

    file: Path
    threads: int
    context: int
    slots: int

    @classmethod
    def of(cls, config: LLMConfig) -> ServerSettings:
        """Those of a model that is a GGUF file.

        Raises:
            UserMistake: There is no such file, or it is no GGUF file.
        """
        processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        return cls(
            file=located(config.model_string).resolve(),
            threads=config.threads or processors,
            context=config.context_window or USUAL_CONTEXT,
            slots=config.slots or max(1, processors // _PROCESSORS_A_SLOT),
        )
