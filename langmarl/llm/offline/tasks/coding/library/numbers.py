"""Whole numbers and their digits."""

from __future__ import annotations

from langmarl.llm.offline.tasks.coding.snippet import Snippet

_NUMBER = ("number",)
_TWO = ("number", "number")

NUMBERS: tuple[Snippet, ...] = (
    Snippet(
        "the sum of the digits",
        ("sum|add", "digit"),
        _NUMBER,
        "return sum(int(digit) for digit in str($a))",
        negatives="return sum(int(digit) for digit in str(abs($a)))",
    ),
    Snippet(
        "the digits in the opposite order",
        ("reverse|opposite|backwards", "digit|number"),
        _NUMBER,
        "return int(str($a)[::-1])",
        negatives="turned = int(str(abs($a))[::-1])\nreturn -turned if $a < 0 else turned",
    ),
    Snippet(
        "the number of digits",
        ("digit", "count|many|number"),
        _NUMBER,
        "return len(str($a))",
        negatives="return len(str(abs($a)))",
    ),
    Snippet(
        "whether the number is prime",
        ("prime",),
        _NUMBER,
        "return all($a % divisor for divisor in range(2, int($a ** 0.5) + 1))",
        negatives="""
        if $a < 2:
            return False
        return all($a % divisor for divisor in range(2, int($a ** 0.5) + 1))
        """,
    ),
    Snippet(
        "the prime factors",
        ("factor|factorize", "prime|factorize|list"),
        _NUMBER,
        """
        factors = []
        rest = $a
        divisor = 2
        while divisor * divisor <= rest:
            while rest % divisor == 0:
                factors.append(divisor)
                rest //= divisor
            divisor += 1
        if rest > 1:
            factors.append(rest)
        return factors
        """,
    ),
    Snippet(
        "the largest divisor below the number",
        ("largest|greatest", "divisor|divide|divides"),
        _NUMBER,
        "return next(divisor for divisor in range($a // 2, 0, -1) if $a % divisor == 0)",
    ),
    Snippet(
        "the factorial",
        ("factorial",),
        _NUMBER,
        "product = 1\nfor factor in range(2, $a + 1):\n    product *= factor\nreturn product",
    ),
    Snippet(
        "the Fibonacci number",
        ("fib|fibonacci",),
        _NUMBER,
        "current, following = 0, 1\nfor _ in range($a):\n    current, following = following, current "
        "+ following\nreturn current",
    ),
    Snippet("the sum of the numbers up to it", ("sum", "1|n|up"), _NUMBER, "return $a * ($a + 1) // 2"),
    Snippet("whether the number is even", ("even",), _NUMBER, "return $a % 2 == 0"),
    Snippet("whether the number is odd", ("odd",), _NUMBER, "return $a % 2 == 1"),
    Snippet("the part after the decimal point", ("decimal|truncate|fraction",), _NUMBER, "return $a % 1.0"),
    Snippet(
        "the greatest common divisor",
        ("gcd|greatest|common", "divisor|gcd|factor"),
        _TWO,
        "first, second = $a, $b\nwhile second:\n    first, second = second, first % second\nreturn abs(first)",
    ),
    Snippet("the sum of two numbers", ("add|sum|plus",), _TWO, "return $a + $b"),
    Snippet("the product of two numbers", ("multiply|product|times",), _TWO, "return $a * $b"),
    Snippet("the larger of two numbers", ("larger|max|maximum|bigger",), _TWO, "return max($a, $b)"),
    Snippet(
        "the value, moved to the nearer end of a range",
        ("clamp|limit|clip|bound",),
        ("number", "number", "number"),
        "return max($b, min($a, $c))",
    ),
    Snippet(
        "half the product of base and height",
        ("triangle", "area"),
        _TWO,
        "return $a * $b / 2",
    ),
)
"""Pieces that work on single numbers."""
