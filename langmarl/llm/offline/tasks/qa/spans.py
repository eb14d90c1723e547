"""Pieces of a sentence that can be an answer: names, titles in quotes, dates, years, numbers, descriptions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from langmarl.llm.offline.words import word_set

SpanKind = Literal["name", "quoted", "date", "year", "number", "description"]

_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_NUMBER_WORDS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|"
    "nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand"
)
_CAPITAL = r"(?:(?:[A-Z]\.){1,3}|[A-Z\u00c0-\u00de\u0100-\u017e][\w'\u2019.\-]*\w|[A-Z])"
_JOINER = r"(?:\s+(?:of|the|de|la|le|von|van|der|den|di|du|da|del|al|el|for|in|on|to|at|&|with|mit|vs\.?)){1,2}"
_PATTERNS: tuple[tuple[SpanKind, re.Pattern[str]], ...] = (
    (
        "date",
        re.compile(rf"\b\d{{1,2}} {_MONTH}(?:,? \d{{4}})?\b|\b{_MONTH} \d{{1,2}}(?:, \d{{4}})?\b|\b{_MONTH} \d{{4}}\b"),
    ),
    ("year", re.compile(r"\b(?:1[0-9]\d\d|20\d\d)\b")),
    ("quoted", re.compile(r"[\"\u201c]([^\"\u201d]{2,80})[\"\u201d]")),
    ("name", re.compile(rf"(?<![\w'])(?:\d+(?:st|nd|rd|th)\s+)?{_CAPITAL}(?:(?:{_JOINER})?,?\s+{_CAPITAL})*!?")),
    ("number", re.compile(rf"\b\d[\d,.]*\d\b|\b\d+\b|\b(?:{_NUMBER_WORDS})(?:[- ](?:{_NUMBER_WORDS}))?\b")),
    (
        "description",
        re.compile(
            r"\b(?:is|was|are|were|as)\s+(?:an?|the)\s+((?:[\w\u2019'-]+\s+){0,5}?[\w-]+)"
            r"(?=\s+(?:of|in|by|that|which|who|from|for|to|on|based|located|and|at|with|known|formed|published)\b|[,.;(])"
        ),
    ),
)
_SENTENCE_STARTERS = word_set(
    "The A An In On At It He She They His Her Its This That These Those There After Before During While When As By For "
    "From With Since Until Although However Born Also Its Their One Some Most Many Between Under Over According"
)
_NATIONALITY_END = re.compile(r"(?:ian|ish|ese|ean|can|man|ench|utch|eek|iss|wegian)$")


@dataclass(frozen=True, slots=True)
class Span:
    """A possible answer.

    Attributes:
        text: As written, without quotation marks.
        kind: What it looks like.
        start: Its place in the sentence, in characters.
    """

    text: str
    kind: SpanKind
    start: int


@lru_cache(maxsize=8192)
def spans(sentence: str) -> tuple[Span, ...]:
    """Every possible answer in ``sentence``; dates and years hide the numbers inside them."""
    found: list[Span] = []
    taken: list[tuple[int, int]] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(sentence):
            group = 1 if match.lastindex else 0
            start, end = match.span(group)
            if kind == "number" and any(low <= start < high for low, high in taken):
                continue
            if kind == "name":
                found += _names(sentence, start, end)
            else:
                found.append(Span(sentence[start:end].strip(" ,."), kind, start))
            if kind in ("date", "year"):
                taken.append((start, end))
    return tuple(span for span in found if span.text)


def _names(sentence: str, start: int, end: int) -> list[Span]:
    """A run of capitals as names: split at commas, without a word that only starts the sentence."""
    pieces: list[Span] = []
    text = sentence[start:end]
    for match in re.finditer(r"[^,]+", text):
        piece, offset = re.sub(r"['\u2019]s$", "", match.group().strip()), start + match.start()
        first, _, rest = piece.partition(" ")
        if first in _SENTENCE_STARTERS and (offset == 0 or not rest):
            piece, offset = rest, offset + len(first) + 1
        first, _, rest = piece.partition(" ")
        if first in ("of", "in", "on", "the", "for", "at", "to"):
            piece = rest
        if piece and not re.fullmatch(_MONTH, piece):
            pieces.append(Span(piece, "name", offset))
            pieces += _without_nationality(piece, offset)
    if "," in text and len(pieces) >= 2:
        pieces.append(Span(text.strip(" ,"), "name", start))
    return pieces


def _without_nationality(piece: str, offset: int) -> list[Span]:
    """ "American Kim Vale" also offers "Kim Vale"."""
    first, _, rest = piece.partition(" ")
    return [Span(rest, "name", offset + len(first) + 1)] if rest and is_nationality(first) else []


def is_nationality(word: str) -> bool:
    """Whether ``word`` looks like an adjective of nation or region ("Norwegian", "French")."""
    return word[:1].isupper() and _NATIONALITY_END.search(word) is not None


def years(text: str) -> list[int]:
    """The years that ``text`` names, in order."""
    return [int(match) for match in re.findall(r"\b(1[0-9]\d\d|20\d\d)\b", text)]


def amounts(text: str) -> list[float]:
    """The plain numbers in ``text``, in order; thousands may be set off with commas."""
    return [float(match.replace(",", "")) for match in re.findall(r"\b\d[\d,]*(?:\.\d+)?\b", text)]
