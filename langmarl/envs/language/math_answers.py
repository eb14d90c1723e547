"""Where the answer stands in a message about mathematics, and when two answers are written the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

BOX = re.compile(r"\\(?:boxed|fbox)\b\s*")
# Four hashes before anything but a number are a heading.
FINAL_MARK = re.compile(r"^[ \t]*####[ \t]*([-+$€£]*\d[\d,./]*%?)[ \t]*$", re.MULTILINE)
DISPLAY = re.compile(r"\$\$.{1,2000}?\$\$|\\\[.{1,2000}?\\\]", re.DOTALL)
LEAD = re.compile(r"^.*(?:\banswer(?:\s+is)?\b|\bis\b|:\s|=)\s*(?=\S)", re.IGNORECASE)
BARE_LATEX = re.compile(r"\\[a-zA-Z]|[\^_]")
DELIMITER = re.compile(r"(?<!\\)\$|\\\(|\\\[")

MESSAGE_END = 20_000
"""Characters that are read, from the end: a model that runs on and on must not keep the scorer busy."""
LOOK_BACK = 10
"""Boxes, or lines, that are tried from the end."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A piece of a message that may be its answer.

    Attributes:
        text: As written.
        form: ``latex`` is an expression as a whole; ``prose`` has one somewhere in it; ``words`` is compared by its
            spelling only, since a name read as an expression would be a product of letters.
    """

    text: str
    form: Literal["latex", "prose", "words"]


def boxed_content(text: str) -> str | None:
    r"""What the last whole, non-empty ``\boxed{…}`` holds; None where there is none."""
    for box in reversed(list(BOX.finditer(text))[-LOOK_BACK:]):
        content = _braced(text, box.end())
        if content is not None and content.strip():
            return content.strip()
    return None


def candidates(message: str) -> list[Candidate]:
    """The pieces that may be the answer, the likeliest first; what comes after one that can be read is not looked at.

    The last box alone counts where there is one, then the last ``#### N`` (GSM8K's mark). Else lines are tried from
    the bottom, since the last expression is the answer; only the very last may be an answer in words.

    Args:
        message: The answering agent's whole message.
    """
    message = message[-MESSAGE_END:]
    boxed = boxed_content(message)
    if boxed is not None:
        return [Candidate(boxed, "latex")]
    marked = FINAL_MARK.findall(message)
    if marked:
        return [Candidate(_undelimited(marked[-1]), "latex")]
    joined = DISPLAY.sub(lambda display: display.group().replace("\n", " "), message)
    filled = [line.strip("* \t") for line in joined.splitlines() if line.strip("* \t")][-LOOK_BACK:]
    words = [Candidate(text, "words") for text in (filled[-1], _tail(filled[-1]))] if filled else []
    return words + [candidate for line in reversed(filled) for candidate in _in_line(line)]


def written_alike(answer: str, other: str) -> bool:
    """Whether two answers differ in spelling only: spaces, sizes of brackets, text commands, a unit, a full stop.

    Settles what is no expression (names, options, directions), and the many plain cases without any algebra.
    """
    cleaned = clean_latex(answer)
    return bool(cleaned) and cleaned == clean_latex(other)


def clean_latex(answer: str) -> str:
    """An answer without what does not change its meaning."""
    text = _undelimited(answer.strip().rstrip(".")).rstrip(".")
    text = re.sub(r"\\(?:text|mbox|textbf|textit|mathrm|mathbf|mathit)\s*\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"\\(?:left|right|displaystyle|bigl?|bigr|Bigl?|Bigr)(?![a-zA-Z])", "", text)
    text = re.sub(r"\\[dt]frac", r"\\frac", text)
    text = re.sub(r"\\[!,;: ]|~|\\\$|\^\s*(?:\{\s*)?\\circ(?:\s*\})?", "", text).replace(r"\%", "%")
    text = re.sub(r"(?<=\d)(?:,|\{,\})(?=\d{3}(?!\d))", "", text)
    text = re.sub(r"\\frac\s*(\w)\s*(\w)", r"\\frac{\1}{\2}", text)
    text = re.sub(r"\s+", "", text)
    option = re.fullmatch(r"\(([A-Za-z])\)", text)
    if option:
        return option.group(1)
    # Words may be capitalised; letters of a formula mean what they are.
    return text.casefold() if len(text) > 2 and text.isalpha() else text


def _braced(text: str, start: int) -> str | None:
    if start >= len(text):
        return None
    if text[start] != "{":
        return text[start]
    depth = 0
    for position in range(start, len(text)):
        if text[position] in "{}" and text[position - 1] != "\\":
            depth += 1 if text[position] == "{" else -1
            if depth == 0:
                return text[start + 1 : position]
    return None


def _undelimited(text: str) -> str:
    found = re.fullmatch(r"\$\$?(.+?)\$?\$|\\\((.+)\\\)|\\\[(.+)\\\]", text.strip(), re.DOTALL)
    return next(group for group in found.groups() if group is not None).strip() if found else text.strip()


def _tail(line: str) -> str:
    """What follows the last "answer is", colon or equals sign."""
    return LEAD.sub("", line).strip("* ").rstrip(".")


def _in_line(line: str) -> list[Candidate]:
    """What a line may mean: its tail where that is LaTeX as a whole, then whatever expression is in it."""
    line = line.replace(r"\$", "")  # an amount of money, not mathematics
    tail = _tail(line)
    whole = _undelimited(tail)
    delimited = whole != tail and not DELIMITER.search(whole)
    if delimited or (not DELIMITER.search(line) and BARE_LATEX.search(tail)):
        return [Candidate(whole, "latex"), Candidate(line, "prose")]
    return [Candidate(line, "prose")]
