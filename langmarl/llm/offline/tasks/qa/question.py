"""What a question asks for: a person, a date, a place, a number, yes or no, one of two things, or a named kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from langmarl.llm.offline.words import stem

Kind = Literal["person", "date", "year", "place", "number", "yes_no", "choice", "shared", "thing"]

_YES_NO = re.compile(r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b", re.IGNORECASE)
_PERSON_NOUNS = frozenset(
    stem(word)
    for word in "person actor actress singer director author writer player man woman politician artist musician "
    "president composer producer novelist poet painter scientist king queen emperor driver coach architect "
    "photographer inventor footballer comedian cartoonist physicist designer explorer engineer captain founder "
    "creator leader daughter son wife husband father mother brother sister governor senator mayor chef keeper "
    "botanist astronomer gardener navigator sculptor surveyor geologist weaver teacher".split()
)
_PLACE_NOUNS = frozenset(
    stem(word)
    for word in "city country state county town village place location continent region province island capital "
    "district nation municipality borough harbour valley".split()
)
_NUMBER_NOUNS = frozenset(stem(word) for word in "number amount population height length age distance".split())
_DATE_NOUNS = frozenset(stem(word) for word in "date day birthday birthdate month".split())
_SHARED = re.compile(r"\b(?:in common|both|have common|share)\b", re.IGNORECASE)
_ASKING = re.compile(
    r"\b(?:what|which)(?:'s)?\s+(?P<noun>(?:(?!(?:is|are|was|were|did|does|do|has|have|had|that|who|which|in|of|"
    r"by|for|from|with|to|can|could|will|would|the|a|an|and|on|at|where|when)\b)[\w'\u2013-]+"
    r"(?:, (?-i:(?=[A-Z]))|\s*)){1,6})",
    re.IGNORECASE,
)
_THIS = re.compile(
    r"\bthis\s+(?P<noun>(?:(?!(?:is|was|of|that|who|which|in|by|for|with|born|and|has|had|from|on)\b)[\w'-]+\s*){1,4})",
    re.IGNORECASE,
)
_WHAT_IS_THE = re.compile(
    r"\b(?:what|which|who|whats)(?:'s)?\s+(?:is|are|was|were)?\s*the\s+(?P<noun>(?:(?!(?:of|that|who|which|in|for|to|by|"
    r"from|on|at|is|was)\b)[\w'-]+\s*){1,4})",
    re.IGNORECASE,
)
_LIST = re.compile(r"(?P<first>[^,?]+?),?\s+or\s+(?P<second>[^?]+?)\s*\?*\"?$", re.IGNORECASE)
_PAIR = re.compile(r"(?P<first>.+?)\s*,?\s+(?:and|or)\s+(?P<second>.+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Attributes:
        text: As asked.
        kind: The kind of answer.
        nouns: Stems of the words that name the kind ("what *arena*"), the head last.
    """

    text: str
    kind: Kind
    nouns: tuple[str, ...]


@lru_cache(maxsize=1024)
def read_question(text: str) -> Question:
    """Tell the kind of answer that ``text`` asks for."""
    nouns = _nouns(text)
    return Question(text, _kind(text.strip(), nouns), nouns)


def _nouns(text: str) -> tuple[str, ...]:
    found = _ASKING.search(text) or _WHAT_IS_THE.search(text)
    if found is None and not re.search(r"\b(?:who|when|where|how|what|which)\b", text, re.IGNORECASE):
        found = _THIS.search(text)
    return tuple(stem(word) for word in re.findall(r"[\w'-]+", found.group("noun"))) if found else ()


def _kind(text: str, nouns: tuple[str, ...]) -> Kind:
    lowered = text.lower()
    offers = is_choice(text)
    if _YES_NO.match(text):
        return "choice" if offers and " both " not in f" {lowered} " else "yes_no"
    if offers:
        return "choice"
    if re.search(r"\bhow (?:many|much|tall|old|long|high|far|large|big|deep)\b", lowered):
        return "number"
    if nouns and "year" in nouns[-2:]:
        return "year"
    if "when" in lowered.split()[:3] or (nouns and nouns[-1] in _DATE_NOUNS):
        return "date"
    if re.search(r"\bin common\b", lowered) or (_SHARED.search(text) and nouns and "both" in lowered):
        return "shared"
    if re.match(r"^(?:.*\b(?:in|from|at) )?where\b", lowered) or (nouns and nouns[-1] in _PLACE_NOUNS):
        return "place"
    if re.search(r"\b(?:who|whom|whose)\b", lowered) and not nouns:
        return "person"
    if nouns and nouns[-1] in _PERSON_NOUNS:
        return "person"
    if lowered.startswith("who") or re.search(r"\bby (?:who|whom)\b", lowered):
        return "person"
    if nouns and nouns[-1] in _NUMBER_NOUNS:
        return "number"
    return "thing"


def is_choice(text: str) -> bool:
    """Whether the question offers two things to choose from."""
    lowered = text.lower()
    if re.search(r"\bwhich of\b.*\band\b", lowered):
        return True
    if re.search(r"\bboth\b", lowered):
        return False
    comparing = re.search(
        r"\b(?:first|earlier|older|younger|more|larger|bigger|further|farther|longer|higher|taller|later|oldest|"
        r"which|who|smaller|nearer|deeper|closer|fewer|less|faster|heavier|shorter|newer)\b",
        lowered,
    )
    return bool(comparing and re.search(r"\bor\b", lowered)) or bool(
        comparing
        and re.search(r"(?:,|between)\s[^,]+\sand\s[^,]+\?*$", lowered)
        and re.search(r"older|first|more", lowered)
    )
