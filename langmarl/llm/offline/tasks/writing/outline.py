"""Plans of a text: lists of what it has to say and do, written by one agent and read by another."""

from __future__ import annotations

import re
from collections.abc import Sequence

from langmarl.llm.offline.tasks.skill import Message
from langmarl.llm.offline.tasks.writing.brief import Brief, Kind
from langmarl.llm.offline.tasks.writing.checks import said
from langmarl.llm.offline.tasks.writing.language import key_stems, sentences
from langmarl.llm.offline.tasks.writing.points import Point
from langmarl.llm.offline.words import tokenize

_ITEM = re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s+(?P<item>\S.*)$", re.MULTILINE)
_NAME_OR_NUMBER = re.compile(r"\d|(?<!^)\b[A-Z]\w*")


def write_outline(brief: Brief, with_details: bool, known: Sequence[str] = ()) -> str:
    """One line for each requirement that ``known`` (points already listed) does not hold.

    Args:
        brief: What is asked for.
        with_details: Whether names, numbers and dates are copied out; if not, they are left to whoever writes.
        known: Points of earlier outlines.
    """
    lines: list[str] = []
    for requirement in brief.requirements:
        points = [point for demand in requirement.demands for point in demand.points]
        lines += [in_words(point, with_details) for point in points]
        if any(demand.kind is not Kind.CONTENT for demand in requirement.demands):
            lines.append(requirement.words[:1].lower() + requirement.words[1:])
    fresh = [line for line in lines if not any(key_stems(line) <= key_stems(other) for other in known)]
    return "What the text needs:\n" + "\n".join(f"- {line}" for line in fresh) if fresh else "Nothing is missing above."


def in_words(point: Point, with_details: bool) -> str:
    """A point as a line of an outline."""
    value = point.value if with_details else without_details(point)
    if point.form == "fact":
        return f"{point.label}: {value}" if value else point.label
    verb = {"request": "ask the reader to ", "offer": f"{point.label} "}.get(point.form, "")
    return verb + (value or "one more thing")


def without_details(point: Point) -> str:
    """What remains of a point for someone who does not copy names, numbers and dates; may be empty."""
    if point.form == "fact":
        return ""
    words = point.value.split()
    cut = next((index for index, word in enumerate(words) if _NAME_OR_NUMBER.search(word) and index), len(words))
    if _NAME_OR_NUMBER.search(words[0]) or re.match(r"[A-Z]", words[0]):
        cut = 0
    while cut and words[cut - 1].lower() in _DANGLING:
        cut -= 1
    return " ".join(words[:cut])


_DANGLING = frozenset(tokenize("from to at on in by of for the a an and or before after until every between with"))


def listed(messages: Sequence[Message]) -> list[str]:
    """The items of the lists in ``messages``; prose holds none."""
    return [match["item"].strip() for message in messages for match in _ITEM.finditer(message.text)]


def passed_on(messages: Sequence[Message]) -> list[str]:
    """Everything in ``messages`` that someone can build on: the items of lists, and sentences."""
    return [*listed(messages), *(sentence for message in messages for sentence in sentences(message.text))]


def mentions(line: str, point: Point) -> bool:
    """Whether an outline's ``line`` is about ``point``, in full or by its name alone."""
    if said(point, line) >= 0.5:
        return True
    handle = key_stems(point.label if point.form == "fact" else without_details(point))
    return bool(handle) and len(handle & key_stems(line)) >= 0.6 * len(handle)
