"""A point of a brief, put as a sentence, a step or a line of verse."""

from __future__ import annotations

import re

from langmarl.llm.offline.tasks.writing import phrases
from langmarl.llm.offline.tasks.writing.outline import without_details
from langmarl.llm.offline.tasks.writing.points import Point

_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|must|may|will|do|does|opens|closes|starts|begins|takes|comes|goes|works|"
    r"wait|waits|broke|needs?|\w{3,}ed)\b"
)
_PLURAL = re.compile(r"^(?:the |their |your |its )?(?:both|two|three|four|five)\b|(?<!s)s$")


def as_sentence(point: Point, with_details: bool) -> str:
    """A full sentence that makes ``point``; without details it names the matter and no more."""
    if not with_details:
        return _vague(point)
    value = point.value.rstrip(".") if not point.value.endswith(".m.") else point.value[:-1]
    if point.form == "clause":
        return f"{capital(value)}."
    if point.form == "request":
        return f"Please {value}."
    if point.form == "offer":
        return f"We would like to invite you to {value}." if point.label == "invite" else f"We offer you {value}."
    if point.form == "thing":
        several = bool(re.search(r",| and ", value))
        return f"{'These' if several else 'One thing'} {'deserve' if several else 'deserves'} a mention: {value}."
    return _fact(point.label, value)


def _fact(label: str, value: str) -> str:
    how_to = re.match(r"(?:how to|where to) (?P<act>.+)$", label)
    if how_to:
        return f"You can {how_to['act']} {value}."
    in_case = re.match(r"what to do (?P<case>(?:if|when|in) .+)$", label)
    if in_case:
        return f"{capital(in_case['case'])}, {value}."
    if re.search(r"\b(?:reason|cause)$", label):
        return f"The reason is {'that ' if _FINITE.search(value) else ''}{value}."
    if re.search(r"\b(?:detail|example|thing|memory)$", label):
        return f"{capital(value)}." if _FINITE.search(value) else f"We often think of {value}."
    name = re.sub(r"^(?:both|all)\b", "the two", re.sub(r"^(?:her|his|its|their|your|an?)\b", "the", label))
    verb = "are" if _PLURAL.search(name) else "is"
    that = " that" if _FINITE.search(value) else ""
    return f"{capital(name)} {verb}{that} {value}."


def _vague(point: Point) -> str:
    if point.form == "fact":
        return f"There is also something to say about {_without_how(point.label)}."
    rest = without_details(point)
    if not rest:
        return "There is one more thing to be said here."
    return as_sentence(Point(point.form, point.label, rest), with_details=True)


def _without_how(label: str) -> str:
    return label if not re.match(r"(?:how|where|what|when|why)\b", label) else f"the question {label}"


def as_step(point: Point, with_details: bool) -> str:
    """An instruction that makes ``point``: things become something to check."""
    if point.form == "thing":
        value = point.value if with_details else without_details(point)
        return f"{'Do' if 'check' in value else 'Check'} {value or 'everything'}."
    return as_sentence(point, with_details)


def as_line(point: Point, number: int) -> str:
    """A line of verse that holds ``point``; lines with different numbers end differently."""
    ending = phrases.LINE_ENDINGS[number % len(phrases.LINE_ENDINGS)]
    return f"{point.value} {ending}" if point.form == "thing" else point.value


def capital(text: str) -> str:
    """``text`` with its first letter in upper case."""
    return text[:1].upper() + text[1:]
