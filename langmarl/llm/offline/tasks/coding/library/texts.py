"""Words and letters."""

from __future__ import annotations

from langmarl.llm.offline.tasks.coding.snippet import Snippet

_TEXT = ("text",)

TEXTS: tuple[Snippet, ...] = (
    Snippet(
        "how many vowels there are",
        ("vowel", "count|many|number"),
        _TEXT,
        'return sum(1 for letter in $a.lower() if letter in "aeiou")',
    ),
    Snippet(
        "the text without its small vowels",
        ("vowel", "remove|drop|without|delete"),
        _TEXT,
        'return "".join(letter for letter in $a if letter not in "aeiou")',
    ),
    Snippet(
        "the text without vowels, capital ones included",
        ("vowel", "remove|drop|without|delete"),
        _TEXT,
        'return "".join(letter for letter in $a if letter.lower() not in "aeiou")',
    ),
    Snippet(
        "the words in the opposite order",
        ("reverse|opposite|backwards", "word"),
        _TEXT,
        'return " ".join(reversed($a.split()))',
    ),
    Snippet("the letters in the opposite order", ("reverse|backwards",), _TEXT, "return $a[::-1]"),
    Snippet("whether the text reads the same backwards", ("palindrome",), _TEXT, "return $a == $a[::-1]"),
    Snippet(
        "whether the letters read the same backwards, case and other signs left aside",
        ("palindrome",),
        _TEXT,
        "letters = [letter for letter in $a.lower() if letter.isalnum()]\nreturn letters == letters[::-1]",
    ),
    Snippet(
        "how often each character occurs",
        ("count|frequency|often|histogram", "letter|character"),
        _TEXT,
        "counts = {}\nfor letter in $a:\n    counts[letter] = counts.get(letter, 0) + 1\nreturn counts",
    ),
    Snippet(
        "how often each letter occurs, in lower case",
        ("count|frequency|often", "letter"),
        _TEXT,
        """
        counts = {}
        for letter in $a.lower():
            if letter.isalpha():
                counts[letter] = counts.get(letter, 0) + 1
        return counts
        """,
    ),
    Snippet(
        "how often each word occurs",
        ("count|frequency|often", "word"),
        _TEXT,
        "counts = {}\nfor word in $a.split():\n    counts[word] = counts.get(word, 0) + 1\nreturn counts",
    ),
    Snippet("how many words there are", ("word", "count|many|number"), _TEXT, "return len($a.split())"),
    Snippet(
        "how many different words there are",
        ("distinct|different|unique", "word"),
        _TEXT,
        "return len(set($a.split()))",
    ),
    Snippet(
        "how many different words there are, case left aside",
        ("distinct|different|unique", "word"),
        _TEXT,
        "return len(set($a.lower().split()))",
    ),
    Snippet(
        "how many different characters there are, case left aside",
        ("distinct|different|unique", "character|letter"),
        _TEXT,
        "return len(set($a.lower()))",
    ),
    Snippet(
        "the longest word",
        ("longest", "word"),
        _TEXT,
        "return max($a.split(), key=len)",
        guard="if not $a.split():\n    return $empty",
    ),
    Snippet(
        "the longest of the texts",
        ("longest",),
        ("items",),
        "return max($a, key=len)",
        guard="if not $a:\n    return $empty",
    ),
    Snippet(
        "the first letters of the words", ("initial|acronym",), _TEXT, 'return "".join(word[0] for word in $a.split())'
    ),
    Snippet(
        "the first letters of the words, in upper case and with full stops",
        ("initial",),
        _TEXT,
        'return "".join(word[0].upper() + "." for word in $a.split())',
    ),
    Snippet(
        "the text with every letter moved on in the alphabet",
        ("shift|caesar|encode|move", "letter|text|alphabet"),
        ("text", "number"),
        'return "".join(chr(ord(letter) + $b) for letter in $a)',
    ),
    Snippet(
        "the text with every small letter moved on in the alphabet, from z back to a",
        ("shift|caesar|encode|move", "letter|alphabet"),
        ("text", "number"),
        """
        shifted = []
        for letter in $a:
            if "a" <= letter <= "z":
                letter = chr((ord(letter) - ord("a") + $b) % 26 + ord("a"))
            shifted.append(letter)
        return "".join(shifted)
        """,
    ),
    Snippet(
        "the text with capital and small letters swapped",
        ("swap|flip", "case|uppercase|lowercase"),
        _TEXT,
        "return $a.swapcase()",
    ),
    Snippet("the length of the text", ("length|strlen|long",), _TEXT, "return len($a)"),
    Snippet("the text in upper case", ("upper|uppercase|capital",), _TEXT, "return $a.upper()"),
    Snippet("the text in lower case", ("lower|lowercase",), _TEXT, "return $a.lower()"),
    Snippet("the words of the text", ("word|split",), _TEXT, "return $a.split()"),
    Snippet("all texts in one", ("concatenate|join",), ("items",), 'return "".join($a)'),
    Snippet(
        "the beginnings of the text, shortest first",
        ("prefix",),
        _TEXT,
        "return [$a[:length] for length in range(1, len($a) + 1)]",
    ),
    Snippet(
        "how many times the piece occurs, overlaps included",
        ("times|count|many|occurrence", "substring|overlap|found"),
        ("text", "text"),
        "return sum(1 for start in range(len($a)) if $a.startswith($b, start))",
    ),
    Snippet(
        "whether both texts have the same characters",
        ("same|anagram", "character|letter"),
        ("text", "text"),
        "return sorted($a) == sorted($b)",
        duplicates="return set($a) == set($b)",
    ),
    Snippet(
        "the numbers from 0 on, separated by spaces",
        ("sequence|numbers", "space|delimited"),
        ("number",),
        'return " ".join(str(value) for value in range($a + 1))',
    ),
)
"""Pieces that work on text."""
