"""Lists made from lists."""

from __future__ import annotations

from langmarl.llm.offline.tasks.coding.snippet import Snippet

_EMPTY = "if not $a:\n    return $empty"
_ITEMS = ("items",)
_TWO_LISTS = ("items", "items")
_LIST_AND_NUMBER = ("items", "number")

LISTS: tuple[Snippet, ...] = (
    Snippet(
        "the items without repeats, sorted", ("repeat|duplicate|unique|distinct",), _ITEMS, "return sorted(set($a))"
    ),
    Snippet(
        "the items without repeats, each where it first appears",
        ("repeat|duplicate|unique", "remove|without|drop|delete|first"),
        _ITEMS,
        "return sorted(set($a), key=$a.index)",
    ),
    Snippet(
        "the items that occur only once",
        ("once|duplicate|repeat", "remove|once|only"),
        _ITEMS,
        "return [item for item in $a if $a.count(item) == 1]",
    ),
    Snippet(
        "the first item that occurs more than once",
        ("first", "repeat|duplicate|twice"),
        _ITEMS,
        "for item in $a:\n    if $a.count(item) > 1:\n        return item\nreturn None",
    ),
    Snippet(
        "the first item that has been seen before",
        ("first|already", "repeat|duplicate|seen"),
        _ITEMS,
        "seen = set()\nfor item in $a:\n    if item in seen:\n        return item\n    seen.add(item)\nreturn None",
    ),
    Snippet(
        "the sums up to each place",
        ("running|cumulative|prefix|up", "total|sum"),
        _ITEMS,
        "totals = []\nso_far = 0\nfor value in $a:\n    so_far += value\n    totals.append(so_far)\nreturn totals",
    ),
    Snippet(
        "the largest value up to each place",
        ("rolling|running|until", "max|maximum|largest"),
        _ITEMS,
        "highest = []\nfor value in $a:\n    highest.append(value if not highest else max(value, "
        "highest[-1]))\nreturn highest",
    ),
    Snippet("the list turned by so many places", ("rotate|shift|left",), _LIST_AND_NUMBER, "return $a[$b:] + $a[:$b]"),
    Snippet(
        "the list turned by so many places, round and round",
        ("rotate|shift|left",),
        _LIST_AND_NUMBER,
        "cut = $b % len($a)\nreturn $a[cut:] + $a[:cut]",
        guard=_EMPTY,
    ),
    Snippet(
        "groups of a given size",
        ("chunk|group|batch|piece|split",),
        _LIST_AND_NUMBER,
        "return [$a[start:start + $b] for start in range(0, len($a), $b)]",
    ),
    Snippet(
        "the items of all groups in one list",
        ("flatten|join|concatenate", "once|group|list|nested|one"),
        _ITEMS,
        "return [item for group in $a for item in group]",
    ),
    Snippet(
        "the items of the first list that the second holds too",
        ("common|shared|both|intersection",),
        _TWO_LISTS,
        "return [item for item in $a if item in $b]",
    ),
    Snippet(
        "the items that both lists hold, sorted",
        ("common|shared|both|intersection",),
        _TWO_LISTS,
        "return sorted(item for item in $a if item in $b)",
        duplicates="return sorted(set($a) & set($b))",
    ),
    Snippet(
        "the items of two lists in turn, as long as both last",
        ("interleave|alternate|zip|turn",),
        _TWO_LISTS,
        "return [item for pair in zip($a, $b) for item in pair]",
    ),
    Snippet(
        "the items of two lists in turn, with the rest of the longer one at the end",
        ("interleave|alternate|turn",),
        _TWO_LISTS,
        """
        merged = []
        for place in range(max(len($a), len($b))):
            merged.extend($a[place:place + 1])
            merged.extend($b[place:place + 1])
        return merged
        """,
    ),
    Snippet("two lists merged in ascending order", ("merge|ascending|sorted",), _TWO_LISTS, "return sorted($a + $b)"),
    Snippet("one list after the other", ("append|concatenate|join",), _TWO_LISTS, "return $a + $b"),
    Snippet(
        "a separator between neighbours",
        ("intersperse|insert|between",),
        _LIST_AND_NUMBER,
        """
        result = []
        for item in $a:
            if result:
                result.append($b)
            result.append(item)
        return result
        """,
    ),
    Snippet("the list in ascending order", ("sort|ascending|order",), _ITEMS, "return sorted($a)"),
    Snippet("the list in descending order", ("descending|decreasing",), _ITEMS, "return sorted($a, reverse=True)"),
    Snippet("the list backwards", ("reverse|backwards",), _ITEMS, "return $a[::-1]"),
    Snippet(
        "whether the list is in ascending order",
        ("sorted|ascending|monotonic|order", "is|whether|check"),
        _ITEMS,
        "return $a == sorted($a)",
    ),
    Snippet(
        "whether the list rises or falls throughout",
        ("monotonic|monotonically",),
        _ITEMS,
        "return $a in (sorted($a), sorted($a, reverse=True))",
    ),
    Snippet(
        "every value raised by one",
        ("increment|incremented", "one|1|elements|list"),
        _ITEMS,
        "return [value + 1 for value in $a]",
    ),
    Snippet("every second item", ("second|alternate|other", "every|each"), _ITEMS, "return $a[::2]"),
    Snippet("whether the item is in the list", ("contain|has|member",), ("items", ""), "return $b in $a"),
    Snippet(
        "whether all values stay below the limit",
        ("below|under|less", "all|every"),
        _LIST_AND_NUMBER,
        "return all(value < $b for value in $a)",
    ),
    Snippet(
        "whether the running total ever falls below zero",
        ("below|negative", "zero|balance"),
        _ITEMS,
        "total = 0\nfor value in $a:\n    total += value\n    if total < 0:\n        return True\nreturn False",
    ),
    Snippet(
        "whether two values are closer than the threshold",
        ("close|closer", "threshold|distance|elements"),
        _LIST_AND_NUMBER,
        "ordered = sorted($a)\nreturn any(right - left < $b for left, right in zip(ordered, ordered[1:]))",
    ),
    Snippet(
        "whether two of the values add up to zero",
        ("pair|two", "zero"),
        _ITEMS,
        "return any(-value in $a[place + 1:] for place, value in enumerate($a))",
    ),
)
"""Pieces that give a list, or a yes or no about one."""
