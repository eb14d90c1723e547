"""Variety without chance: a choice that depends on the request alone."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


def draw(*seed: object) -> int:
    """A number from 0 to 2**64 - 1 that follows from ``seed`` and from nothing else (no process, no clock)."""
    text = "\x1f".join(str(part) for part in seed)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def pick(options: Sequence[Item], *seed: object) -> Item:
    """One of ``options``, always the same one for the same ``seed``."""
    return options[draw(*seed) % len(options)]
