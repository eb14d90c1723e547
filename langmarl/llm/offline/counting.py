"""How the offline model counts tokens: every word, number and punctuation mark is one; white space is none."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\w+|[^\w\s]")


def count_tokens(text: str) -> int:
    """Tokens in ``text``."""
    return sum(1 for _ in _TOKEN.finditer(text))


def first_tokens(text: str, limit: int) -> str:
    """``text`` up to the end of its token number ``limit``; all of it where it has no more."""
    if limit <= 0:
        return ""
    for number, found in enumerate(_TOKEN.finditer(text), 1):
        if number == limit:
            return text[: found.end()]
    return text
