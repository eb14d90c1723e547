"""What a writing task asks for: the form of the text, whom it is for and what it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LETTERS = re.compile(
    r"\b(?:letter|e-?mail|note|notice|message|invitation|reply|reminder|appeal|memo|announcement|postcard)\b",
    re.IGNORECASE,
)
_VERSE = re.compile(r"\b(?:poem|verse|haiku|limerick|rhyme|couplet|song|stanza)\b", re.IGNORECASE)
_ASK = re.compile(
    r"^(?:please )?(?:write|draft|compose|create|prepare|produce)\s+(?:(?:an?|the|some)\s+)?", re.IGNORECASE
)
_FORM_END = re.compile(r"\b(?:for|to|of|about|on|that|asking|with)\b", re.IGNORECASE)
_AUDIENCE = re.compile(
    r"\b(?:for|to) (?:the |an? |our |all )?(?P<who>[a-z][\w' -]*?)(?= (?:about|who|whose|whom|that|of|in|at|called|"
    r"asking|on|to|because|with)\b|[,.;]|$)",
)


@dataclass(frozen=True, slots=True)
class Errand:
    """A writing task in three parts.

    Attributes:
        form: What kind of text, for example "thank-you note".
        audience: Whom it speaks to, without an article; empty where the task does not say.
        topic: What it is about; the whole task where no part of it can be told apart.
        asks: Whether the topic is something the reader is asked to do ("keep the noise down").
    """

    form: str
    audience: str
    topic: str
    asks: bool

    @property
    def letter(self) -> bool:
        """Whether a text of this form is addressed to somebody."""
        return bool(_LETTERS.search(self.form))

    @property
    def verse(self) -> bool:
        """Whether it is set in lines."""
        return bool(_VERSE.search(self.form))


def read_errand(prompt: str) -> Errand:
    """Read a task such as "Write a notice for the residents about the lift"."""
    task = _ASK.sub("", prompt.strip().rstrip("."))
    end = _FORM_END.search(task)
    form = task[: end.start()].strip() if end else task
    if _VERSE.search(task[:40]) and not _VERSE.search(form):
        form = "verse"
    audience = _AUDIENCE.search(task)
    topic, asks = _topic(task)
    return Errand(form or "text", audience["who"] if audience else "", topic, asks)


_REQUESTED = re.compile(
    r"\basking (?:\w+ )?to (.+)$|^(?:appeal|request|call)\b.*? to (?!the |an? |our )(?!\w+s\b)(.+)$"
)
_TOPIC = tuple(
    re.compile(pattern)
    for pattern in (
        r"\babout (.+)$",
        r"\basking for (.+)$",
        r"\b(how to .+)$",
        r"^(?:\w+[ -]){1,3}?of (?!verse|poetry)(.+)$",
        r"\bfor (.+)$",
        r"\bto (.+)$",
    )
)


def _topic(task: str) -> tuple[str, bool]:
    requested = _REQUESTED.search(task)
    if requested:
        return requested[1] or requested[2], True
    found = next((match[1] for pattern in _TOPIC if (match := pattern.search(task))), task)
    return _to_the_reader(found), False


def _to_the_reader(topic: str) -> str:
    """What is said of the addressee is said to it: "a neighbour who fed the cat" becomes "the time when you fed …"."""
    did = re.match(r"an? [\w ]+? who (?P<did>(?!is\b|has\b|joins\b)\w+ed .+)$", topic)
    if did:
        return f"the time when you {did['did']}"
    owned = re.match(r"an? \w+ whose (?P<owned>.+)$", topic)
    return f"the fact that your {owned['owned']}" if owned else topic
