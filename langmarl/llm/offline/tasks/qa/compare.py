"""Questions about two things: which is first or more, do both have it, what do they share."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from langmarl.llm.offline.tasks.qa.question import Question, read_question
from langmarl.llm.offline.tasks.qa.spans import amounts, is_nationality, years
from langmarl.llm.offline.tasks.qa.text import Passage, Reading, Sentence, content_stems
from langmarl.llm.offline.words import word_set

_EARLIER = re.compile(r"\b(?:first|earlier|older|oldest|earliest|before|longer ago)\b", re.IGNORECASE)
_LATER = re.compile(
    r"\b(?:later|younger|youngest|latest|newer|newest|more recent(?:ly)?|most recent(?:ly)?|last)\b", re.IGNORECASE
)
_MORE = re.compile(
    r"\b(?:more|most|larger|largest|bigger|biggest|higher|highest|taller|tallest|longer|longest|greater|deeper|heavier|"
    r"further|farther|wider)\b",
    re.IGNORECASE,
)
_LESS = re.compile(
    r"\b(?:fewer|fewest|less|least|smaller|smallest|lower|lowest|shorter|shortest|lighter|nearer|closer)\b",
    re.IGNORECASE,
)
_SAME = re.compile(r"\bsame\s+(\w+)", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+")
_COUNTRY_OF = {
    "american": "united states", "british": "united kingdom", "english": "england", "french": "france",
    "german": "germany", "italian": "italy", "spanish": "spain", "canadian": "canada", "australian": "australia",
    "japanese": "japan", "chinese": "china", "indian": "india", "mexican": "mexico", "dutch": "netherlands",
    "swedish": "sweden", "norwegian": "norway", "danish": "denmark", "finnish": "finland", "russian": "russia",
    "polish": "poland", "irish": "ireland", "scottish": "scotland", "welsh": "wales", "brazilian": "brazil",
    "argentine": "argentina", "swiss": "switzerland", "austrian": "austria", "belgian": "belgium", "greek": "greece",
    "turkish": "turkey", "korean": "korea", "portuguese": "portugal", "israeli": "israel", "nepalese": "nepal",
}  # fmt: skip
_SHARABLE = word_set(
    "singer songwriter musician actor actress director producer novelist author writer poet journalist composer "
    "painter artist politician lawyer physicist chemist mathematician philosopher player footballer guitarist "
    "drummer comedian "
    "screenwriter dancer model chef architect engineer editor critic historian biologist economist sculptor "
    "photographer playwright essayist band album magazine newspaper company university school river mountain lake "
    "bridge film genus species breed dog opera painter ship town village island festival museum restaurant "
    "airline lighthouse observatory ferry orchestra quarterly weekly monthly botanist cartographer "
    "geologist surveyor astronomer conductor violinist pianist cellist potter weaver printer"
)


_CALLING = frozenset(
    {"occup", "profession", "occupation", "job", "call", "career", "trad", "kind", "typ", "role", "rol", "work"}
)


@dataclass(frozen=True, slots=True)
class Item:
    """One of the things compared.

    Attributes:
        name: As the question has it.
        text: What the evidence says of it.
    """

    name: str
    text: str


def compared(reading: Reading, quotes: tuple[Sentence, ...]) -> str | None:
    """The answer to a comparison question from what ``quotes`` say of its two items; None where that is not enough."""
    question = read_question(reading.question)
    items = _items(reading, quotes)
    if len(items) < 2:
        return None
    match question.kind:
        case "choice":
            return _choose(question, items)
        case "yes_no":
            return "yes" if _both(question, items, reading) else "no"
        case "shared":
            return _shared(items) if not question.nouns or question.nouns[-1] in _CALLING else None
        case _:
            return None


def _items(reading: Reading, quotes: tuple[Sentence, ...]) -> list[Item]:
    """The passages quoted whose subjects the question names, in the question's order."""
    by_passage: dict[int, list[str]] = {}
    for sentence in quotes:
        by_passage.setdefault(sentence.passage, []).append(sentence.text)
    named = [
        (_place(reading.question, reading.passages[i]), reading.passages[i], texts) for i, texts in by_passage.items()
    ]
    known = sorted((entry for entry in named if entry[0] >= 0), key=lambda entry: entry[0])
    return [Item(passage.name, " ".join(texts)) for _, passage, texts in known[:2]]


def _place(question: str, passage: Passage) -> int:
    lowered = question.lower()
    places = [lowered.find(form) for form in passage.forms if form in lowered]
    return min(places, default=-1)


def _choose(question: Question, items: list[Item]) -> str:
    """The item with the earlier or later date, the larger or smaller number, or the better fit to the question."""
    text = question.text
    if _EARLIER.search(text) and (chosen := _extreme(items, lambda item: _date(item.text), smallest=True)):
        return chosen
    if _LATER.search(text) and (chosen := _extreme(items, lambda item: _date(item.text), smallest=False)):
        return chosen
    if _MORE.search(text) and (chosen := _extreme(items, lambda item: _amount(item.text, text), smallest=False)):
        return chosen
    if _LESS.search(text) and (chosen := _extreme(items, lambda item: _amount(item.text, text), smallest=True)):
        return chosen
    asked = content_stems(text)
    return max(items, key=lambda item: len(asked & content_stems(item.text))).name


def _extreme(items: list[Item], measure: Callable[[Item], float | None], *, smallest: bool) -> str | None:
    measured = [(value, item.name) for item in items if (value := measure(item)) is not None]
    if len(measured) < 2:
        return None
    return (min if smallest else max)(measured, key=lambda pair: pair[0])[1]


def _date(text: str) -> float | None:
    """The first year named, as a number."""
    named = years(text)
    return float(named[0]) if named else None


def _amount(text: str, question: str) -> float | None:
    """The number that stands nearest to words of the question; years do not count."""
    asked = content_stems(question)
    best: tuple[int, float] | None = None
    for found in re.finditer(r"\b\d[\d,]*(?:\.\d+)?\b", text):
        value = amounts(found.group())[0]
        if 1500 <= value <= 2030 and "," not in found.group() and "." not in found.group():
            continue
        near = len(asked & content_stems(text[max(0, found.start() - 40) : found.end() + 40]))
        if best is None or near > best[0]:
            best = (near, value)
    return best[1] if best else None


def _both(question: Question, items: list[Item], reading: Reading) -> bool:
    same = _SAME.search(question.text)
    if same:
        return _same(same.group(1).lower(), items)
    names = frozenset().union(*(content_stems(item.name) for item in items))
    asked = content_stems(_folded(question.text)) - names
    if not asked:
        return False
    return all(len(asked & content_stems(_folded(item.text))) * 2 >= len(asked) for item in items)


def _same(what: str, items: list[Item]) -> bool:
    first, second = (
        _origins(item.text) if what in ("country", "nationality", "nation") else _traits(item.text) for item in items
    )
    return bool(first & second)


def _folded(text: str) -> str:
    """``text`` with the country added to each adjective of nationality."""
    return re.sub(r"[A-Za-z]+", lambda m: f"{m.group()} {_COUNTRY_OF.get(m.group().lower(), '')}", text)


def _origins(text: str) -> frozenset[str]:
    """Nationalities and countries named, as countries."""
    lowered = text.lower()
    named = {country for country in _COUNTRY_OF.values() if country in lowered}
    named |= {
        _COUNTRY_OF.get(word.lower(), word.lower()) for word in re.findall(r"\b[A-Z]\w+", text) if is_nationality(word)
    }
    return frozenset(named)


def _traits(text: str) -> frozenset[str]:
    return content_stems(text)


def _shared(items: list[Item]) -> str | None:
    """The callings or kinds that both texts name, as the first spells them; else the first one's calling."""
    first, second = items
    other = {word.lower().rstrip("s") for word in _LETTERS.findall(second.text)}
    words = list(dict.fromkeys(_LETTERS.findall(first.text)))
    own = [word for word in words if word.lower().rstrip("s") in other]
    callings = [word for word in own if word.lower().rstrip("s") in _SHARABLE]
    if callings:
        return ", ".join(callings[:2])
    return next((word for word in words if word.lower() in _SHARABLE), None)
