"""From evidence to an answer: which words of the quoted sentences answer the question."""

from __future__ import annotations

import re
from dataclasses import dataclass

from langmarl.llm.offline.tasks.qa.question import Question, read_question
from langmarl.llm.offline.tasks.qa.search import Habits, related
from langmarl.llm.offline.tasks.qa.spans import Span, is_nationality, spans
from langmarl.llm.offline.tasks.qa.text import Passage, Reading, Sentence, content_stems
from langmarl.llm.offline.words import stem, tokenize

_PERSON_SIGNS = re.compile(
    r"\(born\b|\bborn\b|\b(?:18|19|20)\d\d\s*[\u2013-]\s*(?:18|19|20)\d\d\)|\bhe\b|\bshe\b", re.IGNORECASE
)
_PLACE_PREPOSITION = re.compile(
    r"\b(?:in|at|from|near|of|to|based in|located in|headquartered in)\s+(?:the\s+)?$", re.IGNORECASE
)

# How much each sign counts for a candidate.
_FIT = 2.0
_NEAR = 1.2
_NEAR_CAP = 2.0
_BIRTH = 2.0
_LAST = 1.5

_ORIGIN = frozenset(stem(word) for word in "nationality culture language origin country descent".split())


@dataclass(frozen=True, slots=True)
class Found:
    """An answer and the sentence it was read off.

    Attributes:
        text: The bare answer.
        sentence: Where it stands; None where it was concluded, as with yes and no.
    """

    text: str
    sentence: Sentence | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer in its sentence, with the passage it names where it names one."""

    span: Span
    sentence: Sentence
    subject: Passage | None
    rank: int
    last: bool


def read_off(reading: Reading, quotes: tuple[Sentence, ...], habits: Habits, titled: bool) -> Found | None:
    """The answer that a reader with these habits reads off ``quotes``.

    Args:
        reading: The task.
        quotes: The evidence, in order.
        habits: ``match_kind`` looks for the kind of thing asked for; ``check`` passes over what the question says.
        titled: Whether the reader knows which passage each quote comes from, so that its title can be the answer.
    """
    question = read_question(reading.question)
    candidates = _candidates(reading, quotes, titled)
    if not candidates:
        return None
    checks = bool(habits.get("check")) and question.kind != "choice"
    if not habits.get("match_kind"):
        fresh = [c for c in candidates if not checks or not _asked(c, reading)]
        chosen = (fresh or candidates)[0]
    else:
        chosen = max(candidates, key=lambda c: (_score(c, question, reading, checks), -c.rank))
        if question.kind == "choice" and not _offered(chosen, reading):
            return _first_offered(reading, quotes) or Found(chosen.span.text, chosen.sentence)
    return Found(chosen.span.text, chosen.sentence)


def _candidates(reading: Reading, quotes: tuple[Sentence, ...], titled: bool) -> list[Candidate]:
    by_form = {form: p for p in reversed(reading.passages) for form in p.forms}
    found: list[Candidate] = []
    passages = list(dict.fromkeys(quote.passage for quote in quotes))
    for sentence in quotes:
        last = len(passages) > 1 and sentence.passage == passages[-1]
        passage = reading.passages[sentence.passage]
        if titled and sentence.place == min(q.place for q in quotes if q.passage == sentence.passage):
            found.append(Candidate(Span(passage.name, "name", 0), sentence, passage, len(found), last))
        for span in spans(sentence.text):
            found.append(Candidate(span, sentence, by_form.get(span.text.lower()), len(found), last))
    return found


def _asked(candidate: Candidate, reading: Reading) -> bool:
    """Whether the question itself says the candidate, which so cannot be the answer."""
    words = content_stems(candidate.span.text)
    said = f" {' '.join(tokenize(candidate.span.text))} " in f" {' '.join(tokenize(reading.question))} "
    return not words or said or (words <= reading.question_stems and len(words) == 1)


def _offered(candidate: Candidate, reading: Reading) -> bool:
    """Whether the candidate is one of the things that a question offers to choose from."""
    name = " ".join(tokenize(candidate.span.text))
    return candidate.span.kind == "name" and f" {name} " in f" {' '.join(tokenize(reading.question))} "


def _first_offered(reading: Reading, quotes: tuple[Sentence, ...]) -> Found | None:
    """The first passage quoted that the question names, for a reader who knows that its answer must be among those."""
    asked = reading.question.lower()
    for sentence in quotes:
        passage = reading.passages[sentence.passage]
        if any(form in asked for form in passage.forms):
            return Found(passage.name, sentence)
    return None


def _score(candidate: Candidate, question: Question, reading: Reading, checked: bool) -> float:
    score = _FIT * _fits(candidate, question, reading)
    score += _NEAR * min(_NEAR_CAP, _closeness(candidate, reading))
    score += _BIRTH * _tells_birth(candidate, question)
    if candidate.last:
        score += _LAST
    if checked and _asked(candidate, reading):
        score -= 6.0
    return score


def _tells_birth(candidate: Candidate, question: Question) -> float:
    """1 for the first date in the brackets after a person's name, where the question is about a birth."""
    if question.kind not in ("date", "year") or not re.search(r"\b(?:born|birth\w*)\b", question.text, re.IGNORECASE):
        return 0.0
    before = candidate.sentence.text[: candidate.span.start]
    opened = before.rfind("(")
    inside = candidate.sentence.place == 0 and opened >= 0 and ")" not in before[opened:]
    return float(inside and not re.search(r"\d{4}", before[opened:]))


def _closeness(candidate: Candidate, reading: Reading) -> float:
    """How near the candidate stands to words of the question: rarity over distance, summed."""
    text = candidate.sentence.text
    total = 0.0
    asked = related(reading.question_stems)
    own = content_stems(candidate.span.text)
    for found in re.finditer(r"[^\W_]+", text):
        word = stem(found.group())
        if word in asked and word not in own:
            before = found.end() <= candidate.span.start
            gap = (
                candidate.span.start - found.end()
                if before
                else found.start() - candidate.span.start - len(candidate.span.text)
            )
            distance = 1 + max(0, gap) / 6
            total += reading.rarity.get(word, 0.0) / distance
    return total


def _fits(candidate: Candidate, question: Question, reading: Reading) -> float:
    """How well the candidate is the kind of thing that was asked for, from -1 to about 2."""
    span = candidate.span
    match question.kind:
        case "year":
            return 1.5 if span.kind == "year" else -1.0
        case "date":
            return 1.5 if span.kind == "date" else (0.6 if span.kind == "year" else -1.0)
        case "number":
            return _fits_number(candidate, question)
        case "person":
            return _fits_person(candidate, question, reading)
        case "place":
            return _fits_place(candidate, question)
        case "choice":
            return (1.5 if candidate.subject else 0.5) if _offered(candidate, reading) else -1.0
        case _:
            return _fits_noun(candidate, question, reading)


def _fits_number(candidate: Candidate, question: Question) -> float:
    if candidate.span.kind != "number":
        return -1.0
    following = candidate.sentence.text[candidate.span.start + len(candidate.span.text) :][:40]
    return 1.0 + (0.8 if set(question.nouns) & content_stems(following) else 0.0)


def _fits_person(candidate: Candidate, question: Question, reading: Reading) -> float:
    span = candidate.span
    if span.kind != "name" or re.search(r"\d|\b(?:of|the|in|for|on|at|to)\b|,", span.text) or " " not in span.text:
        return -1.0
    fit = 0.6 + _head_noun(candidate, question, reading) + _agent_of(candidate, reading)
    subject = candidate.subject
    if subject is not None and subject.sentences:
        opening = subject.sentences[0].text
        fit += 0.6 if _PERSON_SIGNS.search(opening) else -0.8
    return fit


def _agent_of(candidate: Candidate, reading: Reading) -> float:
    """1 where the sentence says "directed by" before the candidate and the question asks who directed."""
    before = tokenize(candidate.sentence.text[: candidate.span.start])[-4:]
    if "by" not in before:
        return 0.0
    deed = before[before.index("by") - 1] if before.index("by") else ""
    return 1.0 if stem(deed) in related(reading.question_stems) else 0.0


def _fits_place(candidate: Candidate, question: Question) -> float:
    span = candidate.span
    if span.kind != "name":
        return -1.0
    before = candidate.sentence.text[: span.start]
    fit = 0.8 if _PLACE_PREPOSITION.search(before) else -0.2
    if is_nationality(span.text):
        fit -= 0.8
    if question.nouns and question.nouns[-1] in content_stems(span.text):
        fit += 0.6
    if "," in span.text and not question.nouns:
        fit += 0.3
    return fit


def _fits_noun(candidate: Candidate, question: Question, reading: Reading) -> float:
    span = candidate.span
    if span.kind in ("year", "date", "number"):
        return -0.8
    if is_nationality(span.text) and " " not in span.text:
        return 0.6 if set(question.nouns) & _ORIGIN else -0.8
    if span.kind == "description":
        return 0.3 if not question.nouns else -0.3
    return (0.4 if span.kind == "name" else 0.3) + _head_noun(candidate, question, reading)


def _head_noun(candidate: Candidate, question: Question, reading: Reading) -> float:
    """Evidence that the candidate is a thing of the kind that the question names ("what *arena*")."""
    if not question.nouns:
        return 0.0
    head = question.nouns[-1]
    fit = 0.0
    if head in content_stems(candidate.span.text):
        fit += 0.9
    subject = candidate.subject
    if subject is not None and subject.sentences:
        opening = subject.sentences[0].stems
        fit += 1.0 if head in opening else -0.2
    text = candidate.sentence.text
    around = content_stems(text[max(0, candidate.span.start - 25) : candidate.span.start])
    after = content_stems(text[candidate.span.start + len(candidate.span.text) :][:15])
    return fit + (0.7 if head in around else 0.0) + (0.4 if head in after else 0.0)
