"""One value out of a list of numbers."""

from __future__ import annotations

from langmarl.llm.offline.tasks.coding.snippet import Snippet

_EMPTY = "if not $a:\n    return $empty"
_ITEMS = ("items",)

STATISTICS: tuple[Snippet, ...] = (
    Snippet(
        "the largest value",
        ("largest|highest|maximum|max|greatest|biggest",),
        _ITEMS,
        "best = 0\nfor value in $a:\n    if value > best:\n        best = value\nreturn best",
        negatives="best = $a[0]\nfor value in $a:\n    if value > best:\n        best = value\nreturn best",
        guard=_EMPTY,
    ),
    Snippet("the smallest value", ("smallest|lowest|minimum|min|least",), _ITEMS, "return min($a)", guard=_EMPTY),
    Snippet(
        "the second largest value",
        ("second|runner", "largest|highest|maximum|biggest"),
        _ITEMS,
        "return sorted($a)[-2]",
        duplicates="return sorted(set($a))[-2]",
        guard="if len(set($a)) < 2:\n    return $empty",
    ),
    Snippet(
        "the smallest value above zero",
        ("smallest|least|minimum", "positive|zero"),
        _ITEMS,
        "return min($a)",
        negatives="positive = [value for value in $a if value > 0]\nreturn min(positive) if positive else None",
        guard=_EMPTY,
    ),
    Snippet("the mean", ("mean|average",), _ITEMS, "return sum($a) / len($a)", guard=_EMPTY),
    Snippet(
        "the value in the middle of the sorted list",
        ("median",),
        _ITEMS,
        "return sorted($a)[len($a) // 2]",
        guard=_EMPTY,
    ),
    Snippet(
        "the median, halfway between the two middle values where their count is even",
        ("median",),
        _ITEMS,
        """
        ordered = sorted($a)
        middle = len(ordered) // 2
        if len(ordered) % 2:
            return ordered[middle]
        return (ordered[middle - 1] + ordered[middle]) / 2
        """,
        guard=_EMPTY,
    ),
    Snippet(
        "the distance between the largest and the smallest value",
        ("range|spread|gap|difference",),
        _ITEMS,
        "return max($a) - min($a)",
        guard=_EMPTY,
    ),
    Snippet(
        "the largest difference between neighbours",
        ("gap|difference|jump|step", "neighbour|adjacent|consecutive"),
        _ITEMS,
        "return max(abs(right - left) for left, right in zip($a, $a[1:]))",
        guard="if len($a) < 2:\n    return $empty",
    ),
    Snippet(
        "the item that occurs most often",
        ("frequent|common|mode|often",),
        _ITEMS,
        "return max($a, key=$a.count)",
        guard=_EMPTY,
    ),
    Snippet(
        "the product of all values",
        ("product|multiply",),
        _ITEMS,
        "product = 1\nfor value in $a:\n    product *= value\nreturn product",
        empty="1",
    ),
    Snippet(
        "sum and product together",
        ("sum", "product"),
        _ITEMS,
        "product = 1\nfor value in $a:\n    product *= value\nreturn sum($a), product",
    ),
    Snippet(
        "the mean distance from the mean",
        ("mean", "deviation|absolute"),
        _ITEMS,
        "mean = sum($a) / len($a)\nreturn sum(abs(value - mean) for value in $a) / len($a)",
        guard=_EMPTY,
    ),
    Snippet(
        "the length of the longest stretch of equal neighbours",
        ("longest", "run|stretch|streak"),
        _ITEMS,
        """
        best = 0
        length = 0
        previous = None
        for value in $a:
            length = length + 1 if length and value == previous else 1
            best = max(best, length)
            previous = value
        return best
        """,
    ),
    Snippet("how many items there are", ("count|number|many|length",), _ITEMS, "return len($a)"),
    Snippet(
        "how many different items there are",
        ("distinct|different|unique", "count|many|number"),
        _ITEMS,
        "return len(set($a))",
    ),
)
"""Pieces that give one value for a list."""
