"""What the critic says: for every lesson what it saw, and what the agent should do, in several wordings."""

from __future__ import annotations

from langmarl.llm.offline.tasks.lesson import Lesson, Phrasebook

LESSONS: dict[str, Lesson] = {
    "fence": Lesson(
        (
            "The remarks around the program were read as part of it, and it could not run.",
            "What it sent is not Python as it stands, because sentences surround the code.",
        ),
        (
            "It should put the code alone in a ```python block.",
            "It should send nothing but the code, in a Python block.",
            "Its message should be the code in one Python block.",
        ),
        (
            "The code could be run as it came. It should keep putting the code alone in a Python block.",
            "Nothing stood in the way of the code. It should keep sending the code in a Python block.",
        ),
    ),
    "signature": Lesson(
        (
            "The function was given another name than the one asked for, so the tests did not find it.",
            "It shortened the name of the function, and whoever calls it looks for the full one.",
        ),
        (
            "It should keep the given name and signature of the function exactly.",
            "It should leave the name and signature of the function as given.",
            "The given name of the function should be kept, and its whole signature.",
        ),
        ("The function was found. It should keep using the given name and signature.",),
    ),
    "returns": Lesson(
        (
            "The function shows its result on the screen and gives nothing back.",
            "Callers of the function receive None.",
        ),
        (
            "It should return the result instead of printing it.",
            "It should always return the result, never print it.",
            "The result should be returned and not printed.",
        ),
        ("The caller got the result. It should keep returning the result.",),
    ),
    "examples": Lesson(
        (
            "The function does something related to its name, but not what was described.",
            "It already fails on what the description shows.",
        ),
        (
            "It should run through the examples of the docstring and choose code that satisfies them.",
            "It should choose code that satisfies all examples of the docstring.",
            "The examples of the docstring should be run through, and the code should satisfy them all.",
        ),
        ("The function does what was described. It should keep running through the examples of the docstring.",),
    ),
    "edge_cases": Lesson(
        (
            "The function broke on an unusual input that nobody had thought of.",
            "It left the writer with a general remark, and an input out of the ordinary broke the function.",
        ),
        (
            "It should list the edge cases that the function has to cope with.",
            "It should name and list the edge cases of the function.",
            "The edge cases of the function should be listed before any code is written.",
        ),
        (
            "That was what the writer needed. It should keep listing the edge cases of the function.",
            "Nothing was overlooked. It should keep listing the edge cases.",
        ),
    ),
    "empty": Lesson(
        ("The function fails where there is nothing to work on.",),
        (
            "It should handle empty input.",
            "It should think of empty input and handle it first.",
        ),
        ("It should keep handling empty input.",),
    ),
    "negatives": Lesson(
        ("The function is wrong for some numbers on the other side of zero.",),
        (
            "It should handle negative numbers.",
            "It should think of negative numbers and make sure that they work.",
        ),
        ("It should keep handling negative numbers.",),
    ),
    "duplicates": Lesson(
        ("The function is wrong where values occur more than once.",),
        (
            "It should handle repeated values.",
            "It should think of repeated values in the list.",
        ),
        ("It should keep handling repeated values.",),
    ),
    "teammate": Lesson(
        (
            "A teammate had named the very thing on which the function fails.",
            "What it was given by its teammate was not put to use.",
        ),
        (
            "It should follow the notes of its teammate and handle every case in them.",
            "It should handle every case in the notes of its teammate.",
            "It should follow the notes of its teammate.",
        ),
        (
            "The team's work came together. It should keep following the notes of its teammate.",
            "Nothing that was noted got lost. It should keep handling every case in the notes of its teammate.",
        ),
    ),
}
"""By the name of the habit that the lesson is about."""

WORDS = Phrasebook(LESSONS)
"""Puts these lessons into feedback."""
