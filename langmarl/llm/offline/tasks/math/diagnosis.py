"""The critic's part in mathematics: which agent won or lost the answer, and what it should do.

The critic sees the reference. It works the problem out for itself, looks for the first message that departs from the
right working, and asks which typical mistake leads to the number it finds there. No number of the reference enters its
words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from langmarl.llm.offline.tasks.math.lessons import WORDS
from langmarl.llm.offline.tasks.math.mistakes import explain_answer, explain_step, right_working
from langmarl.llm.offline.tasks.math.numerals import boxed, numbers_in
from langmarl.llm.offline.tasks.math.plan import Working
from langmarl.llm.offline.tasks.math.working import ROUNDING, Reported, read_working, reference_value, stated_values
from langmarl.llm.offline.tasks.skill import EpisodeCase, Finding

_WON = 0.99


@dataclass(slots=True)
class _Part:
    """One agent's contribution.

    Attributes:
        agent: Its name.
        text: All it said.
        steps: Where in the episode.
        reported: The calculation it shows, or None.
    """

    agent: str
    text: str
    steps: list[int]
    reported: Reported | None


@dataclass(slots=True)
class _Truth:
    """What the critic knows.

    Attributes:
        answer: The reference as a number, or None.
        working: How to get there, or None.
    """

    answer: Fraction | None
    working: Working | None


def diagnose(case: EpisodeCase) -> dict[str, Finding]:
    """One finding for every agent in ``case.policies``."""
    parts = [_part(case, agent) for agent in case.policies]
    if not parts:
        return {}
    answer = reference_value(case.reference)
    truth = _Truth(answer, right_working(case.task, answer) if answer is not None else None)
    won = case.reward >= _WON
    findings = {}
    for place, part in enumerate(parts[:-1]):
        findings[part.agent] = _helper(case, truth, part, parts[:place], won)
    findings[parts[-1].agent] = _answerer(case, truth, parts[-1], parts[:-1], won)
    return findings


def _part(case: EpisodeCase, agent: str) -> _Part:
    steps = [place for place, message in enumerate(case.messages) if message.agent == agent]
    text = "\n".join(case.messages[place].text for place in steps)
    return _Part(agent, text, steps, read_working(text))


def _helper(case: EpisodeCase, truth: _Truth, part: _Part, before: list[_Part], won: bool) -> Finding:
    """The part of an agent that does not speak last."""
    seed = (case.task, part.agent)
    earlier = _latest(before)
    if part.reported is None:
        missing = "workings" if earlier is None else "teammate" if won else "check"
        if won:
            return Finding(0.0, WORDS.suggestion(missing, *seed), part.steps)
        return Finding(-0.5 if earlier is None else -0.2, WORDS.criticism(missing, *seed), part.steps)
    fault = None if won else _fault(case.task, truth, part.reported)
    if fault is None or fault == "finish":
        # Stopping halfway is no loss here: those who speak later can go on.
        kept = ["workings", *_visible(part)]
        words = WORDS.praise(kept, *seed) if won or _agrees(truth, part.reported) else WORDS.exoneration(*seed)
        return Finding(0.6 if won else 0.3, words, part.steps)
    if earlier is not None and earlier.reported is not None and earlier.reported.result == part.reported.result:
        return Finding(-0.4, WORDS.criticism("check", *seed), part.steps + earlier.steps)
    return Finding(-0.8, WORDS.criticism(fault, *seed), part.steps)


def _answerer(case: EpisodeCase, truth: _Truth, part: _Part, before: list[_Part], won: bool) -> Finding:
    """The part of the agent whose message is the team's answer."""
    seed = (case.task, part.agent)
    source = _latest(before)
    if won and boxed(part.text) is None:
        return Finding(0.3, WORDS.suggestion("box", *seed), part.steps)
    if won:
        return Finding(
            0.5, WORDS.praise(["box", "teammate" if source else "workings"][: 2 if source else 1], *seed), part.steps
        )
    loss = _loss(case.task, truth, part, source, alone=not before)
    if loss.fault is None:
        return Finding(-loss.weight, WORDS.exoneration(*seed), part.steps)
    evidence = part.steps + (source.steps if source is not None and loss.fault == "teammate" else [])
    return Finding(-loss.weight, WORDS.criticism(loss.fault, *seed), sorted(evidence))


@dataclass(frozen=True, slots=True)
class _Loss:
    """How the last agent lost the answer: ``fault`` (None where others did) and its ``weight``, from 0 to 1."""

    fault: str | None
    weight: float


def _loss(task: str, truth: _Truth, part: _Part, source: _Part | None, *, alone: bool) -> _Loss:
    numbers = numbers_in(part.text.strip().splitlines()[-1]) if part.text.strip() else []
    final = boxed(part.text)
    if final is None and len(numbers) != 1:
        return _Loss("box", 0.8 if truth.answer in stated_values(part.text) else 0.5)
    answer = (numbers_in(final) if final is not None else numbers)[-1:]
    if not answer or truth.answer is None:
        return _Loss("teammate" if source is not None else "check", 0.4)
    if answer[0] != truth.answer and abs(answer[0] - truth.answer) <= ROUNDING:
        return _Loss("exact", 0.8)
    if source is None or source.reported is None:
        return _lost_without_help(task, answer[0], part, alone=alone)
    return _lost_with_help(truth, answer[0], source.reported)


def _lost_without_help(task: str, answer: Fraction, part: _Part, *, alone: bool) -> _Loss:
    """Nobody left a working: only what the last agent does with a result is its own fault, unless it is alone."""
    causes = explain_answer(task, answer)
    if alone:
        on_paper = part.reported is not None and bool(part.reported.values)
        return _Loss(next((cause for cause in causes if on_paper or cause != "finish"), "workings"), 0.8)
    return _Loss(next((cause for cause in causes if cause in ("finish", "exact")), None), 0.3)


def _lost_with_help(truth: _Truth, answer: Fraction, reported: Reported) -> _Loss:
    if answer != reported.result:
        return _Loss("teammate", 0.8 if _agrees(truth, reported) else 0.3)
    return _Loss("finish", 0.8) if _agrees(truth, reported) else _Loss(None, 0.1)


def _fault(task: str, truth: _Truth, reported: Reported) -> str | None:
    """What is wrong with a reported calculation; ``finish`` where it is right but stops short."""
    if truth.working is None:
        return None if truth.answer is None or reported.result == truth.answer else "check"
    for line in truth.working.lines:
        stated = reported.values.get(line.name, line.value)
        if stated != line.value:
            return next(iter(explain_step(task, line.name, stated)), "check")
    return None if reported.result == truth.answer else "finish"


def _agrees(truth: _Truth, reported: Reported) -> bool:
    """Whether all that was reported is right as far as it goes."""
    if truth.working is None:
        return truth.answer is not None and reported.result == truth.answer
    known = {line.name: line.value for line in truth.working.lines}
    return all(known.get(name, value) == value for name, value in reported.values.items())


def _visible(part: _Part) -> list[str]:
    """What else the working shows to have been done well."""
    return ["units"] if re.search(r"= [\d./]+ \w+ = [\d./]+ \w+", part.text) else []


def _latest(parts: list[_Part]) -> _Part | None:
    """The last of ``parts`` that shows a calculation."""
    return next((part for part in reversed(parts) if part.reported is not None), None)
