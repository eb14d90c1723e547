"""The text of a problem, made even: number words as digits, money as dollars, LaTeX as plain signs."""

from __future__ import annotations

import re
from fractions import Fraction

from langmarl.llm.offline.tasks.math.numerals import NUMBER, number, plain_fractions
from langmarl.llm.offline.tasks.math.units import UNIT, unit_named

_LONGEST = 2_000
_HEAD = re.compile(r"^\s*problem:\s*", re.IGNORECASE)
_NUMBER_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
    "fifteen",
)  # fmt: skip
_WORDS = {word: str(value) for value, word in enumerate(_NUMBER_WORDS, start=2)}
_WORD = re.compile(r"\b(" + "|".join(_WORDS) + r")\b(?!-)", re.IGNORECASE)
# LaTeX mathematics holds no words and touches its dollar signs; "from $60 to $45" does not.
_MATHS = re.compile(r"\$((?! )(?:[^$A-Za-z]|\\[A-Za-z]+|(?<![A-Za-z])[A-Za-z]{1,2}(?![A-Za-z]))+?(?<! ))\$")
_MONEY = re.compile(rf"\\?\$\s?({NUMBER})")
_EVEN = str.maketrans({"\u2212": "-", "\u2013": "-", "\u2019": "'", "\u00d7": "*", "\u00f7": "/"})
_LATEX = (
    (r"\\(?:left|right|displaystyle|,|!|;)", " "),
    (r"\\(?:times|cdot|ast)(?![a-zA-Z])", " * "),
    (r"\\div(?![a-zA-Z])", " / "),
    (r"\\%", "%"),
    (r"\\sqrt\s*\{([^{}]*)\}", r"sqrt(\1)"),
    (r"\^\s*\{([^{}]*)\}", r"^(\1)"),
    (r"\\d?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"((\1)/(\2))"),
)


def statement(task: str) -> str:
    """The problem of an actor's ``task``, made even; case is kept. What lies beyond 2,000 characters is not read."""
    text = _HEAD.sub("", task).strip()[:_LONGEST]
    text = text.translate(_EVEN)
    text = plain_fractions(_MATHS.sub(r" \1 ", text))
    for pattern, replacement in _LATEX:
        text = re.sub(pattern, replacement, text)
    text = _MONEY.sub(r"\1 dollars", text)
    text = re.sub(r"\bhalf an hour\b", "0.5 hours", text)
    text = _WORD.sub(lambda found: _WORDS[found.group(1).lower()], text)
    return re.sub(r"\s+", " ", text).strip()


def measures(text: str) -> list[tuple[Fraction, str]]:
    """Every number of ``text`` that a unit follows, with that unit."""
    found = re.findall(rf"(?<![\w./])({NUMBER})[ -]?({UNIT})", text.lower())
    return [(number(value), unit_named(word)) for value, word in found]


def asked_unit(text: str) -> str:
    """The unit that the question wants the answer in, or an empty string."""
    question = re.split(r"(?<=[.;])\s+", text.lower())[-1]
    for pattern in (
        rf"how many (?:more |square |whole )?({UNIT})",
        rf"in (?:square )?({UNIT})\s*[?.]?$",
        rf"\bin ({UNIT})",
    ):
        found = re.search(pattern, question)
        if found:
            return unit_named(found.group(1))
    return ""
