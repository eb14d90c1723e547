"""How well a text meets its brief: the judge's arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean

from langmarl.llm.offline.tasks.writing.brief import Brief, Demand, Kind, Requirement
from langmarl.llm.offline.tasks.writing.checks import Verdict, check
from langmarl.llm.offline.tasks.writing.conduct import freshness, substance, text_only, without_remarks
from langmarl.llm.offline.tasks.writing.language import key_stems, word_count

CONDUCT = {"only_text": (text_only, 0.12), "no_repeat": (freshness, 0.08), "no_filler": (substance, 0.10)}
"""Rules of conduct with their weights, by the habit that keeps them."""
REQUIREMENTS_WEIGHT = 0.7
_POSITIVE_ENOUGH = 2 / 3
_FEWEST_WORDS = 8


@dataclass(frozen=True, slots=True)
class Checked:
    """One demand of a requirement with its verdict."""

    requirement: Requirement
    demand: Demand
    verdict: Verdict


class Assessment:
    """How far one text meets the requirements of one brief."""

    def __init__(self, brief: Brief, text: str) -> None:
        self.brief = brief
        self.text = text
        own = without_remarks(text)
        self.checked = [
            Checked(requirement, demand, check(demand, text if demand.kind is Kind.LENGTH else own))
            for requirement in brief.requirements
            for demand in requirement.demands
        ]
        self.conduct = {habit: rule(text) for habit, (rule, _) in CONDUCT.items()}
        self.restraint = self._restraint()
        """How much limits, bans and conduct count: from 0 (the text does nothing it was asked to) to 1."""

    def score(self) -> float:
        """The score in [0, 1]."""
        manners = sum(self.conduct[habit].share * weight for habit, (_, weight) in CONDUCT.items())
        return self._to_the_point() * (REQUIREMENTS_WEIGHT * self._requirements() + self.restraint * manners)

    def _to_the_point(self) -> float:
        """1 for a text that says at least half of what it should; a well-made text about something else gets 0.6."""
        contents = [item.verdict.share for item in self.checked if item.demand.kind is Kind.CONTENT]
        return 0.6 + 0.4 * min(1.0, 2 * mean(contents)) if contents else 1.0

    def _requirements(self) -> float:
        """The weighted share of the requirements that is met; a brief without any is met by what is on topic."""
        shares = [
            (
                _weight(requirement),
                mean(
                    item.verdict.share * (self.restraint if item.demand.restrains else 1)
                    for item in self.checked
                    if item.requirement is requirement
                ),
            )
            for requirement in self.brief.requirements
        ]
        return _weighted_mean(shares) if shares else self.restraint

    def _restraint(self) -> float:
        positive = [
            (_weight(item.requirement), item.verdict.share) for item in self.checked if not item.demand.restrains
        ]
        done = _weighted_mean(positive) if positive else self._on_topic()
        return min(1.0, done / _POSITIVE_ENOUGH) * min(1.0, word_count(self.text) / _FEWEST_WORDS)

    def _on_topic(self) -> float:
        """For a brief that only restrains: the share of its task's key words that the text takes up."""
        wanted = key_stems(self.brief.prompt)
        return min(1.0, 2 * len(wanted & key_stems(self.text)) / len(wanted)) if wanted else 1.0


def _weight(requirement: Requirement) -> float:
    """What a text has to say is what it is for: such requirements count double."""
    return 2.0 if any(demand.kind is Kind.CONTENT for demand in requirement.demands) else 1.0


def _weighted_mean(values: list[tuple[float, float]]) -> float:
    return sum(weight * value for weight, value in values) / sum(weight for weight, _ in values)
