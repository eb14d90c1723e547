"""Finding the sentences that bear on a question; how far the search goes depends on the habits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from langmarl.llm.offline.tasks.qa.question import read_question
from langmarl.llm.offline.tasks.qa.text import Passage, Reading, Sentence
from langmarl.llm.offline.words import stem

Habits = Mapping[str, bool | None]

_MOST_QUOTES = 8
_PICKS = 3

# Words by which passages and questions say the same thing.
_RELATED = tuple(
    frozenset(stem(word) for word in group.split())
    for group in (
        "found founded founder establish established formed form started began begun created creation inception",
        "born birth birthday birthplace native",
        "direct directed director filmmaker",
        "write wrote written author writer novelist",
        "located based headquartered headquarters situated lies stands home",
        "died death killed",
        "compose composed composer score",
        "design designed designer architect",
        "perform performed sung singer recorded released",
        "produce produced producer",
        "marry married wife husband spouse",
        "play played plays starring starred portrayed role",
        "band group duo trio",
        "film movie",
        "nickname nicknamed known",
        "team squad club",
        "raised grew upbringing",
        "completed opened finished built",
        "inhabitants population people residents",
        "conductor conducts conducted leads led",
    )
)


@lru_cache(maxsize=4096)
def related(words: frozenset[str]) -> frozenset[str]:
    """``words`` with those that say the same thing."""
    return words.union(*(group for group in _RELATED if group & words))


@dataclass(frozen=True, slots=True)
class Evidence:
    """Sentences that bear on a question, best passage first.

    Attributes:
        sentences: In the order in which a reader would quote them.
        path: Indices of the passages, in the order of reading.
    """

    sentences: tuple[Sentence, ...]
    path: tuple[int, ...]


def search(reading: Reading, habits: Habits) -> Evidence:
    """The evidence that a reader with these habits brings up."""
    path = _compared(reading) if habits.get("compare") else ()
    if len(path) < 2:
        path = _path(reading, weigh=bool(habits.get("read_all")), follow=bool(habits.get("follow_link")))
    return Evidence(quotes_of(reading, path), path)


def extend(reading: Reading, known: Evidence) -> Evidence:
    """``known`` evidence with the passage that it leads to, where only one passage is known."""
    if len(known.path) != 1:
        return known
    step = _step(reading, known.path[0])
    if step is None:
        return known
    added = quotes_of(reading, (known.path[0], step))
    fresh = [sentence for sentence in added if sentence not in known.sentences and sentence.passage == step]
    return Evidence((*known.sentences, *fresh), (known.path[0], step))


def quotes_of(reading: Reading, path: tuple[int, ...]) -> tuple[Sentence, ...]:
    """What a reader would quote of the passages of ``path``."""
    quotes = [quote for index in path for quote in _quotes(reading, reading.passages[index], path)]
    return tuple(quotes[:_MOST_QUOTES])


def _path(reading: Reading, *, weigh: bool, follow: bool) -> tuple[int, ...]:
    """Passages to read: the best one (or, unweighed, the first that shares words), and the one it leads to."""
    if not reading.passages:
        return ()
    if weigh and follow:
        return _best_pair(reading)
    start = max(_indices(reading), key=lambda i: (relevance(reading, i), -i)) if weigh else _first_sharing(reading)
    if not follow:
        return (start,)
    step = _step(reading, start)
    return (start,) if step is None else (start, step)


def _step(reading: Reading, start: int) -> int | None:
    """The linked passage that adds most to ``start``; None where nothing is linked."""
    steps = [i for i in _indices(reading) if i != start and linked(reading, start, i)]
    return max(steps, key=lambda i: (_adds(reading, start, i), -i)) if steps else None


def _indices(reading: Reading) -> range:
    return range(len(reading.passages))


def _first_sharing(reading: Reading) -> int:
    """The first passage that shares two content words with the question."""
    sharing = (p.index for p in reading.passages if len(p.stems & reading.question_stems) >= 2)
    return next(sharing, 0)


@lru_cache(maxsize=1024)
def relevance(reading: Reading, index: int) -> float:
    """How much of the question a passage covers, by rarity of the words; a title named in the question counts twice."""
    passage = reading.passages[index]
    shared = reading.weight(reading.question_stems & passage.stems)
    best = max((reading.weight(reading.question_stems & s.stems) for s in passage.sentences), default=0.0)
    title = reading.weight(passage.name_stems) if mentions(reading.question, passage, reading) else 0.0
    return shared + 0.5 * best + 1.5 * title


def _adds(reading: Reading, start: int, step: int) -> float:
    """What a second passage adds: question words that the first lacks count full, the others half."""
    missing = reading.question_stems - reading.passages[start].stems
    here = reading.passages[step].stems
    asked = set(read_question(reading.question).nouns)
    opening = reading.passages[step].sentences[0].stems if reading.passages[step].sentences else frozenset()
    forward = 1.5 if linked_from(reading, start, step) else 0.0
    return (
        forward
        + reading.weight(missing & here)
        + 0.35 * relevance(reading, step)
        + 1.5 * reading.weight(frozenset(asked & opening))
    )


def _best_pair(reading: Reading) -> tuple[int, ...]:
    """The two linked passages that cover the question best; the best two where nothing is linked."""
    starts = sorted(_indices(reading), key=lambda i: (-relevance(reading, i), i))[:4]
    pairs = [
        (relevance(reading, start) + _adds(reading, start, step), start, step)
        for start in starts
        for step in _indices(reading)
        if step != start and linked(reading, start, step)
    ]
    if not pairs:
        others = [i for i in _indices(reading) if i != starts[0]]
        return (starts[0], *sorted(others, key=lambda i: (-_adds(reading, starts[0], i), i))[:1])
    _, start, step = max(pairs, key=lambda pair: (pair[0], -pair[1], -pair[2]))
    if linked(reading, step, start) and not linked_from(reading, start, step):
        start, step = step, start
    return start, step


def _compared(reading: Reading) -> tuple[int, ...]:
    """The passages of the things that the question names, in its order."""
    kind = read_question(reading.question).kind
    if kind not in ("yes_no", "choice", "shared"):
        return ()
    lowered = reading.question.lower()
    whole = [p for p in reading.passages if mentions(reading.question, p, reading)]
    by_name: dict[str, Passage] = {}
    for passage in sorted(whole, key=lambda p: -relevance(reading, p.index)):
        by_name.setdefault(passage.name.lower(), passage)
    ordered = sorted(by_name.values(), key=lambda p: min(lowered.find(form) for form in p.forms if form in lowered))
    return tuple(p.index for p in ordered[:2])


@lru_cache(maxsize=4096)
def named_in(text: str, reading: Reading) -> frozenset[int]:
    """Indices of the passages whose subject ``text`` names; a name inside a longer one does not count."""
    lowered = text.lower()
    spelled = sorted(((form, p.index) for p in reading.passages for form in p.forms), key=lambda item: -len(item[0]))
    found = set()
    for form, index in spelled:
        if form not in lowered:
            continue
        cleared = re.sub(rf"(?<!\w){re.escape(form)}(?!\w)", "\x00", lowered)
        if cleared != lowered:
            found.add(index)
            lowered = cleared if not _shared_form(form, index, reading) else lowered
    return frozenset(found)


def _shared_form(form: str, index: int, reading: Reading) -> bool:
    return any(form in p.forms for p in reading.passages if p.index != index)


def mentions(text: str, passage: Passage, reading: Reading) -> bool:
    """Whether ``text`` names the subject of ``passage``."""
    return passage.index in named_in(text, reading)


def linked_from(reading: Reading, start: int, step: int) -> bool:
    """Whether the text of ``start`` names the subject of ``step``."""
    return step in named_in(reading.passages[start].text, reading)


def linked(reading: Reading, one: int, other: int) -> bool:
    """Whether either passage names the other's subject."""
    return linked_from(reading, one, other) or linked_from(reading, other, one)


def _quotes(reading: Reading, passage: Passage, path: tuple[int, ...]) -> list[Sentence]:
    """What a reader would quote of a passage: its opening, the link, and what covers more words of the question."""
    if not passage.sentences:
        return []
    question = read_question(reading.question)
    others = [reading.passages[i] for i in path if i != passage.index]
    elsewhere = frozenset().union(*(p.stems for p in others))
    asked = related(frozenset(question.nouns) | reading.question_stems)
    links = [s for s in passage.sentences for other in others if mentions(s.text, other, reading)]
    chosen = {s.place: s for s in [passage.sentences[0], *links[:1]]}
    uncovered = asked
    for _ in range(_PICKS):
        best = max(passage.sentences, key=lambda s: (_gain(reading, s, uncovered, elsewhere), -s.place))
        if _gain(reading, best, uncovered, elsewhere) <= 0:
            break
        chosen[best.place] = best
        uncovered = uncovered - related(best.stems)
    return [chosen[place] for place in sorted(chosen)]


def _gain(reading: Reading, sentence: Sentence, uncovered: frozenset[str], elsewhere: frozenset[str]) -> float:
    """Weight of the uncovered words that a sentence holds; those that the other passage has too count half."""
    held = sentence.stems & uncovered
    return reading.weight(held - elsewhere) + 0.5 * reading.weight(held & elsewhere)
