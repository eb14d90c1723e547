"""The offline judge of writing: reads a brief's requirements in words and scores a text against them.

The score is a weighted share in [0, 1], by rules and without chance:

* 70 %: how far the requirements are met, on average; those about what the text has to say count double;
* 30 %: conduct: nothing but the text (12 %), no repetition (8 %), no filler (10 %).

What can be met by saying nothing (limits, bans, a sober tone, conduct) counts only as far as the text does what was
asked: fully from two thirds of the positive requirements on, in proportion below. So an empty text scores 0. A text
that says less than half of what it was to say loses up to two fifths of the rest.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from langmarl.llm.offline.tasks.writing.assessment import Assessment
from langmarl.llm.offline.tasks.writing.brief import read_brief


@dataclass(frozen=True, slots=True)
class Judgement:
    """A score from 0 to 1 and the reasons for it in words."""

    score: float
    reasons: str

    def to_json(self) -> str:
        """The reply that a judge is asked for: ``{"score": …, "reasons": …}``."""
        return json.dumps({"score": self.score, "reasons": self.reasons}, ensure_ascii=False)


def judge(brief: str, text: str) -> Judgement:
    """Score ``text`` against ``brief`` (a rendered writing task).

    Returns:
        The score, rounded to three decimals, and reasons that name each requirement missed and each flaw of conduct.
    """
    assessment = Assessment(read_brief(brief), text)
    return Judgement(round(assessment.score(), 3), _in_words(assessment))


def _in_words(assessment: Assessment) -> str:
    missed: dict[str, list[str]] = {}
    for item in assessment.checked:
        if item.verdict.reason:
            missed.setdefault(item.requirement.words, []).append(item.verdict.reason)
    total = len(assessment.brief.requirements)
    said = [f"{total - len(missed)} of {total} requirements are met."] if total else []
    said += [f"Missed: “{words}”: the text {', and '.join(reasons)}." for words, reasons in missed.items()]
    said += [f"The text {verdict.reason}." for verdict in assessment.conduct.values() if verdict.reason]
    return " ".join(said) or "It keeps to its subject."
