"""Plain English as the judge and the writer see it: sentences, words, and the words that carry meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from langmarl.llm.offline.tasks.writing.brief import NUMBER_WORDS
from langmarl.llm.offline.words import stem, stems, tokenize

_ABBREVIATION = re.compile(r"\b(mr|mrs|ms|dr|st|no|e\.g|i\.e|a\.m|p\.m|etc)\.(?=\s+[a-z0-9A-Z])", re.IGNORECASE)
_STOP = frozenset(
    stems(
        "a an the of to in on at by for from with and or but that which who whom whose is are was were be been it its "
        "this these those there here he she they them his her their your you i we us our my me as if so than then what "
        "how when where why one ones some any into about up out not no both also please only just now do does did has "
        "have had can could may will would should over"
    )
)
_SAME = {
    "km": "kilometre", "kilometer": "kilometre", "kg": "kilogram", "kilo": "kilogram", "min": "minute", "€": "euro",
    "eur": "euro", "hr": "hour", "pm": "p", "am": "a", "mister": "mr", "metre": "meter", "colour": "color",
    "mustn't": "must",
} | {word: str(value) for word, value in NUMBER_WORDS.items()}  # fmt: skip
_SAME_STEM = {stem(word): stem(other) for word, other in _SAME.items()}


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of ``text``; a line break ends one too."""
    guarded = _ABBREVIATION.sub(lambda match: match[0][:-1] + "\x00", text)
    parts = re.split(r"(?<=[.!?\u2026])[\"'\u201d\u2019)]*\s+|\n+", guarded)
    return tuple(part.replace("\x00", ".").strip() for part in parts if re.search(r"\w", part))


def word_count(text: str) -> int:
    """Words as an editor counts them: runs of characters between spaces that hold a letter or digit."""
    return sum(1 for word in text.split() if re.search(r"\w", word))


def key_stems(text: str) -> frozenset[str]:
    """The stems that carry the meaning of ``text``; numbers and units are brought to one spelling."""
    spelled = text.replace("€", " euro ").replace(":", " ")
    spelled = re.sub(r"\b([ap])\.m\b\.?", r"\1m", spelled)
    found = (_SAME_STEM.get(stem(word), stem(word)) for word in tokenize(spelled.replace("-", " ")))
    return frozenset(word for word in found if word not in _STOP)


def key_weights(text: str) -> dict[str, float]:
    """The key stems of ``text``; names and numbers weigh twice as much as other words."""
    weights = dict.fromkeys(key_stems(text), 1.0)
    exact = re.findall(r"\d[\w.,:-]*|\b[A-Z]\w+", text)
    weights.update(dict.fromkeys(key_stems(" ".join(exact)), 2.0))
    return weights


def count_found(patterns: Iterable[str], text: str) -> int:
    """How many of ``patterns`` occur in ``text``, as whole words."""
    return sum(1 for pattern in patterns if re.search(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE))
