"""How a field is named and explained, from its name in the file and its docstring."""

from __future__ import annotations

import re

_WORDS = {
    "num": "number of",
    "max": "maximum",
    "min": "minimum",
    "exp": "experiment",
    "env": "environment",
    "llm": "model",
    "llms": "models",
    "eval": "evaluation",
    "dir": "directory",
    "usd": "(US dollars)",
    "s": "(seconds)",
    "chars": "characters",
    "params": "parameters",
    "url": "address",
    "api": "API",
    "var": "variable",
    "json": "JSON",
}
_NONE_MEANS = re.compile(r"\bNone:\s*(.+?)(?:\.\s|\.?$)", re.DOTALL)
_LONGEST_MEANING = 60


def label_of(name: str) -> str:
    """A field's name as people read it: ``max_cost_usd`` → ``Maximum cost (US dollars)``."""
    words = " ".join(_WORDS.get(word, word) for word in name.split("_") if word)
    return words[:1].upper() + words[1:] if words else name


def meaning_of_none(description: str | None) -> str:
    """What leaving a field out does, as its docstring says after ``None:``; empty where it does not say."""
    found = _NONE_MEANS.search(" ".join((description or "").split()))
    meaning = found.group(1) if found else ""
    return meaning if len(meaning) <= _LONGEST_MEANING else meaning[: _LONGEST_MEANING - 1].rstrip() + "…"


def plain_description(description: str | None) -> str:
    """A docstring on one line, in words that fit a form: an unset field is called so instead of None."""
    return re.sub(r"\bNone\b", "Not set", " ".join((description or "").split()))
