"""Telling that a setting holds a key, by its name or by its text, so that it is refused before it is kept anywhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

_NAMES = frozenset(
    "apikey apitoken accesstoken authtoken bearertoken authorization clientsecret secretkey secret password".split()
)
# Only what stands alone: a policy may well speak of "key-value-pairs".
_KEY_ALONE = re.compile(
    r"(?:(?:sk|pk|rk|gsk|tgp|xai|pplx|hf|ghp|github_pat|glpat)[-_][\w-]{12,}|AIza[\w-]{20,}|Bearer\s+\S{8,})", re.I
)
_FORBIDDEN_IN_ADDRESS = "@?#"


def names_a_key(name: object) -> bool:
    """Whether a setting of this name can hold nothing but a key: ``apikey``, ``X-API-Key``, ``openai_api_key``."""
    plain = re.sub(r"[^a-z]", "", str(name).casefold())
    return plain in _NAMES or plain.endswith("apikey")


def is_key_alone(value: object) -> bool:
    """Whether a value is one key of a known provider's form, and nothing besides."""
    return isinstance(value, str) and _KEY_ALONE.fullmatch(value.strip()) is not None


def address_holds_more(value: object) -> bool:
    """Whether a text is an address with a user name, a password, a query or a fragment: places for a key."""
    if not isinstance(value, str) or "://" not in value:
        return False
    try:
        parts = urlsplit(value)
    except ValueError:
        return any(sign in value for sign in _FORBIDDEN_IN_ADDRESS)
    return "@" in parts.netloc or bool(parts.query) or bool(parts.fragment)


def holds_key(data: Any) -> bool:
    """Whether a key is anywhere in JSON data, as far as names and texts tell."""
    if isinstance(data, Mapping):
        return any(
            is_key_alone(name) or (names_a_key(name) and value not in (None, "")) or holds_key(value)
            for name, value in data.items()
        )
    return any(map(holds_key, data)) if isinstance(data, list | tuple) else is_key_alone(data)
