"""Pieces put together from words: *which* numbers, *made into* what, *gathered* how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from langmarl.llm.offline.tasks.coding.snippet import Snippet
from langmarl.llm.offline.words import stem


@dataclass(frozen=True, slots=True)
class _Part:
    """One part of a composition: what it is called, the words that call for it, and its code."""

    title: str
    words: str
    code: str
    needs: str = ""


_FILTERS = (
    _Part("even", "even", "value % 2 == 0"),
    _Part("odd", "odd", "value % 2 == 1"),
    _Part("positive", "positive", "value > 0"),
    _Part("negative", "negative", "value < 0"),
    _Part("below the limit", "below|less|under|smaller", "value < $b", "number"),
    _Part("above the limit", "above|greater|over|larger|more|exceed", "value > $b", "number"),
    _Part("with the text in it", "contain|substring|include", "$b in value", "text"),
    _Part("with that beginning", "start|prefix|begin", "value.startswith($b)", "text"),
    _Part("that are whole numbers", "integer|integers", "isinstance(value, int)"),
)
_MAPS = (
    _Part("squared", "square|squared", "value * value"),
    _Part("cubed", "cube|cubed", "value ** 3"),
    _Part("doubled", "double|doubled", "value * 2"),
    _Part("without sign", "absolute|size|magnitude", "abs(value)"),
    _Part("as lengths", "length", "len(value)"),
    _Part("in upper case", "upper|uppercase", "value.upper()"),
)
_GATHERINGS = (
    _Part("the sum of the values", "sum|total|add", "return sum({item} for value in $a{condition})"),
    _Part("the number of values", "count|many", "return sum(1 for value in $a{condition})"),
    _Part(
        "the list of values", "list|keep|get|filter|only|return|select", "return [{item} for value in $a{condition}]"
    ),
    _Part("the largest of the values", "largest|maximum", "return max({item} for value in $a{condition})"),
)
_NOTHING = _Part("", "", "")


@lru_cache(maxsize=4096)
def compositions(words: frozenset[str], kinds: tuple[str, ...]) -> tuple[Snippet, ...]:
    """Every composition that ``words`` (stems) call for, the one that uses most of them first."""
    if not kinds or kinds[0] not in ("items", ""):
        return ()
    found = list(_combined(words, kinds))
    return tuple(sorted(found, key=lambda snippet: -len(snippet.keys)))


def _combined(words: frozenset[str], kinds: tuple[str, ...]) -> Iterator[Snippet]:
    second = kinds[1] if len(kinds) == 2 else ""
    filters = [part for part in _FILTERS if _called(part, words) and (not part.needs or part.needs == second)]
    maps = [part for part in _MAPS if _called(part, words)]
    gatherings = [part for part in _GATHERINGS if _called(part, words)]
    for gathering, filtered, mapped in product(gatherings, [*filters, _NOTHING], [*maps, _NOTHING]):
        if (len(kinds) == 2) != bool(filtered.needs) or len(kinds) > 2:
            continue
        yield _composed(gathering, filtered, mapped, kinds)


def _called(part: _Part, words: frozenset[str]) -> bool:
    return any(stem(word) in words for word in part.words.split("|"))


def _composed(gathering: _Part, filtered: _Part, mapped: _Part, kinds: tuple[str, ...]) -> Snippet:
    used = [part for part in (gathering, filtered, mapped) if part.words]
    condition = f" if {filtered.code}" if filtered.code else ""
    return Snippet(
        title=", ".join(part.title for part in used),
        keys=tuple(part.words for part in used),
        kinds=kinds,
        plain=gathering.code.format(item=mapped.code or "value", condition=condition),
        guard="if not $a:\n    return $empty" if "max(" in gathering.code else "",
    )
