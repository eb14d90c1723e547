"""Who is spoken to: "Agent 2 should …", "whoever answers must …", "when you speak first, …"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from langmarl.llm.offline.seat import Seat

_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
_ORDINALS = {
    "first": 1, "opening": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5,
    "last": -1, "final": -1, "closing": -1, "answering": -1,
    "next": 0, "other": 0,
}  # fmt: skip

_PERSON = (
    r"(?:agents?|speakers?|readers?|members?|team-?mates?|partners?|colleagues?|players?|solvers?|writers?|peers?)"
)
_MATE = r"(?:team-?mates?|partners?|colleagues?|peers?|companions?|fellow agents?|co-?workers?)"
_NAME = re.compile(
    rf"(?:(?:for|to|and|but|then|so|while|whereas|dear|only) )?(?:"
    rf"agents?[ _](?P<number>\d+|{'|'.join(_NUMBERS)})\b"
    rf"|(?:the )?(?P<ordinal>{'|'.join(_ORDINALS)})(?: two| three)? {_PERSON}\b"
    rf"|(?:whoever|the (?:one|agent|speaker) (?:who|that|to)) (?:is |has |comes? |goes? |speaks? |answers?|talks? |"
    rf"writes? |starts?|opens?|closes?|finish(?:es)?|begins?)+(?:to )?"
    rf"(?P<turn>first|last|second|third|final|answer|speak first|speak last)?"
    rf"|(?P<answerer>the answerer|the answer-?giver)"
    rf"|(?:your|the|my|our|any|other|his|her) (?:other )?(?P<mate>{_MATE})\b"
    rf"|(?P<others>(?:the )?others\b|(?:everyone|anyone) else\b|"
    rf"those (?:who|that) (?:come|speak|follow)\w*(?: after| later| next)?(?: you)?)"
    rf"|(?P<pronoun>it|they|he|she)\b"
    rf")"
)
_VERB_OF_DUTY = re.compile(
    r"(?:,? (?:too|then|also|in turn|on the other hand|however|only|alone|always|never|who \w+ (?:last|first)|"
    r"speaking (?:last|first)|going (?:last|first)|by contrast|in contrast))*,? "
    r"(?!(?:(?:do|does|did|will|would) not )?(?:needs?|wants?|has|have|cares?) "
    r"(?:no (?:need|use|wish|desire) )?(?:to |for )?"
    r"(?:know|see|be able|be told|have|get|hear|be given|find|read|learn)\b)"
    r"(?:should|must|needs?|has|have|ought|will|can|may|is|are|shall|could|would|does|do|might|speaks?|sees?|reads?|"
    r"gives?|answers?|decides?|takes?|then|depends?|relies|rely|wants?|cannot)\b"
)
# "It should …" may be about an agent; "it is vital to …" is not.
_PRONOUN_DUTY = re.compile(r" (?:should|must|needs? to|has to|have to|ought|can|may|will|shall|could)\b")
_LABEL = re.compile(r"\s*(?::|,| -| \u2013| \u2014)\s*")
_SELF = re.compile(r"^(?:and |but |so |then )?(?:you|yourself|your (?:job|task|role|part|message|turn))\b")

_ON_TURN = re.compile(
    r"^(?:but |and |so )?(?=.*\b(?:if|when|whenever|unless|as|being|since|while|in case|\w+ing)\b)"
    r"(?P<unless>unless|except)?\s*"
    r"(?:(?:if|when|whenever|as|being|since|where|while|in case|only if|only when) )?"
    r"(?:and )?(?:you |you are |your turn is |your turn comes )?(?:are |is |do |be |being )?"
    r"(?P<negated>not )?(?:be |the one )?(?:the one )?(?:who |to )?"
    r"(?:speak(?:s|ing)?|go(?:es|ing)?|answer(?:s|ing)?|com(?:e|es|ing)|act(?:s|ing)?|talk(?:s|ing)?|"
    r"writ(?:e|es|ing))? ?"
    r"(?:in )?(?:the )?(?P<turn>first|last|second|third|final|opening|closing|agent \d+)"
    r"(?: (?:agent|speaker|one|to speak|to answer|in line|in the team|position|turn|in turn|place))?\s*$"
)


@dataclass(frozen=True, slots=True)
class Label:
    """The positions that a label names, and what the line says after it."""

    aim: frozenset[int]
    rest: str


def addressees(text: str, seat: Seat, before: frozenset[int] | None) -> frozenset[int] | None:
    """The positions that a segment speaks to by naming an agent as its subject.

    Args:
        text: The segment, as ``idioms.plain`` leaves it.
        seat: Who reads it ("your teammate" is everyone else).
        before: Whom the sentence before was about, for "it should also …".

    Returns:
        Positions counted from 1, or None where the segment names nobody and so speaks to its reader.
    """
    text = text.strip()
    found = _NAME.match(text)
    if found is None or not _VERB_OF_DUTY.match(text, found.end()):
        return None
    if found.group("pronoun"):
        return before if _PRONOUN_DUTY.match(text, found.end()) else None
    return named(found, seat)


def label(line: str, seat: Seat) -> Label | None:
    """Whom a line is labelled for ("Agent 2: …", "For the last speaker, …"); None without a label."""
    text = line.strip().strip("[]()*")
    found = _NAME.match(text)
    if found is None or found.group("pronoun"):
        return None
    rest = text[found.end() :]
    mark = _LABEL.match(rest)
    if not rest.strip():
        return Label(named(found, seat), "")
    return Label(named(found, seat), rest[mark.end() :]) if mark else None


def named(found: re.Match[str], seat: Seat) -> frozenset[int]:
    """The positions that a match of an agent's name stands for."""
    everyone = frozenset(range(1, seat.of + 1))
    number = found.group("number")
    if number:
        return frozenset({_NUMBERS.get(number) or int(number)})
    ordinal = found.group("ordinal") or found.group("turn")
    if ordinal:
        ordinal = ordinal.removeprefix("speak ")
        place = -1 if ordinal == "answer" else _ORDINALS.get(ordinal, -1)
        if place:
            return frozenset({seat.of if place < 0 else place})
        return everyone - {seat.position}
    if found.group("mate") or found.group("others"):
        return everyone - {seat.position}
    opening = re.search(r"start|open|begin", found.group(0))
    return frozenset({1 if opening else seat.of})


def speaks_to_self(text: str) -> bool:
    """Whether a segment names its reader as its subject."""
    return bool(_SELF.match(text.strip()))


def holds_for(text: str, seat: Seat) -> bool | None:
    """For a condition on the turn ("if you speak first"): whether it holds in ``seat``. None for any other segment."""
    found = _ON_TURN.match(text.strip())
    if found is None:
        return None
    holds = seat.position == _place(found.group("turn"), seat)
    flips = bool(found.group("negated")) != bool(found.group("unless"))
    return holds != flips


def _place(turn: str, seat: Seat) -> int:
    """The position that "first", "last" or "agent 2" stands for."""
    if turn.startswith("agent"):
        return int(turn.split()[1])
    return _ORDINALS[turn] if _ORDINALS[turn] > 0 else seat.of
