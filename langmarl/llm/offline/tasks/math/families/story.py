"""Any other story: its numbers in the order told, joined by what the words around them suggest."""

from __future__ import annotations

import re
from collections.abc import Callable

from langmarl.llm.offline.tasks.math.numerals import NUMBER, number
from langmarl.llm.offline.tasks.math.plan import Plan, Quantity, Step

_MOST = 6
_SIGNS: tuple[tuple[str, str], ...] = (
    (
        "*",
        r"\beach\b|\bper\b|\bevery\b|\btimes\b|\btwice\b|\bapiece\b"
        r"|\b(?:a|an) (?:day|week|hour|month|year|piece)\b|\bof the \d",
    ),
    (
        "-",
        r"\bleft\b|\bremain|\bgives?\b|\bgave\b|\beats?\b|\bate\b|\bspen[dt]s?\b|\bloses?\b|\blost\b"
        r"|\bsold\b|\bless\b|\bfewer\b|\bafter\b|\buses\b|\bused\b",
    ),
    ("/", r"\bshared?\b|\bsplit|\bdivided?\b|\bequally\b|\bhalf\b|\bevenly\b"),
    ("+", r"\bmore\b|\band\b|\balso\b|\banother\b|\bthen\b|\btotal\b|\baltogether\b"),
)


def _story(text: str) -> Plan | None:
    found = list(re.finditer(rf"(?<![\w.])({NUMBER})(?![\w])", text))[:_MOST]
    if not found:
        return None
    givens = tuple(Quantity(f"number {place}", number(item.group(1))) for place, item in enumerate(found, start=1))
    if len(givens) == 1:
        return Plan(givens, (Step("the result", "{number 1}"),))
    steps: list[Step] = []
    so_far = "{number 1}"
    for place in range(2, len(givens) + 1):
        start, end = found[place - 2].end(), found[place - 1].end() + 40
        sign = _sign(text[start:end].lower())
        if sign == "/" and not givens[place - 1].value:
            sign = "+"
        name = "the result" if place == len(givens) else f"result {place - 1}"
        steps.append(Step(name, f"{so_far} {sign} {{number {place}}}"))
        so_far = f"{{{name}}}"
    return Plan(givens, tuple(steps))


def _sign(words: str) -> str:
    """The operation that ``words`` between two numbers suggest."""
    for sign, pattern in _SIGNS:
        if re.search(pattern, words):
            return sign
    return "*"


STORY: tuple[Callable[[str], Plan | None], ...] = (_story,)
"""The last resort; reads every text that holds a number."""
