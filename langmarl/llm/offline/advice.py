"""Free text turned into instructions: the sentences of a critic or a note that say what to do.

The rules look at how English gives advice (should, must, needs to, an imperative, "keep …"), never at what the advice
is about, so that whatever a critic says reaches the policy in its own words.
"""

from __future__ import annotations

import re

from langmarl.llm.offline.idioms import plain
from langmarl.llm.offline.negation import read_polarity
from langmarl.llm.offline.verbs import is_known_order
from langmarl.llm.offline.words import stem, tokenize, word_set

_SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+|\n+")
_BULLET = re.compile(r"^\s*(?:[-*+\u2022]+|\d+[.)])\s+")
_SUBJECT = (
    r"(?:you|it|they|he|she|we|this agent|the agent|this one|agent[ _]\d+|the team|this team|"
    r"(?:its|their|your|the team's) policy|the policy)"
)
_MODAL = (
    r"(?:should(?: also| really| always| rather| instead| therefore| first)?|must(?: also| always)?|needs? to|has to|"
    r"have to|ought to|had better|would do (?:well|better) to|will want to|is to|are to|could usefully|might want to|"
    r"may want to)"
)
_ADVICE = re.compile(
    rf"\b{_SUBJECT}\s+{_MODAL}\s+(?P<negation>not |never |no longer |avoid )?(?P<rest>.+)$", re.IGNORECASE
)
_ANY_MODAL = re.compile(r"\b(?:should|must|needs? to|ought to|has to|have to|had better)\b", re.IGNORECASE)
_ADVERBS = word_set("always never please simply just only instead rather first then next also still do")
_LEAD = re.compile(
    r"^(?:next time|in future|from now on|in (?:episodes|tasks|cases) (?:of this kind|like this)|therefore|so|instead|"
    r"the main thing|above all|overall|in short)\s*[,:]\s*",
    re.IGNORECASE,
)
_TELLS = re.compile(r"\b(?:was|were|had|did|has|asks? for no)\b", re.IGNORECASE)
_TALLY = re.compile(r"\s*\((?:\d+ of \d+ notes?|\d+ notes?)\)\s*\.?$")


def advice_in(text: str) -> list[str]:
    """The instructions that ``text`` gives, as imperatives where its grammar allows; [] where it gives none."""
    found = []
    for sentence in _sentences(text):
        instruction = _instruction(sentence)
        if instruction and instruction not in found:
            found.append(instruction)
    return found


def orders_in(note: str) -> list[str]:
    """The instructions of a note: each of its sentences, save those that only tell what happened."""
    found = []
    for sentence in _sentences(note):
        instruction = _instruction(sentence) or (None if _TELLS.search(sentence) else _tidy(sentence))
        if instruction and instruction not in found:
            found.append(instruction)
    return found


def _sentences(text: str) -> list[str]:
    bare = (_TALLY.sub("", _BULLET.sub("", sentence.strip())).strip() for sentence in _SENTENCE.split(text))
    return [_LEAD.sub("", sentence) for sentence in bare if sentence]


def _instruction(sentence: str) -> str | None:
    """One sentence as an instruction, or None where it only tells what happened."""
    match = _ADVICE.search(sentence)
    if match and not _is_past(match.group("rest")):
        before = sentence[: match.start()].strip()
        order = _order(match.group("negation"), match.group("rest"))
        return _tidy(f"{before} {order[0].lower()}{order[1:]}" if before else order)
    if _starts_as_order(sentence) or _ANY_MODAL.search(sentence):
        return _tidy(sentence)
    return None


def _order(negation: str | None, rest: str) -> str:
    rest = re.sub(rf"\b(?:and|;|but)\s+(?:{_SUBJECT}\s+)?should not\b", "and do not", rest, flags=re.IGNORECASE)
    rest = re.sub(rf"(\band|;|\bbut)\s+(?:{_SUBJECT}\s+)?should\b", r"\1", rest, flags=re.IGNORECASE)
    rest = re.sub(r"\b[Ii]ts\b", "your", rest)
    word = (negation or "").strip().lower()
    if word in ("not", "no longer"):
        return f"Do not {rest}"
    return f"{word.capitalize()} {rest}" if word else rest


def _is_past(rest: str) -> bool:
    """ "should have quoted": blame for what is past; its verb has no imperative form at hand."""
    return re.match(r"have\s+\w+(?:ed|en|t|d|n)\b", rest) is not None


def _starts_as_order(sentence: str) -> bool:
    words = tokenize(sentence)
    while words and words[0] in _ADVERBS:
        words = words[1:]
    return is_known_order(words) or words[:1] in (["not"], ["don't"])


def _tidy(sentence: str) -> str:
    text = sentence.strip().rstrip(".;,!").strip()
    return f"{text[0].upper()}{text[1:]}." if text else ""


_EMPTY = word_set(
    "the a an of to in on at by for with and or that this it its you your is are be as from so keep do not always "
    "continue should must when then only"
)


def content(instruction: str) -> frozenset[str]:
    """Stems of the words that make an instruction what it is."""
    return frozenset(stem(word) for word in tokenize(instruction) if word not in _EMPTY)


def alike(one: str, other: str) -> float:
    """How much two instructions are about the same thing: shared stems over the stems of the shorter, 0 to 1."""
    first, second = content(one), content(other)
    smaller = min(len(first), len(second))
    return len(first & second) / smaller if smaller else 0.0


def opposed(one: str, other: str) -> bool:
    """Whether two instructions about the same thing ask for opposite ways of doing it."""
    signs, others = _signs(one), _signs(other)
    shared = [word for word in signs if word in others]
    against = sum(signs[word] != others[word] for word in shared)
    return bool(shared) and 2 * against > len(shared)


def _signs(instruction: str) -> dict[str, int]:
    words = tokenize(plain(instruction))
    polarities = read_polarity(words).polarities
    wanted = content(instruction)
    return {stem(word): sign for word, sign in zip(words, polarities, strict=True) if stem(word) in wanted}
