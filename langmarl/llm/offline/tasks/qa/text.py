"""A question with its passages, as text taken apart: sentences, names, dates, and the kind of answer asked for."""

from __future__ import annotations

import html
import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache

from langmarl.llm.offline.words import stem, tokenize, word_set

STOPWORDS = word_set(
    "a an the of in on at by for from to with and or nor but as is are was were be been being am do does did has have "
    "had having will would can could may might shall should must it its this that these those he she his her him they "
    "their them we our you your i my me who whom whose which what when where why how than then there here not no "
    "both same also into about over under after before during between through up down out off such so if "
    "s t name named called known give given get one other some any all each"
)

_PASSAGE = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|St|Jr|Sr|Inc|Ltd|Co|Corp|vs|No|Vol|Gen|Col|Lt|Capt|Prof|Rev|Gov|Sen|Rep|Mt|Ft|ca|cf|etc)"
    r"|\b[A-Z]|\b[A-Z]\.[A-Z])\.$"
)
_SENTENCE_END = re.compile(r"(?<=[.!?])(?:[\"'\u201d\u2019)\]]*)\s+(?=[\"'\u201c(\[]?[A-Z0-9\u00c0-\u00de])")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a passage.

    Attributes:
        passage: Index of its passage, from 0.
        place: Its place in the passage, from 0.
        text: As written.
        stems: Stems of its content words.
    """

    passage: int
    place: int
    text: str
    stems: frozenset[str]


@dataclass(frozen=True, eq=False)
class Passage:
    """One passage of the task."""

    index: int
    title: str
    sentences: tuple[Sentence, ...]

    @cached_property
    def name(self) -> str:
        """The title without its note in brackets: "Maroon 5" for "Maroon 5 (band)"."""
        return re.sub(r"\s*\([^)]*\)\s*$", "", self.title)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The spellings, in lower case, under which a text may name the subject: with and without
        an article before and what follows a comma."""
        name = self.name.lower()
        spellings = {name, name.split(",")[0].strip(), name.removeprefix("the ")}
        return tuple(sorted(form for form in spellings if len(form) >= 3 and form not in STOPWORDS))

    @cached_property
    def name_stems(self) -> frozenset[str]:
        """Stems of the content words of the name."""
        return content_stems(self.name)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of every content word, title included."""
        return self.name_stems.union(*(sentence.stems for sentence in self.sentences))

    @cached_property
    def text(self) -> str:
        """All sentences, joined."""
        return " ".join(sentence.text for sentence in self.sentences)


@dataclass(frozen=True, eq=False)
class Reading:
    """A whole task, taken apart.

    Attributes:
        question: As asked.
        passages: In the order given.
    """

    question: str
    passages: tuple[Passage, ...]

    @cached_property
    def question_stems(self) -> frozenset[str]:
        """Stems of the question's content words."""
        return content_stems(self.question)

    @cached_property
    def rarity(self) -> dict[str, float]:
        """How much each stem tells passages apart: log((1 + passages) / (passages that hold it)) + 0.1."""
        counts = Counter(word for passage in self.passages for word in passage.stems)
        total = 1 + len(self.passages)
        return {word: math.log(total / count) + 0.1 for word, count in counts.items()}

    def weight(self, words: frozenset[str]) -> float:
        """Summed rarity of ``words``; stems that no passage holds count nothing.

        The sum is exact: the order of a set differs between processes, and rounding would then decide ties.
        """
        return math.fsum(self.rarity.get(word, 0.0) for word in words)

    def sentence_holding(self, text: str) -> Sentence | None:
        """The first sentence that holds ``text`` as written."""
        return next((s for passage in self.passages for s in passage.sentences if text in s.text), None)


def content_stems(text: str) -> frozenset[str]:
    """Stems of the words of ``text`` that carry meaning."""
    return frozenset(stem(word) for word in tokenize(text) if word not in STOPWORDS)


@lru_cache(maxsize=128)
def read_task(task: str) -> Reading:
    """Take a rendered QA task ("Question: … Passages: [1] title …") apart."""
    head, _, body = html.unescape(task).partition("Passages:")
    question = head.strip().removeprefix("Question:").strip()
    marks = list(_PASSAGE.finditer(body))
    passages = []
    for index, mark in enumerate(marks):
        end = marks[index + 1].start() if index + 1 < len(marks) else len(body)
        passages.append(_passage(index, mark.group(2).strip(), body[mark.end() : end]))
    return Reading(question, tuple(passages))


def _passage(index: int, title: str, text: str) -> Passage:
    sentences = tuple(
        Sentence(index, place, sentence, content_stems(sentence))
        for place, sentence in enumerate(split_sentences(" ".join(text.split())))
    )
    return Passage(index, title, sentences)


def split_sentences(text: str) -> list[str]:
    """The sentences of ``text``; initials and common abbreviations do not end one."""
    sentences: list[str] = []
    start = 0
    for found in _SENTENCE_END.finditer(text):
        piece = text[start : found.end()].strip()
        if _ABBREVIATION.search(piece):
            continue
        sentences.append(piece)
        start = found.end()
    rest = text[start:].strip()
    return [*sentences, rest] if rest else sentences
