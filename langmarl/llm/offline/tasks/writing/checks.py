"""How far a text meets the demands of a brief.

Every check looks at the text alone, whoever wrote it, and gives a share from 0 (missed) to 1 (met) with the reason for
what is missing. The word lists stand for what a reader would notice; they are meant to be wide, not clever.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from langmarl.llm.offline.tasks.writing.brief import Demand, Kind
from langmarl.llm.offline.tasks.writing.language import count_found, key_stems, key_weights, sentences, word_count
from langmarl.llm.offline.tasks.writing.points import Point
from langmarl.llm.offline.tasks.writing.tones import TONES


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a demand is met.

    Attributes:
        share: From 0 (missed) to 1 (met).
        reason: What is missing, as a predicate of "the text"; empty where the demand is met.
    """

    share: float
    reason: str = ""


def check(demand: Demand, text: str) -> Verdict:
    """Check ``text`` against one demand; an empty text meets nothing."""
    return _CHECKS[demand.kind](demand, text) if text.strip() else Verdict(0.0, "is empty")


# ----------------------------------------------------------------------------------------------------------- content

_ENOUGH = 0.7
"""The share of a point's words that makes it recognisable; the rest may be said in other words."""


def said(point: Point, text: str) -> float:
    """How much of ``point`` can be recognised in ``text``: from 0 to 1."""
    weights = key_weights(point.value)
    if not weights:
        return 1.0
    present = key_stems(text)
    share = sum(weight for word, weight in weights.items() if word in present) / sum(weights.values())
    # A passing mention of one common word is no mention of the point.
    return 0.0 if share < 0.3 else min(1.0, share / _ENOUGH)


def _content(demand: Demand, text: str) -> Verdict:
    shares = [said(point, text) for point in demand.points]
    missing = [point for point, share in zip(demand.points, shares, strict=True) if share < 0.95]
    named = "; ".join(f"{point.label}: {point.value}" if point.form == "fact" else point.value for point in missing)
    return Verdict(sum(shares) / len(shares), f"does not say, or not fully: {named}" if missing else "")


# ------------------------------------------------------------------------------------------------------------ length

_COUNTERS: dict[str, Callable[[str], int]] = {
    "word": word_count,
    "sentence": lambda text: len(sentences(text)),
    "line": lambda text: sum(1 for line in text.splitlines() if line.strip()),
    "paragraph": lambda text: len([part for part in re.split(r"\n\s*\n", text.strip()) if part.strip()]),
    "character": len,
}


def count(unit: str, text: str) -> int:
    """The length of ``text`` in ``unit`` (word, sentence, line, paragraph or character)."""
    return _COUNTERS[unit](text)


def _length(demand: Demand, text: str) -> Verdict:
    length = count(demand.subject, text)
    if demand.high is not None and length > demand.high:
        share = max(0.0, 1 - (length - demand.high) / max(1, 0.5 * demand.high))
        return Verdict(share, f"is too long: {length} {demand.subject}s where {demand.high} are allowed")
    if length < demand.low:
        share = max(0.0, 1 - (demand.low - length) / max(1, 0.5 * demand.low))
        return Verdict(share, f"is too short: {length} {demand.subject}s where {demand.low} are asked for")
    return Verdict(1.0)


# ------------------------------------------------------------------------------------------------- beginning and end

_GREETING = re.compile(
    r"^\W*(?:dear|hello|hi|hey|good (?:morning|afternoon|evening|day)|greetings|welcome|to whom|to (?:all|the)|"
    r"to our|attention|my dear|dearest|ladies and)\b",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"\b(?:sincerely|faithfully|truly|regards|best wishes|kind wishes|warm wishes|warmly|yours|cheers|love|"
    r"see you (?:soon|there|then|on)|take care|thank you(?: again| very much| all)?|many thanks|with thanks|"
    r"all the best|goodbye|farewell|respectfully|cordially|gratefully|until then|until soon|your \w+(?: \w+)?$)",
    re.IGNORECASE,
)


def _lines(text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [line for line in lines if not re.match(r"(?:subject|re|betreff)\s*:", line, re.IGNORECASE)]


def _greeting(demand: Demand, text: str) -> Verdict:
    # A title may stand above the greeting.
    met = any(_GREETING.match(line) for line in _lines(text)[:2])
    return Verdict(1.0) if met else Verdict(0.0, "does not greet the reader")


def _closing(demand: Demand, text: str) -> Verdict:
    last = _lines(text)[-3:]
    met = any(len(line.split()) <= 9 and _CLOSING.search(line) for line in last)
    met = met or bool(last and _CLOSING.match(sentences(last[-1])[-1] if sentences(last[-1]) else ""))
    return Verdict(1.0) if met else Verdict(0.0, "has no closing line")


def _signature(demand: Demand, text: str) -> Verdict:
    last = " ".join(_lines(text)[-2:])
    wanted = key_stems(demand.subject)
    share = len(wanted & key_stems(last)) / len(wanted) if wanted else 1.0
    return Verdict(share) if share >= _ENOUGH else Verdict(share, f"is not signed by {demand.subject}")


_ACTIONS = (
    "call come join reply visit bring contact write phone ring ask return register book sign send keep check use let "
    "stop drop tell help take stay wait read try order donate give mark save go follow meet talk leave buy reserve "
    "apply support speak get look make pick remember share email e-mail report avoid hand turn switch put see find "
    "start plan"
).replace(" ", "|")
_ORDER = re.compile(
    r"^\W*(?:\d+[.)]\s*)?(?:so |then |and |now |just |simply |do )*(?:please,? (?:\w+ly )?\w+|"
    rf"(?:{_ACTIONS})\b(?! (?:is|are|was|were|takes|has|will)\b))",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:please \w+|you (?:should|need to|must|can|could)|we (?:ask|invite|urge) you to|let us know|"
    r"do not hesitate|be sure to|make sure|don't forget)\b",
    re.IGNORECASE,
)


def _action(demand: Demand, text: str) -> Verdict:
    body = [line for line in sentences(text) if not (len(line.split()) <= 6 and _CLOSING.search(line))]
    # The name under a letter is no sentence of its own.
    ending = [sentence for sentence in body if re.search(r"[.!?]\W*$", sentence)][-2:] or body[-2:]
    met = any(_ORDER.match(sentence) or _ASKED.search(sentence) for sentence in ending)
    return Verdict(1.0) if met else Verdict(0.0, "has no call to action at its end")


# ------------------------------------------------------------------------------------------------ manner of speaking


def _tone(demand: Demand, text: str) -> Verdict:
    tone = TONES[demand.subject]
    spelled = text.replace("\u2019", "'")
    shouts = tone.shouting_breaks and ("!" in text or re.search(r"\b[A-Z]{4,}(?: [A-Z]{4,})+\b", text))
    breaks = count_found(tone.breaks, spelled) + (1 if shouts else 0)
    made = min(1.0, count_found(tone.makes, spelled) / tone.enough) if tone.enough else 1.0
    share = max(0.0, made - 0.5 * breaks)
    if share >= 0.95:
        return Verdict(share)
    return Verdict(
        share, f"is not {demand.subject} {'in tone: some words go against it' if breaks else 'enough in tone'}"
    )


def _reader(demand: Demand, text: str) -> Verdict:
    you = len(re.findall(r"\b(?:you|your|yours|yourself)\b", text, re.IGNORECASE))
    orders = sum(1 for sentence in sentences(text) if _ORDER.match(sentence))
    share = min(1.0, (you + orders) / 3)
    return Verdict(share) if share >= 0.95 else Verdict(share, "hardly speaks to the reader as you")


# ------------------------------------------------------------------------------------------------------ other demands

_EXAMPLE = (
    "for example", "for instance", "such as", "e\\.g\\.", "imagine", "picture", "think of", "only last",
    "the other day",
    "last (?:week|month|year|spring|summer|autumn|winter|\\w+day)", "to give (?:one|an) example", "like the time",
    "say,",
)  # fmt: skip


def _example(demand: Demand, text: str) -> Verdict:
    told = [sentence for sentence in sentences(text) if count_found(_EXAMPLE, sentence)]
    if not told:
        return Verdict(0.0, "gives no concrete example")
    if max(len(key_stems(sentence)) for sentence in told) < 4:
        return Verdict(0.5, "has an example, but not a concrete one")
    return Verdict(1.0)


def _layout(demand: Demand, text: str) -> Verdict:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if demand.subject == "list":
        met = sum(1 for line in lines if re.match(r"[-*\u2022\u2013] ", line)) >= 2
        return Verdict(1.0) if met else Verdict(0.0, "has no bulleted list")
    if demand.subject == "steps":
        met = sum(1 for line in lines if re.match(r"(?:step )?\d+[.):]", line, re.IGNORECASE)) >= 2
        return Verdict(1.0) if met else Verdict(0.0, "has no numbered steps")
    if demand.subject == "subject":
        met = any(re.match(r"\W*subject\W*:", line, re.IGNORECASE) for line in lines[:3])
        return Verdict(1.0) if met else Verdict(0.0, "has no subject line")
    if demand.subject == "question":
        return Verdict(1.0) if "?" in text else Verdict(0.0, "asks no question")
    met = len(lines) > 1 and len(lines[0].split()) <= 12 and not re.search(r"[.!?,;:]\W*$", lines[0])
    return Verdict(1.0) if met else Verdict(0.0, "has no title")


_BANNED = {
    "blame": (
        "your fault", "you (?:have )?failed", "you (?:have )?forg\\w+", "you should have", "you (?:have )?neglected",
        "careless\\w*", "irresponsib\\w+", "you did not", "you didn't", "you caused", "you never",
    ),
    "excuses": (
        "not our fault", "beyond our control", "unfortunately we were", "we were (?:very |too |so )?busy",
        "short of staff",
        "understaffed", "could happen to anyone", "it was only", "nothing we could", "these things happen",
    ),
}  # fmt: skip


def _ban(demand: Demand, text: str) -> Verdict:
    if demand.subject in ("!", "?"):
        return Verdict(0.0, f"uses “{demand.subject}”") if demand.subject in text else Verdict(1.0)
    if demand.subject in _BANNED:
        broken = count_found(_BANNED[demand.subject], text)
        return Verdict(0.0, f"contains {demand.subject}") if broken else Verdict(1.0)
    kind, _, what = demand.subject.partition(" ")
    forbidden = key_stems(what)
    if kind == "word":
        broken = bool(forbidden & key_stems(text)) if forbidden else bool(count_found([re.escape(what)], text))
    else:
        broken = bool(forbidden) and forbidden <= key_stems(text)
    return Verdict(0.0, f"uses what was not wanted: {what}") if broken else Verdict(1.0)


_SORRY = ("sorry", "apolog\\w+", "regret\\w*", "forgive", "our mistake")


def _apology(demand: Demand, text: str) -> Verdict:
    body = [sentence for sentence in sentences(text) if not _GREETING.match(sentence) or len(sentence.split()) > 7]
    body = [sentence for sentence in body if not re.match(r"subject\s*:", sentence, re.IGNORECASE)]
    if count_found(_SORRY, " ".join(body[: demand.high] if demand.high else body)):
        return Verdict(1.0)
    return Verdict(0.4, "apologises late") if count_found(_SORRY, text) else Verdict(0.0, "does not apologise")


def _thanks(demand: Demand, text: str) -> Verdict:
    met = count_found(("thank\\w*", "grateful", "gratitude", "appreciat\\w+"), text)
    return Verdict(1.0) if met else Verdict(0.0, "does not thank the reader")


_CHECKS: dict[Kind, Callable[[Demand, str], Verdict]] = {
    Kind.LENGTH: _length,
    Kind.GREETING: _greeting,
    Kind.CLOSING: _closing,
    Kind.SIGNATURE: _signature,
    Kind.TONE: _tone,
    Kind.READER: _reader,
    Kind.ACTION: _action,
    Kind.EXAMPLE: _example,
    Kind.LAYOUT: _layout,
    Kind.BAN: _ban,
    Kind.APOLOGY: _apology,
    Kind.THANKS: _thanks,
    Kind.CONTENT: _content,
}
