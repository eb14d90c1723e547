"""What any piece of writing can get wrong, whatever the brief: talk about itself, repetition, filler."""

from __future__ import annotations

import re

from langmarl.llm.offline.tasks.writing.checks import Verdict
from langmarl.llm.offline.tasks.writing.language import key_stems, sentences

_META = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        r"^\W*(?:sure|certainly|of course|absolutely|okay|ok|no problem)\b[,!.:]",
        r"\bhere(?:'s|\u2019s| is| are| comes| you have)\b[^.!?\n]*\b(?:draft|version|text|attempt|suggestion|answer|"
        r"response|reply|note|notice|letter|e-?mail|message|poem|summary|description|invitation|proposal)\b",
        r"\b(?:first|final|rough|revised|this|my|the following) draft\b",
        r"\b(?:i|we) (?:hope|trust) (?:that )?(?:this|the above|it) (?:text |draft |version )?"
        r"(?:helps|works|meets|suits|is what|fits|fulfils)",
        r"\blet me know if (?:you(?:'d|\u2019d| would)? (?:like|want|need|prefer)|i should|there is)\b[^.!?\n]*"
        r"\b(?:chang\w*|edit\w*|adjust\w*|revis\w*|version|different|shorter|longer|else)\b",
        r"\bas an? (?:ai|language model|assistant)\b",
        r"\bfeel free to (?:adjust|edit|modify|change|adapt)\b",
        r"\b(?:below|above|the following) is (?:a|the|my)\b",
        r"\bi (?:have |will |'ll |am going to )?(?:written|drafted|write a|draft a|tried to write|tried to include)\b",
        r"\b(?:the|all|these|your) requirements?\b",
        r"\bword count\b|\(\d+ words\)",
        r"^\W*(?:outline|plan|checklist|what the text (?:needs|has to|must)[\w ]*)\s*:",
        r"^\W*(?:at most|no more than|under|fewer than|between) \d+(?: and \d+)? words\W*$",
        r"^\W*(?:in an? )?\w+(?: and \w+)? tone\W*$",
        r"\bmy teammate|\bagent[ _]\d",
        r"\[(?:[A-Z][\w ]*|your [\w ]+|name|date|insert[^\]]*)\]",
    )
)

_FILLER = re.compile(
    r"in today(?:'|\u2019)?s (?:\w+[- ]){0,3}world|it is (?:also )?(?:important|worth) (?:to note|noting|to remember|"
    r"mentioning)|it goes without saying|needless to say|as we all know|as everyone knows|at the end of the day|"
    r"there are (?:many|various|several|countless) (?:\w+ )?(?:aspects|ways|things|reasons|sides|factors)|"
    r"plays? an? (?:\w+ )?(?:important|vital|crucial|key|significant) (?:role|part)|when it comes to|"
    r"^(?:in conclusion|in summary|to sum up|overall|all in all|generally speaking|first and foremost)\b|"
    r"many people (?:think|believe|say|feel)|throughout history|since the dawn of|of (?:great|utmost) importance|"
    r"a wide (?:range|variety) of|various aspects|one way or another|all sorts of things|more to say about|"
    r"everyone has their own (?:view|opinion)|key to success|stands? the test of time",
    re.IGNORECASE,
)


def text_only(text: str) -> Verdict:
    """Whether the text is the text and nothing else: no preamble, no remarks to the client, no placeholders."""
    found = [match[0].strip() for pattern in _META if (match := pattern.search(text))]
    if not found:
        return Verdict(1.0)
    return Verdict(max(0.0, 1 - 0.5 * len(found)), f"talks about itself (“{found[0][:60]}”)")


_PLAN = re.compile(
    r"^\W*(?:outline|plan|checklist|what the text (?:needs|has to|must)[\w ]*)\s*:\s*\n"
    r"(?:[ \t]*(?:[-*\u2022]|\d+[.)]).*\n?)+",
    re.IGNORECASE | re.MULTILINE,
)


def without_remarks(text: str) -> str:
    """``text`` without the sentences in which it talks about itself, and without plans: lists of what it should be.

    They do nothing that a brief asks for.
    """
    text = _PLAN.sub("", text)
    for sentence in sentences(text):
        if any(pattern.search(sentence) for pattern in _META):
            text = text.replace(sentence, "", 1)
    return text.strip()


def freshness(text: str) -> Verdict:
    """Whether it says things once: two sentences that share four fifths of their words are one said twice."""
    seen: list[frozenset[str]] = []
    repeated = ""
    again = 0
    for sentence in sentences(text):
        words = key_stems(sentence)
        if len(words) < 2:
            continue
        if any(len(words & other) >= 0.8 * len(words | other) for other in seen):
            again += 1
            repeated = repeated or sentence
        seen.append(words)
    if not again:
        return Verdict(1.0)
    return Verdict(max(0.0, 1 - 3 * again / len(seen)), f"repeats itself (“{repeated[:60]}”)")


def substance(text: str) -> Verdict:
    """Whether its sentences say something: a third of stock phrases costs everything."""
    said = sentences(text)
    empty = [sentence for sentence in said if _FILLER.search(sentence)]
    if not empty:
        return Verdict(1.0)
    return Verdict(max(0.0, 1 - 3 * len(empty) / len(said)), f"is padded with stock phrases (“{empty[0][:60]}”)")
