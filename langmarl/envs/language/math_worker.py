"""A program that compares mathematical answers with math-verify: JSON requests on stdin, JSON replies on stdout.

A process of its own, since math-verify's time-outs (``signal.alarm``) work in a main thread only, and since algebra on
what a model wrote can take any time and memory. It imports nothing of LangMARL, so that it starts quickly and can be
run by its path.

Request: ``{"answer": text, "candidates": [{"text": …, "form": "latex"|"prose"}, …]}``.
Reply: ``{"equal": bool, "read": the expression that was compared, as text, or null}``.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import sys
from typing import Any

from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse, verify

STEP_SECONDS = 3
"""Time for reading one expression, or for one comparison."""
REQUEST_SECONDS = 30
"""After so long the process ends itself: arithmetic on huge integers does not see the alarm."""
MEMORY_BYTES = 2 * 1024**3


def compare(answer: str, candidates: list[dict[str, str]]) -> dict[str, Any]:
    """Whether the first candidate that can be read equals the answer.

    Args:
        answer: The reference, as LaTeX.
        candidates: In order of likelihood.

    Returns:
        ``equal``, and ``read``, the expression that was compared; None where none is one.
    """
    reference = _read(answer, "latex")
    for candidate in candidates:
        found = _read(candidate["text"], candidate["form"])
        if found and not isinstance(found[0], str):
            in_prose = candidate["form"] == "prose" and isinstance(found[-1], str)
            written = found[-1] if in_prose else candidate["text"]
            return {"equal": bool(verify(reference, found, timeout_seconds=STEP_SECONDS)), "read": written}
    return {"equal": False, "read": None}


def _read(text: str, form: str) -> list[Any]:
    """Expressions in the text, the string itself last; empty where there is nothing."""
    if form == "latex":
        one_line = text.replace("\n", " ").strip("$ ")
        return list(parse(f"${one_line}$", [LatexExtractionConfig()], parsing_timeout=STEP_SECONDS))
    return list(parse(text, [LatexExtractionConfig(), ExprExtractionConfig()], parsing_timeout=STEP_SECONDS))


def _answer(line: str) -> dict[str, Any]:
    request = json.loads(line)
    try:
        return compare(request["answer"], request["candidates"])
    except (MemoryError, RecursionError):
        return {"equal": False, "read": None}


def serve() -> None:
    """Answer requests until stdin ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    # Replies keep stdout for themselves: whatever the algebra prints goes nowhere.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin:
        faulthandler.dump_traceback_later(REQUEST_SECONDS, exit=True)
        reply = _answer(line)
        faulthandler.cancel_dump_traceback_later()
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


if __name__ == "__main__":
    serve()
