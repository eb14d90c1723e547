"""Keeps keys out of everything that is shown, logged or written."""

from __future__ import annotations

import json
import re
from urllib.parse import quote

MASK = "***"

_SHORTEST_SECRET = 8
"""Shorter keys are placeholders ("ollama", "EMPTY"); masking them would garble ordinary words."""

# A scheme with its credential, and the masked forms in which providers quote a key they refuse ("sk-ab****wxyz").
_CREDENTIALS = re.compile(
    r"(?i)\b(bearer)\s+[^\s\"',;]+"
    r"|\b(?:sk|gsk|xai|pplx|tgp)[-_][\w*.-]{6,}"
    r"|\bAIza[\w*.-]{10,}"
    r"|[\w-]{0,64}\*{4,}[\w-]{0,64}"
)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def mask_key(text: str, key: str | None) -> str:
    """``text`` with every occurrence of ``key`` masked, also as JSON or a URL would spell it."""
    if not key or len(key) < _SHORTEST_SECRET:
        return text
    for spelling in (key, json.dumps(key)[1:-1], quote(key, safe="")):
        text = text.replace(spelling, MASK)
    return text


def server_words(text: str, key: str | None, limit: int = 500) -> str:
    """What a server said, fit for a message: without keys, on one line, at most ``limit`` characters.

    Besides ``key`` itself, whatever looks like a credential is masked: servers quote keys in part.
    """
    # Servers may send whole pages; what is beyond a few times the limit would be cut off in the end anyway.
    head = mask_key(text, key)[: 4 * limit]
    masked = _CREDENTIALS.sub(lambda match: f"{match[1]} {MASK}" if match[1] else MASK, head)
    line = " ".join(masked.split())
    return line if len(line) <= limit else f"{line[:limit]}…"


def well_formed(text: str) -> str:
    """``text`` without lone surrogates, which no UTF-8 file or request can hold."""
    return _LONE_SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
