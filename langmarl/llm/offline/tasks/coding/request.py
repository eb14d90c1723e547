"""A coding task as an actor sees it: the function to complete, what its docstring says, and its examples."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from langmarl.syntax import expression

_FENCE = re.compile(r"```(?:python)?\s*\n(.*)\n?```", re.DOTALL)
_HEADER = re.compile(
    r"^def\s+(?P<name>\w+)\s*\((?P<parameters>[^)]*)\)\s*(?:->\s*(?P<returns>[^:\n]+))?:", re.MULTILINE
)
_EXAMPLE = re.compile(r"^\s*>>>\s*(?P<call>.+?)\s*\n\s*(?P<result>\S.*?)\s*$", re.MULTILINE)
_LONGEST_LITERAL = 2000

KINDS = {
    "items": r"^(?:typing\.)?(?:list|List|tuple|Tuple|Sequence|Iterable|set|Set)\b",
    "text": r"^str\b",
    "number": r"^(?:int|float|complex)\b",
    "mapping": r"^(?:typing\.)?(?:dict|Dict|Mapping)\b",
    "flag": r"^bool\b",
}
"""What a parameter can be, by the look of its annotation."""


@dataclass(frozen=True, slots=True)
class Example:
    """One example of the docstring: the function gives ``result`` for ``arguments`` (both plain Python values)."""

    arguments: tuple[Any, ...]
    result: Any
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """A function to write.

    Attributes:
        name: As given.
        header: The ``def`` line as given, up to the colon.
        head: What stands before it (imports, other functions), as given.
        parameters: Names, in order.
        kinds: What each parameter is, see ``KINDS``; empty where the annotation does not say.
        returns: The return annotation, or an empty string.
        description: The docstring without its examples.
        examples: Those whose arguments and result are literals.
    """

    name: str
    header: str
    head: str
    parameters: tuple[str, ...]
    kinds: tuple[str, ...]
    returns: str
    description: str
    examples: tuple[Example, ...] = field(hash=False)


@lru_cache(maxsize=1024)
def read_request(task: str) -> Request | None:
    """The function that ``task`` asks for, or None where it shows none. Nothing of it is ever executed."""
    found = _FENCE.search(task)
    source = found.group(1) if found else task
    headers = list(_HEADER.finditer(source))
    if not headers:
        return None
    header = headers[-1]
    docstring = _docstring(source[header.end() :])
    parts = [part.strip() for part in _split(header.group("parameters"))]
    parameters = [part for part in parts if part and not part.startswith("*")]
    names = tuple(re.split(r"[:=\s]", part)[0] for part in parameters)
    return Request(
        name=header.group("name"),
        header=header.group(),
        head=source[: header.start()].strip(),
        parameters=names,
        kinds=tuple(_kind(part.partition(":")[2].strip()) for part in parameters),
        returns=(header.group("returns") or "").strip(),
        description=_EXAMPLE.sub("", docstring).strip(),
        examples=tuple(_examples(docstring, header.group("name"))),
    )


def _docstring(after: str) -> str:
    found = re.search(r"(\"\"\"|''')(.*?)(?:\1|$)", after, re.DOTALL)
    return found.group(2) if found else ""


def _split(parameters: str) -> list[str]:
    """Cut at the commas outside brackets."""
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(parameters):
        depth += (sign in "[({") - (sign in "])}")
        if sign == "," and depth == 0:
            parts.append(parameters[start:place])
            start = place + 1
    return [*parts, parameters[start:]]


def _kind(annotation: str) -> str:
    return next((kind for kind, pattern in KINDS.items() if re.search(pattern, annotation)), "")


def _examples(docstring: str, name: str) -> list[Example]:
    examples = []
    for found in _EXAMPLE.finditer(docstring):
        call, result = found.group("call"), found.group("result")
        arguments = _arguments(call, name)
        if arguments is None or len(result) > _LONGEST_LITERAL:
            continue
        written = expression(result)
        value = None if written is None else _literals([written])
        if value is not None:
            examples.append(Example(arguments, value[0], f"{call} gives {result}"))
    return examples


def _arguments(call: str, name: str) -> tuple[Any, ...] | None:
    """The literal arguments of ``call``, or None where it is not a plain call of ``name``."""
    if len(call) > _LONGEST_LITERAL:
        return None
    node = expression(call)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name and not node.keywords:
        return _literals(node.args)
    return None


def _literals(nodes: list[ast.expr]) -> tuple[Any, ...] | None:
    """The values that are written there, or None where one is no plain literal."""
    try:
        return tuple(ast.literal_eval(node) for node in nodes)
    except (ValueError, TypeError, MemoryError, RecursionError):
        return None
