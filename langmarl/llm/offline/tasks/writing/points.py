"""Things a text has to say, read from requirements such as "Give the date, Friday 12 June, and the place"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Form = Literal["clause", "thing", "fact", "request", "offer"]


@dataclass(frozen=True, slots=True)
class Point:
    """One thing to say.

    Attributes:
        form: How it was put: a ``clause`` ("that the lift is closed"), a bare ``thing`` ("the old mill"), a ``fact``
            with its name ("the date, Friday 12 June"), a ``request`` ("ask the reader to bring gloves") or an
            ``offer`` ("invite the guest to a dessert").
        label: The name of the fact ("the date"), the verb of the offer, else empty.
        value: What must be recognisable in the text.
    """

    form: Form
    label: str
    value: str


_READER = r"(?:the |a |all |your )?(?:readers?|guests?|customers?|visitors?|residents?|members?|parents?|them|people)"
_LEAD = re.compile(
    r"^(?:(?:please|also|briefly|clearly) )*(?:mention|include|name|state|give|say|explain|note|describe|add|list|"
    r"point out|provide|refer to|announce|specify|show|report|use|for|"
    rf"(?:tell|inform|remind) {_READER}(?: of| about)?)\s+",
    re.IGNORECASE,
)
_REQUEST = re.compile(rf"^(?:ask|remind|tell|invite|urge) {_READER} to (?!an? |the )(?P<what>.+)$", re.IGNORECASE)
_OFFER = re.compile(rf"^(?P<verb>offer|invite)(?: {_READER})?(?: to)? (?P<what>.+)$", re.IGNORECASE)
_NAMED = r"(?:the|her|his|its|their|your|both|an?|one|two|three|four)\b"
_FACT = re.compile(rf"^(?P<label>{_NAMED}[^,:]*), (?P<value>[^,:]+?)(?:,? and (?P<rest>{_NAMED}[^,:]*, .+))?$")
_COUNTED = re.compile(r"^(?:the )?(?:both|two|three|four|five)\b", re.IGNORECASE)


def read_points(words: str) -> tuple[Point, ...]:
    """Read what a requirement asks to be said; at least one point, the whole of ``words`` where no rule fits."""
    request = _REQUEST.match(words)
    if request:
        return (Point("request", "", request["what"]),)
    offer = _OFFER.match(words)
    if offer:
        return (Point("offer", offer["verb"].lower(), offer["what"]),)
    said = _LEAD.sub("", words).strip() or words
    if re.match(r"that\b", said, re.IGNORECASE):
        return (Point("clause", "", said[4:].strip()),)
    label, colon, value = said.partition(": ")
    if colon:
        return (Point("fact", label.strip(), value.strip()),)
    return tuple(_facts_or_things(said))


def _facts_or_things(said: str) -> list[Point]:
    fact = _FACT.match(said)
    if fact is None or _is_list(fact["label"], fact["value"], said):
        return [Point("thing", "", item) for item in _items(said)]
    rest = _facts_or_things(fact["rest"]) if fact["rest"] else []
    return [Point("fact", fact["label"], fact["value"]), *rest]


def _is_list(label: str, value: str, said: str) -> bool:
    """Whether "the helmet, the harness and the rope" lists things rather than naming a fact and its value."""
    if _COUNTED.match(label):
        return False
    return " and " in said and bool(re.match(r"(?:the|an?|her|his|its|their|your)\b", value)) and " and " in value


def _items(said: str) -> list[str]:
    """The things in "honey, the hive and a jar"; a thing that is itself an "A and B" is split too."""
    parts = re.split(r",\s*(?:and\s+)?|\s+and\s+", said)
    return [part.strip() for part in parts if part.strip()]
