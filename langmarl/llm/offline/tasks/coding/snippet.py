"""Pieces of code that the offline model knows, and running them on examples."""

from __future__ import annotations

import copy
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import Template
from typing import Any

from langmarl.llm.offline.tasks.coding.request import Example
from langmarl.llm.offline.words import stem

_PLACEHOLDERS = ("a", "b", "c")
_LARGEST_NUMBER = 5_000
_LONGEST_VALUE = 400
_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Foresight:
    """Which special inputs the author of a piece of code thinks of.

    Attributes:
        empty: Nothing in the list or text.
        negatives: Numbers below zero.
        duplicates: The same item more than once.
    """

    empty: bool = False
    negatives: bool = False
    duplicates: bool = False


FORESIGHT = ("empty", "negatives", "duplicates")
"""The names of all special inputs."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A way to write a function; ``$a``, ``$b`` and ``$c`` stand for its parameters, ``$empty`` for an empty result.

    Attributes:
        title: What it does, in words; unique.
        keys: Words that call for it; each entry is a set of alternatives joined by ``|``, all entries must be met.
        kinds: What its parameters are (``items``, ``text``, ``number``, ``mapping``, or empty for anything).
        plain: The body of someone who thinks of ordinary inputs only.
        negatives: The body that holds for negative numbers too; None where the plain one does.
        duplicates: The body that holds for repeated items too; None where the plain one does.
        guard: Lines put in front by someone who thinks of empty input; empty where nothing is needed.
        empty: The result for empty input; empty where the return annotation decides.
    """

    title: str
    keys: tuple[str, ...]
    kinds: tuple[str, ...]
    plain: str
    negatives: str | None = None
    duplicates: str | None = None
    guard: str = ""
    empty: str = ""

    def body(self, parameters: Sequence[str], returns: str, foresight: Foresight) -> str:
        """The lines of the function's body, not indented."""
        lines = self.plain
        if foresight.duplicates and self.duplicates is not None:
            lines = self.duplicates
        if foresight.negatives and self.negatives is not None:
            lines = self.negatives
        guard = textwrap.dedent(self.guard).strip() + "\n" if foresight.empty and self.guard else ""
        names = dict(zip(_PLACEHOLDERS, parameters, strict=False))
        text = guard + textwrap.dedent(lines).strip()
        return Template(text).substitute(names, empty=self.empty or empty_result(returns))

    def meets(self, words: frozenset[str]) -> bool:
        """Whether ``words`` (stems) call for it."""
        return all(not alternatives.isdisjoint(words) for alternatives in _alternatives(self.keys))

    def fits(self, kinds: Sequence[str]) -> bool:
        """Whether its parameters can be of ``kinds``."""
        return len(kinds) == len(self.kinds) and all(
            not given or not wanted or given == wanted for given, wanted in zip(kinds, self.kinds, strict=True)
        )


def empty_result(returns: str) -> str:
    """What a function with the annotation ``returns`` gives where there is nothing to work on."""
    if "None" in returns or "Optional" in returns:
        return "None"
    for pattern, result in (
        (r"^(?:list|List)", "[]"),
        (r"^str", '""'),
        (r"^float", "0.0"),
        (r"^int", "0"),
        (r"^(?:dict|Dict)", "{}"),
    ):
        if re.search(pattern, returns):
            return result
    return "None"


@lru_cache(maxsize=1024)
def _alternatives(keys: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(stem(word) for word in key.split("|")) for key in keys)


def satisfies(snippet: Snippet, returns: str, foresight: Foresight, examples: Sequence[Example]) -> bool:
    """Whether the piece of code gives the stated result for every one of ``examples``.

    Only code of the library is run, under placeholder names, and only on values small enough to be quick.
    """
    if not examples:
        return False
    function = _compiled(snippet, returns, foresight)
    return all(_gives(function, example) for example in examples)


def _gives(function: Callable[..., Any], example: Example) -> bool:
    if not _small(example.arguments):
        return False
    try:
        result = function(*copy.deepcopy(example.arguments))
    except Exception:  # whatever the code raises, it has not given the result
        return False
    return _same(result, example.result)


def _same(result: Any, wanted: Any) -> bool:
    if isinstance(result, bool) != isinstance(wanted, bool):
        return False
    if isinstance(result, float) and isinstance(wanted, (int, float)):
        return abs(result - wanted) <= _TOLERANCE
    return bool(result == wanted) and isinstance(result, type(wanted))


def _small(value: Any) -> bool:
    if isinstance(value, (int, float)):
        return abs(value) <= _LARGEST_NUMBER
    if isinstance(value, (str, bytes)):
        return len(value) <= _LONGEST_VALUE
    if isinstance(value, dict):
        return len(value) <= _LONGEST_VALUE and all(_small(item) for pair in value.items() for item in pair)
    if isinstance(value, (list, tuple, set)):
        return len(value) <= _LONGEST_VALUE and all(_small(item) for item in value)
    return value is None


@lru_cache(maxsize=2048)
def _compiled(snippet: Snippet, returns: str, foresight: Foresight) -> Callable[..., Any]:
    names = _PLACEHOLDERS[: len(snippet.kinds)]
    body = textwrap.indent(snippet.body(names, returns, foresight), "    ")
    namespace: dict[str, Any] = {}
    exec(f"def snippet({', '.join(names)}):\n{body}\n", namespace)  # library code only, see ``satisfies``
    function: Callable[..., Any] = namespace["snippet"]
    return function
