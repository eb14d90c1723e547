"""Words as the offline model sees them: tokens, stems, and sets of words that mean one thing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

Concept = frozenset[str]
"""Words and phrases that mean one thing; inflections need not be listed, they are matched by stem."""

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)?")

# Words whose forms no suffix rule connects.
_IRREGULAR = {
    form: lemma
    for lemma, forms in {
        "be": "am is are was were been being",
        "have": "has had having",
        "do": "does did done doing",
        "go": "goes went gone going",
        "write": "wrote written writing",
        "give": "gave given giving",
        "keep": "kept",
        "say": "said says saying",
        "tell": "told",
        "speak": "spoke spoken",
        "bring": "brought",
        "find": "found",
        "begin": "began begun beginning",
        "choose": "chose chosen choosing",
        "leave": "left leaving leaves",
        "take": "took taken taking",
        "make": "made making",
        "show": "shown showed",
        "build": "built",
        "hold": "held",
        "know": "knew known",
        "think": "thought",
        "lose": "lost losing",
        "see": "saw seen",
        "draw": "drew drawn",
        "stick": "stuck",
        "get": "got gotten getting",
        "forget": "forgot forgotten forgetting",
        "wait": "waiting waited",
        "put": "putting",
        "cut": "cutting",
        "note": "notes noted noting",
        "analysis": "analyses",
        "person": "people persons",
    }.items()
    for form in forms.split()
}

# Carry no meaning of their own inside a phrase: "keep to the name" holds the phrase "keep to name".
_FILLERS = frozenset(("a", "an", "the", "your", "its", "his", "her", "their", "our", "my", "very"))


def word_set(words: str) -> frozenset[str]:
    """The space-separated ``words``, as written."""
    return frozenset(words.split())


def tokenize(text: str) -> list[str]:
    """The words and numbers of ``text`` in lower case, without punctuation."""
    return _TOKEN.findall(text.lower().replace("\u2019", "'"))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The part that the forms of a word share: ``quoting``, ``quoted`` and ``quotes`` give ``quot``.

    A few suffix rules, not a dictionary; the result is for comparing, not for reading.
    """
    word = word.lower().removesuffix("'s").removesuffix("'")
    word = _IRREGULAR.get(word, word)
    if len(word) > 3:
        word = _without_suffix(word)
    # "note" must not become "not".
    if len(word) > 3 and word.endswith("e") and word != "note":
        word = word[:-1]
    return word


def _without_suffix(word: str) -> str:
    """``word`` without the endings of number, tense and adverb."""
    word = _without_plural(word)
    for suffix in ("ingly", "edly", "ing", "ed"):
        root = word.removesuffix(suffix)
        if root != word and len(root) >= 3 and re.search("[aeiouy]", root):
            word = root[:-1] if re.search(r"([bdfgmnprt])\1$", root) else root
            break
    if word.endswith("ied") and len(word) > 4:
        word = word[:-3] + "y"
    if word.endswith("ily"):
        word = word[:-3] + "y"
    elif word.endswith("ly") and len(word) > 5:
        word = word[:-2]
    return re.sub(r"is(e?)$", r"iz\1", word) if len(word) > 6 else word


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if re.search(r"(ss|x|ch|sh|zz)es$", word):
        return word[:-2]
    if word.endswith("s") and not re.search(r"(ss|us|is)$", word):
        return word[:-1]
    return word


@lru_cache(maxsize=16384)
def stems(text: str) -> tuple[str, ...]:
    """The stems of the words of ``text``, in order."""
    return tuple(stem(word) for word in tokenize(text))


@dataclass(frozen=True, slots=True)
class Entries:
    """A concept made ready for matching.

    Attributes:
        words: Stems that match alone.
        phrases: Stems that match when they follow one another, fillers between them left out.
        literal: The same, fillers counted: phrases that would be a single word without them.
    """

    words: frozenset[str]
    phrases: tuple[tuple[str, ...], ...]
    literal: tuple[tuple[str, ...], ...]


@lru_cache(maxsize=4096)
def entries(concept: Concept) -> Entries:
    """The stems and phrases of ``concept``."""
    spelled = [stems(item) for item in sorted(concept)]
    several = [item for item in spelled if len(item) > 1]
    reduced = {item: tuple(part for part in item if part not in _FILLERS) for item in several}
    return Entries(
        frozenset(item[0] for item in spelled if len(item) == 1),
        tuple(short for short in reduced.values() if len(short) > 1),
        tuple(item for item, short in reduced.items() if len(short) < 2),
    )


def is_filler(word_stem: str) -> bool:
    """Whether a stem carries no meaning of its own inside a phrase."""
    return word_stem in _FILLERS


def concept(words: str, *phrases: str) -> Concept:
    """A concept from space-separated ``words`` and any number of ``phrases``."""
    return frozenset(words.split()) | frozenset(phrases)


def phrases(*items: str) -> Concept:
    """A concept of phrases alone."""
    return frozenset(items)


def wording(text: str) -> Concept:
    """A concept of the words and phrases in ``text``, set apart by semicolons, over as many lines as they need."""
    return frozenset(" ".join(item.split()) for item in text.split(";") if item.strip())
