"""Choosing a piece of code for a request, and writing the function."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from functools import lru_cache

from langmarl.llm.offline.tasks.coding.composition import compositions
from langmarl.llm.offline.tasks.coding.library import LIBRARY
from langmarl.llm.offline.tasks.coding.request import Request
from langmarl.llm.offline.tasks.coding.snippet import Foresight, Snippet, satisfies
from langmarl.llm.offline.words import stems

_LONG_NAME = 13
_LAST_RETURN = re.compile(r"^return (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Style:
    """How the function is written down.

    Attributes:
        keeps_name: Under the given name and parameters; else a long name is shortened.
        returns: Gives the result back; else prints it unless the description says "return".
    """

    keeps_name: bool = True
    returns: bool = True


@lru_cache(maxsize=2048)
def candidates(request: Request) -> tuple[Snippet, ...]:
    """The pieces that the request could mean, likeliest first: those its name calls for, then those its text does."""
    by_name = _called_for(request, frozenset(stems(request.name.replace("_", " "))))
    both = _called_for(request, frozenset(stems(f"{request.name.replace('_', ' ')} {request.description}")))
    return tuple(dict.fromkeys((*by_name, *both)))


def _called_for(request: Request, words: frozenset[str]) -> list[Snippet]:
    pieces = [snippet for snippet in LIBRARY if snippet.fits(request.kinds) and snippet.meets(words)]
    pieces.extend(compositions(words, request.kinds))
    return sorted(pieces, key=lambda snippet: -len(snippet.keys))


def choose(request: Request, *, tries_examples: bool, foresight: Foresight, approach: str = "") -> Snippet | None:
    """The piece to write.

    Args:
        request: What is asked for.
        tries_examples: Whether to run candidates on the docstring's examples and take the first that passes.
        foresight: Which special inputs to think of.
        approach: A text that may name a piece by its title; that one is preferred.

    Returns:
        None where nothing in the library comes near.
    """
    pieces = list(candidates(request))
    pieces.sort(key=lambda snippet: snippet.title not in approach)
    if tries_examples:
        for snippet in pieces:
            if satisfies(snippet, request.returns, foresight, request.examples):
                return snippet
    return pieces[0] if pieces else None


def write_function(request: Request, snippet: Snippet | None, foresight: Foresight, style: Style) -> str:
    """The source of the function, with the imports that the request came with."""
    header = request.header
    if not style.keeps_name:
        header = header.replace(f"def {request.name}", f"def {shortened(request.name)}", 1)
    body = _body(request, snippet, foresight)
    if not style.returns and not re.search(r"\breturn", request.description, re.IGNORECASE):
        body = _LAST_RETURN.sub(r"print(\1)", body)
    head = f"{request.head}\n\n\n" if request.head else ""
    return f"{head}{header}\n{textwrap.indent(body, '    ')}"


def _body(request: Request, snippet: Snippet | None, foresight: Foresight) -> str:
    if snippet is None:
        return f"return {request.parameters[0]}" if request.parameters else "return None"
    return snippet.body(request.parameters, request.returns, foresight)


def shortened(name: str) -> str:
    """What a careless author makes of a long name: its first word, and its last where there are three or more."""
    words = name.split("_")
    if len(name) <= _LONG_NAME or len(words) < 2:
        return name
    return words[0] if len(words) == 2 else f"{words[0]}_{words[-1]}"
