"""What a reader says: evidence while others are still to speak, the answer when it speaks last."""

from __future__ import annotations

import re
from dataclasses import dataclass

from langmarl.llm.offline.seat import Seat
from langmarl.llm.offline.tasks.qa.answer import Found, read_off
from langmarl.llm.offline.tasks.qa.compare import compared
from langmarl.llm.offline.tasks.qa.question import read_question
from langmarl.llm.offline.tasks.qa.search import Evidence, Habits, extend, quotes_of, search
from langmarl.llm.offline.tasks.qa.spans import spans
from langmarl.llm.offline.tasks.qa.text import STOPWORDS, Reading, Sentence, content_stems, read_task
from langmarl.llm.offline.tasks.skill import Message
from langmarl.llm.offline.words import tokenize

_PROPOSAL = re.compile(
    r"\b(?:answer|guess)\b[^.:\n]{0,40}?(?:\bis|\bwould be|\bmay be|\bcould be|\bmight be|:)\s+"
    r"(?P<text>[^\n]+?)\.?\s*(?:\n|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Heard:
    """What earlier messages bring.

    Attributes:
        quotes: Sentences of the passages that stand in them word for word.
        titled: Whether they also name the passages that they quote.
        named: Indices of the passages that they name.
        proposal: An answer that they put forward; None where there is none.
    """

    quotes: tuple[Sentence, ...]
    titled: bool
    named: tuple[int, ...]
    proposal: str | None


def listen(reading: Reading, earlier: list[Message]) -> Heard:
    """Find quotes, passage titles and proposals in ``earlier``, however they are worded."""
    text = " ".join(" ".join(message.text for message in earlier).split())
    quotes = tuple(s for p in reading.passages for s in p.sentences if len(s.text) > 15 and s.text in text)
    for sentence in quotes:
        text = text.replace(sentence.text, " ")
    named = tuple(
        p.index for p in reading.passages if p.title.lower() in text.lower() or p.name.lower() in text.lower()
    )
    quoted = {sentence.passage for sentence in quotes}
    proposals = [found.group("text").strip() for message in earlier for found in _PROPOSAL.finditer(message.text)]
    ordered = tuple(sorted(quotes, key=lambda s: _spoken_at(s, earlier)))
    return Heard(ordered, bool(quoted) and quoted <= set(named), named, proposals[-1] if proposals else None)


def _spoken_at(sentence: Sentence, earlier: list[Message]) -> int:
    """Where in the messages a sentence is quoted, in characters from the start."""
    return " ".join(" ".join(message.text for message in earlier).split()).find(sentence.text)


def act(task: str, earlier: list[Message], seat: Seat, habits: Habits) -> str:
    """The message of a reader in ``seat`` with these habits."""
    reading = read_task(task)
    if not reading.passages:
        return "There are no passages to read."
    heard = listen(reading, earlier)
    if seat.last:
        return _answer_message(reading, heard, habits)
    return _evidence_message(reading, heard, habits)


def _evidence_message(reading: Reading, heard: Heard, habits: Habits) -> str:
    evidence, _ = _evidence(reading, heard, habits)
    parts = [_report(reading, evidence, habits)]
    if not habits.get("defer"):
        found = conclude(reading, evidence.sentences, habits, titled=bool(habits.get("source")))
        parts.append(f"My guess at the answer is: {found.text}" if found else "I cannot guess the answer.")
    return "\n".join(parts)


def _answer_message(reading: Reading, heard: Heard, habits: Habits) -> str:
    evidence, titled = _evidence(reading, heard, habits)
    found = None
    if habits.get("use_evidence") and heard.proposal and not habits.get("check"):
        found = Found(_bare(heard.proposal), None)
    found = found or conclude(reading, evidence.sentences, habits, titled=titled)
    if habits.get("admit") and not _supported(reading, found):
        found = None
    if found is None:
        return (
            "unknown" if habits.get("short") else "The passages do not say enough, so the answer remains unknown to me."
        )
    text = fullest(reading, found.text) if habits.get("full_name") else found.text
    return _worded(reading, text, found, evidence, habits)


def _evidence(reading: Reading, heard: Heard, habits: Habits) -> tuple[Evidence, bool]:
    """The evidence to work from, and whether the reader knows where each sentence comes from."""
    if not habits.get("use_evidence"):
        return search(reading, habits), True
    if heard.quotes:
        known = Evidence(heard.quotes, tuple(dict.fromkeys(s.passage for s in heard.quotes)))
        return (extend(reading, known), heard.titled) if habits.get("follow_link") else (known, heard.titled)
    if heard.named:
        start = Evidence(quotes_of(reading, heard.named[:1]), heard.named[:1])
        return (extend(reading, start) if habits.get("follow_link") else start), True
    return search(reading, habits), True


def conclude(reading: Reading, quotes: tuple[Sentence, ...], habits: Habits, *, titled: bool) -> Found | None:
    """The answer that follows from ``quotes`` for a reader with these habits."""
    kind = read_question(reading.question).kind
    if habits.get("compare") and kind in ("yes_no", "choice", "shared"):
        answer = compared(reading, quotes)
        if answer is not None:
            return Found(answer, None)
    if kind == "yes_no" and (habits.get("yes_no") or habits.get("match_kind")):
        shared = frozenset().union(*(s.stems for s in quotes)) & reading.question_stems
        return Found("yes" if 2 * len(shared) >= len(reading.question_stems) else "no", None)
    return read_off(reading, quotes, habits, titled)


def _report(reading: Reading, evidence: Evidence, habits: Habits) -> str:
    """Quotes, or without that habit a vague summary; with or without the titles."""
    if habits.get("quote"):
        quotes = _fewest(reading, evidence) if habits.get("short") else evidence.sentences
        return "\n".join(_quote(reading, sentence, habits) for sentence in quotes)
    start = reading.passages[evidence.path[0]]
    words = [w for s in start.sentences[:2] for w in tokenize(s.text) if w not in STOPWORDS and len(w) > 3]
    about = ", ".join(dict.fromkeys(words[3:9] if len(words) > 8 else words[:6]))
    which = (
        " and ".join(f'"{reading.passages[i].title}"' for i in evidence.path) if habits.get("source") else "One passage"
    )
    if habits.get("short"):
        return f"{which}: {about}."
    return f"{which} seems to bear on this. Broadly, it has to do with {about}."


def _fewest(reading: Reading, evidence: Evidence) -> list[Sentence]:
    """One sentence of each passage: the one that shares most with the question."""
    by_passage: dict[int, list[Sentence]] = {}
    for sentence in evidence.sentences:
        by_passage.setdefault(sentence.passage, []).append(sentence)
    return [max(group, key=lambda s: reading.weight(s.stems & reading.question_stems)) for group in by_passage.values()]


def _quote(reading: Reading, sentence: Sentence, habits: Habits) -> str:
    title = f"{reading.passages[sentence.passage].title}: " if habits.get("source") else ""
    return f'{title}"{sentence.text}"'


def _worded(reading: Reading, text: str, found: Found, evidence: Evidence, habits: Habits) -> str:
    """The answer as the habits want it worded: bare or in a sentence, with or without evidence and source."""
    kind = read_question(reading.question).kind
    bare = habits.get("short") or (habits.get("yes_no") and kind == "yes_no" and text in ("yes", "no"))
    sentence = found.sentence or (evidence.sentences[0] if evidence.sentences else None)
    origin = reading.passages[sentence.passage].title if sentence else None
    if bare:
        return f"{text} [{origin}]" if origin and (habits.get("source") or habits.get("quote")) else text
    lead = f'Going by "{origin}", ' if origin and habits.get("source") else "From what I have read in the passages, "
    reply = f"{lead}I would say that the answer to the question is most likely {text}."
    if habits.get("quote"):
        quotes = "\n".join(_quote(reading, quoted, habits) for quoted in evidence.sentences)
        return f"{quotes}\n{reply}"
    return f"{reply} This is how I understand it, though there is more to be said about the matter."


def _supported(reading: Reading, found: Found | None) -> bool:
    """Whether the answer stands in a sentence that shares a word with the question."""
    if found is None:
        return False
    if found.sentence is None:
        return True
    return bool(found.sentence.stems & (reading.question_stems - content_stems(found.text)))


def fullest(reading: Reading, text: str) -> str:
    """The longest name in the passages that holds all words of ``text`` and ends or begins with them."""
    longer = [
        span.text
        for passage in reading.passages
        for sentence in passage.sentences
        if text in sentence.text
        for span in spans(sentence.text)
        if span.kind == "name" and "," not in span.text and (span.text.endswith(text) or span.text.startswith(text))
    ]
    parts = set(text.split())
    titles = [p.name for p in reading.passages if parts and parts <= set(p.name.split())]
    return max([text, *longer, *titles], key=len)


def _bare(proposal: str) -> str:
    return proposal.strip().strip("\"'.")
