"""How an agent of the offline model works on a coding task, given what its policy tells it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from langmarl.llm.offline.choice import pick
from langmarl.llm.offline.seat import Seat
from langmarl.llm.offline.tasks.coding.request import Request, read_request
from langmarl.llm.offline.tasks.coding.snippet import FORESIGHT, Foresight
from langmarl.llm.offline.tasks.coding.synthesis import Style, choose, write_function
from langmarl.llm.offline.tasks.skill import Message

_VAGUE = (
    "This looks like a common exercise. I would go through the input once and build up the result on the way.",
    "The description is clear enough. A loop or a short expression should do.",
    "My plan: think about what the function has to do, then write it down in a few lines.",
)
_NODS = ("That sounds right to me; nothing to add.", "I agree. Let us leave it at that.")
_OPENINGS = ("Here is how I would write it:", "This is what I came up with.", "I think this could work:")
_CLOSINGS = (
    "It goes through the input once, which should be fast enough.",
    "I hope this is what was meant; it can still be tidied up.",
    "The idea is simple, so I did not try it out.",
)
_CASES = {
    "empty": ("an empty list or text", re.compile(r"\bempty\b|\bno (?:items|elements)\b", re.IGNORECASE)),
    "negatives": ("negative numbers", re.compile(r"\bnegative|\bbelow zero\b", re.IGNORECASE)),
    "duplicates": ("repeated values", re.compile(r"\brepeated\b|\bduplicate|\bmore than once\b", re.IGNORECASE)),
}
_CONTAINERS = ("items", "text", "mapping", "")


def act(task: str, earlier: Sequence[Message], seat: Seat, habits: Mapping[str, bool | None]) -> str:
    """The message of the agent in ``seat``: the function from the last one, notes from the others."""
    request = read_request(task)
    if request is None:
        return "I see no function here that I could write."
    notes = "\n".join(message.text for message in earlier) if habits.get("teammate") else ""
    foresight = foresight_of(habits, notes)
    if not seat.last:
        return _notes(request, foresight, habits) or pick(_NODS if earlier else _VAGUE, task, seat.position)
    snippet = choose(request, tries_examples=habits.get("examples") is True, foresight=foresight, approach=notes)
    style = Style(keeps_name=habits.get("signature") is True, returns=habits.get("returns") is True)
    return _presented(task, write_function(request, snippet, foresight, style), habits.get("fence"))


def foresight_of(habits: Mapping[str, bool | None], notes: str) -> Foresight:
    """Which special inputs an agent thinks of that was told ``habits`` and goes by ``notes``; what it was told wins."""
    thought_of = {}
    for name in FORESIGHT:
        told = habits.get(name)
        if told is None:
            told = habits.get("edge_cases") is True or cases_in(notes)[name]
        thought_of[name] = told
    return Foresight(**thought_of)


def cases_in(notes: str) -> dict[str, bool]:
    """Which special inputs ``notes`` mention, by name."""
    return {name: pattern.search(notes) is not None for name, (_, pattern) in _CASES.items()}


def _notes(request: Request, foresight: Foresight, habits: Mapping[str, bool | None]) -> str:
    """What an agent that does not write the function leaves for the one that does; empty where it has nothing."""
    lines = []
    cases = [_CASES[name][0] for name in FORESIGHT if getattr(foresight, name) and _applies(name, request)]
    if cases:
        lines.append(f"Edge cases to handle: {'; '.join(cases)}.")
    if habits.get("examples") is True and request.examples:
        lines.append(f"Examples: {'; '.join(example.text for example in request.examples)}.")
        snippet = choose(request, tries_examples=True, foresight=foresight)
        if snippet is not None:
            lines.append(f"Approach: {snippet.title}.")
    return "\n".join(lines)


def _applies(case: str, request: Request) -> bool:
    """Whether a parameter of ``request`` can hold such an input."""
    if case == "empty":
        return any(kind in _CONTAINERS for kind in request.kinds)
    if case == "duplicates":
        return any(kind in ("items", "") for kind in request.kinds)
    return any(kind in ("items", "number", "") for kind in request.kinds)


def _presented(task: str, code: str, fence: bool | None) -> str:
    if fence:
        return f"```python\n{code}\n```"
    if fence is None and len(code.strip().splitlines()) <= 2:
        return code
    return f"{pick(_OPENINGS, task)}\n\n{code}\n\n{pick(_CLOSINGS, task)}"
