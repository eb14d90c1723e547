"""English instructions, cut into clauses: who each one is for, and which of its words are negated.

Nothing here knows a task. The steps: set phrases are made plain (``idioms``); lines are cut into sentences and those
into segments, at commas and where a coordinator starts a new instruction; segments for another agent are left out
(``address``); the rest get their polarity (``negation``) and are joined into clauses, a condition with what it governs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from langmarl.llm.offline.address import addressees, holds_for, label, speaks_to_self
from langmarl.llm.offline.idioms import plain
from langmarl.llm.offline.negation import read_polarity, starts_negation
from langmarl.llm.offline.seat import Seat
from langmarl.llm.offline.verbs import starts_order
from langmarl.llm.offline.words import stem, tokenize, word_set

_BULLET = re.compile(r"^\s*(?:[-*+\u2022\u2013>]+|\d+[.)]|\(?[a-z][.)])\s+")
_HEADING = re.compile(r"^\s*#+\s*")
_SENTENCE = re.compile(r"(?<=[.!?;])[\"')\]]*\s+")
_ROLE = re.compile(r"\byou are (?:agent \d+ of \d+|the only agent)\b")
_COORDINATOR = r"and then|and also|and|then|but|or|so|instead(?! of)|yet|while"
_SPLIT = re.compile(
    r"\s*(?:[,:()]|\s[-\u2013]\s|\u2014)+\s*"
    rf"|\s+(?=(?:{_COORDINATOR}|because|in order|or else|otherwise|whereas|lest)\s)"
)
_ASIDE = re.compile(r"^(?:because|so that|in order|or else|otherwise|lest|since (?!you speak)|which|whereas)\b")
_SUBORDINATE = word_set(
    "if when whenever once after before while until unless since as where although though for in on at with by from "
    "to even during upon having given without instead rather"
)
_CONDITION = word_set(
    "if when whenever once after before while until unless since as where for in on upon given even though although "
    "despite"
)
_CONNECTORS = word_set(
    "and then but or so also please always simply just only instead rather finally next first second afterwards "
    "otherwise now still yet again ok okay note remember kindly however therefore thus firstly secondly lastly "
    "ideally above all in addition"
)
_SUBJECTS = word_set("you i we it there they nobody")
_FINITE = word_set("should must will is are can may shall would could has have does do needs need")
_POINTS_BACK = word_set("it them that this there these those so one both")
_REJECTED = word_set("it them that this those these so")
_LIGHT = frozenset(
    stem(word)
    for word in "it them that this those these so do not never no without avoid omit skip drop ignore "
    "disregard leave out "
    "off aside away stop refrain from stick to with about bother worry care heed mind obey follow apply insist "
    "on need needs required require necessary unnecessary needed want wanted expected allowed welcome enough "
    "please and but then just simply always there is be have has must should will can may for you i we any all "
    "of in such forget pointless useless unwanted good matter help here anymore longer reason call point "
    "strict too pay attention let a thing rule though ".split()
)
_SHORT = 7
_LIST_ITEM = 4


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a clause.

    Attributes:
        stem: See ``words.stem``.
        polarity: Whether the clause is for (1) or against (-1) what the word stands for.
        main: Whether it stands in the instruction itself, not in a condition ("if …", "when …").
    """

    stem: str
    polarity: int
    main: bool = True


@dataclass(frozen=True, slots=True)
class Clause:
    """One instruction, in the order of the text.

    Attributes:
        words: Its own words.
        context: The words of the clause before it, where a pronoun points back there; none of them counts as main.
    """

    words: tuple[Word, ...]
    context: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence, the agents that a label or heading before it names (None: no label), and its place in its line."""

    text: str
    aim: frozenset[int] | None
    opens_line: bool


@dataclass(slots=True)
class _Segment:
    """A piece of a sentence between two places where an instruction can begin or end."""

    text: str
    words: list[str]
    main: bool
    joined_by_or: bool


@lru_cache(maxsize=2048)
def read_clauses(text: str, seat: Seat) -> tuple[Clause, ...]:
    """The clauses of ``text`` that are for the agent in ``seat``, in order."""
    clauses: list[Clause] = []
    about: frozenset[int] | None = None
    for sentence in _sentences(text, seat):
        about = None if sentence.opens_line else about
        segments = [_segment(piece) for piece in _SPLIT.split(sentence.text) if piece and piece.strip()]
        mine, about = _for_seat(segments, seat, sentence.aim or about, labelled=sentence.aim is not None)
        clauses.extend(_clauses(mine))
    return tuple(_with_context(clauses))


def _with_context(clauses: list[Clause]) -> Iterator[Clause]:
    before: tuple[Word, ...] = ()
    for clause in clauses:
        if before and _withdraws(clause.words):
            clause = Clause(tuple(Word(word.stem, -1) for word in before))
            yield clause
        elif len(clause.words) <= _SHORT and any(word.stem in _POINTS_BACK for word in clause.words):
            yield Clause(clause.words, tuple(Word(word.stem, 1, main=False) for word in before))
        else:
            yield clause
        before = clause.words


def _withdraws(words: Sequence[Word]) -> bool:
    """Whether a clause does no more than reject the one before it ("do not bother with that", "leave it out")."""
    rejected = any(word.stem in _REJECTED and word.polarity < 0 for word in words)
    return rejected and all(word.stem in _LIGHT for word in words)


def _sentences(text: str, seat: Seat) -> Iterator[_Sentence]:
    """The sentences of ``text``, without headings and without the one that gives the reader its seat."""
    heading: frozenset[int] | None = None
    for raw in text.splitlines():
        if not raw.strip():
            continue
        titled = bool(_HEADING.match(raw))
        line = plain(_BULLET.sub("", _HEADING.sub("", raw)).replace("*", "").replace("`", " "))
        bulleted = bool(_BULLET.match(raw))
        found = label(line.strip().rstrip(":") if line.strip().endswith(":") else line, seat)
        if titled or (found and not found.rest):
            heading = found.aim if found else None
            if titled:
                continue
        elif not bulleted:
            heading = None
        aim = found.aim if found else heading
        for number, sentence in enumerate(_SENTENCE.split(found.rest if found else line)):
            if sentence.strip() and not _ROLE.search(sentence):
                yield _Sentence(sentence, aim, number == 0)


def _segment(piece: str) -> _Segment:
    text = piece.strip().strip(".!?;\"'")
    words = tokenize(text)
    return _Segment(text, words, _is_main(words), bool(words) and words[0] in ("or", "nor"))


def _is_main(words: list[str]) -> bool:
    """Whether a segment can stand as an instruction of its own."""
    rest = list(words)
    while rest and rest[0] in _CONNECTORS:
        rest.pop(0)
    if not rest:
        return False
    if rest[0] in _SUBORDINATE and not (rest[0] == "for" and len(rest) > 1 and rest[1] == "you"):
        return False
    if starts_order(rest) or rest[0] in _SUBJECTS:
        return True
    if starts_negation(rest) and rest[0] not in ("no", "less", "fewer", "minus", "sans"):
        return True
    return any(word in _FINITE for word in rest[:7])


def _for_seat(
    segments: list[_Segment], seat: Seat, about: frozenset[int] | None, *, labelled: bool
) -> tuple[list[_Segment], frozenset[int] | None]:
    """The segments that are for ``seat``, and whom the sentence was last about."""
    mine: list[_Segment] = []
    current: frozenset[int] | None = about if labelled else None
    applies = True
    for segment in segments:
        if _ASIDE.match(segment.text):
            segment.main = False
            segment.words = []
            continue
        condition = holds_for(segment.text, seat)
        if condition is not None:
            applies = condition
            if mine and not condition and segment is segments[-1]:
                mine = []
            continue
        aim = addressees(segment.text, seat, about)
        if aim is not None:
            current = about = aim
            if segment.text.startswith("only ") and seat.position not in aim:
                # "Only the last agent may answer" tells all others not to.
                segment.words.insert(0, "not")
                current = None
        elif segment.words[:1] == ["so"] and not labelled:
            current = None
        elif speaks_to_self(segment.text) and not labelled:
            current = about = None
        if applies and (current is None or seat.position in current):
            mine.append(segment)
    return mine, about


def _clauses(segments: list[_Segment]) -> Iterator[Clause]:
    """Join segments into clauses: what cannot stand alone goes with its neighbour."""
    words: list[Word] = []
    has_main = False
    carried = 1
    for index, segment in enumerate(segments):
        start = carried if _continues(segments, index) else 1
        reading = read_polarity(segment.words, start)
        main = segment.main or segment.words[:1] == [] or segment.words[0] not in _CONDITION
        own = [Word(stem(word), sign, main) for word, sign in zip(segment.words, reading.polarities, strict=True)]
        if words and not segment.joined_by_or and ((has_main and segment.main) or _withdraws(own)):
            yield Clause(tuple(words))
            words, has_main = [], False
        words += own
        carried = reading.final
        has_main = has_main or segment.main
    if words:
        yield Clause(tuple(words))


def _continues(segments: list[_Segment], index: int) -> bool:
    """Whether a segment goes on with the list before it, and so stays under its negation."""
    if index == 0:
        return False
    segment = segments[index]
    if segment.joined_by_or:
        return not starts_negation(segment.words[1:])
    if starts_negation(segment.words):
        return False
    if {"only", "just", "alone", "instead", "but", "simply"} & set(segment.words):
        return False
    listed = any(later.joined_by_or for later in segments[index + 1 :])
    if listed:
        return len(segment.words) <= _LIST_ITEM
    return not segment.main and segment.words[:1] != [] and segment.words[0] not in _SUBORDINATE
