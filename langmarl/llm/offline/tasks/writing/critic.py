"""The centralised critic of writing: which agent lost what, in words.

It reads the brief, the last message and the ones before it. What the final text misses is laid at the door of whoever
could have prevented it: what a text has to say is also the planners' business, its form is the last writer's alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from langmarl.llm.offline.choice import pick
from langmarl.llm.offline.tasks.skill import EpisodeCase, Finding, Message
from langmarl.llm.offline.tasks.writing.advice import ADVICE, PRAISE
from langmarl.llm.offline.tasks.writing.assessment import CONDUCT, Assessment
from langmarl.llm.offline.tasks.writing.brief import Kind, read_brief
from langmarl.llm.offline.tasks.writing.checks import said
from langmarl.llm.offline.tasks.writing.outline import listed, mentions, passed_on
from langmarl.llm.offline.tasks.writing.points import Point

_MOST_ADVICE = 2
"""How many faults are put into words at once; a reader cannot mend everything in one go."""

_FAULT_OF_KIND = {
    Kind.LENGTH: "limit",
    Kind.GREETING: "frame",
    Kind.CLOSING: "frame",
    Kind.SIGNATURE: "frame",
    Kind.TONE: "tone",
    Kind.APOLOGY: "tone",
    Kind.THANKS: "tone",
    Kind.READER: "reader",
    Kind.ACTION: "action",
    Kind.EXAMPLE: "example",
    Kind.LAYOUT: "format",
    Kind.BAN: "format",
}


@dataclass(slots=True)
class _Fault:
    """Something that went wrong, how much it weighs (0 to 1) and what it shows by."""

    name: str
    weight: float
    sign: str


def diagnose(case: EpisodeCase) -> dict[str, Finding]:
    """One finding for every agent in ``case.policies``, the last of which wrote the team's text."""
    agents = list(case.policies)
    if not agents:
        return {}
    final = case.messages[-1].text if case.messages else ""
    assessment = Assessment(read_brief(case.task), final)
    findings: dict[str, Finding] = {}
    for place, agent in enumerate(agents):
        own = [index for index, message in enumerate(case.messages) if message.agent == agent]
        if place == len(agents) - 1:
            faults = _writer_faults(assessment, case.messages[:-1], final, alone=len(agents) == 1)
        else:
            messages = [case.messages[index] for index in own]
            before = case.messages[: own[0]] if own else []
            faults = _planner_faults(assessment, before, messages, place)
        feedback = _in_words(faults, agent, case, place)
        findings[agent] = Finding(_credit(faults, case.reward), feedback, own)
    return findings


def _points(assessment: Assessment) -> list[Point]:
    return [point for demand in assessment.brief.demands(Kind.CONTENT) for point in demand.points]


def _writer_faults(assessment: Assessment, before: list[Message], final: str, alone: bool) -> list[_Fault]:
    points = _points(assessment)
    forgotten = [point for point in points if not mentions(final, point)]
    if alone and 0 < len(forgotten) < len(points):
        sign = f"Some points were made and others forgotten: {_named(forgotten)}."
        return [_Fault("plan_first", len(forgotten) / len(points), sign), *_form_faults(assessment)]
    faults = [*_content_faults(assessment, before, final), *_form_faults(assessment)]
    for habit, (_, weight) in CONDUCT.items():
        verdict = assessment.conduct[habit]
        if verdict.reason:
            faults.append(_Fault(habit, (1 - verdict.share) * weight / 0.3, f"The text {verdict.reason}."))
    return faults


def _content_faults(assessment: Assessment, before: list[Message], final: str) -> list[_Fault]:
    """Points the writer left out: dropped from a plan, kept vague, or never taken up."""
    points = _points(assessment)
    lines = passed_on(before)
    faults = []
    for name, missed in (
        ("build", [p for p in points if said(p, final) < 0.95 and any(mentions(line, p) for line in lines)]),
        ("details", [p for p in points if said(p, final) < 0.95 and mentions(final, p)]),
        ("cover", [p for p in points if not mentions(final, p)]),
    ):
        if missed:
            sign = f"Nothing in the final text says: {_named(missed)}."
            weight = len(missed) / len(points) * {"build": 1.0, "details": 0.7, "cover": 0.9}[name]
            faults.append(_Fault(name, weight, sign))
    return faults


def _form_faults(assessment: Assessment) -> list[_Fault]:
    worst: dict[str, _Fault] = {}
    count = max(1, len(assessment.brief.requirements))
    for item in assessment.checked:
        name = _FAULT_OF_KIND.get(item.demand.kind)
        if name and item.verdict.reason:
            weight = 2 * (1 - item.verdict.share) / (count * len(item.requirement.demands))
            sign = f"The brief wants “{_without_advice(item.requirement.words)}”; the text {item.verdict.reason}."
            if name not in worst or weight > worst[name].weight:
                worst[name] = _Fault(name, weight, sign)
    return list(worst.values())


def _planner_faults(assessment: Assessment, before: list[Message], own: list[Message], place: int) -> list[_Fault]:
    """What an agent before the last one failed to lay out, given what had been laid out before it."""
    points = _points(assessment)
    lines = listed(before) + listed(own)
    if not listed(own) and (place == 0 or not listed(before)):
        told = own[0].text[:70] if own else ""
        return [_Fault("outline", 0.9, f"The message (“{told}…”) gave the next agent nothing to work with.")]
    missed = [p for p in points if not any(mentions(line, p) for line in lines)]
    bare = [p for p in points if p not in missed and all(said(p, line) < 0.95 for line in lines)]
    faults = []
    if missed:
        faults.append(_Fault("outline", len(missed) / len(points), f"The plan lacks: {_named(missed)}."))
    if bare:
        faults.append(_Fault("plan_details", 0.8 * len(bare) / len(points), f"The plan is silent on: {_named(bare)}."))
    return faults


def _named(points: list[Point]) -> str:
    return "; ".join(_without_advice(point.label if point.form == "fact" else point.value) for point in points[:3])


_MODAL = re.compile(r"\s*\b(?:should|must|ought|needs?|has to|have to|had better)\b.*$")


def _without_advice(words: str) -> str:
    """Words of the brief, up to where they tell someone what to do: that advice is not the critic's."""
    return _MODAL.sub(" …", words).strip()


def _credit(faults: list[_Fault], reward: float) -> float:
    """From the agent's own faults, tempered by how the team fared."""
    own = 1 - 2 * min(1.0, sum(fault.weight for fault in faults))
    return round(max(-1.0, min(1.0, 0.7 * own + 0.3 * (2 * reward - 1))), 2)


_TURNS = ("first", "second", "third", "fourth", "fifth")


def _in_words(faults: list[_Fault], agent: str, case: EpisodeCase, place: int) -> str:
    worst = sorted(faults, key=lambda fault: -fault.weight)[:_MOST_ADVICE]
    who = f"The {_TURNS[place]} agent" if place < len(_TURNS) else "This agent"
    if not worst:
        return _praise(agent, case, planner=place < len(case.policies) - 1).format(who=who)
    parts = []
    for fault in worst:
        # One wording for a policy: what is said of many episodes is recognised as one piece of advice.
        advice = pick(ADVICE[fault.name], case.policies[agent], fault.name)
        parts.append(f"{fault.sign} {advice.format(who=who)}")
    return " ".join(parts)


def _praise(agent: str, case: EpisodeCase, planner: bool) -> str:
    """Praise that says what to keep; what a judge still missed is passed on in its own words."""
    reasons = next((value for key, value in case.outcome.items() if "reason" in key), "")
    if not planner and case.reward < 0.9 and reasons:
        words = reasons[:300].replace("{", "(").replace("}", ")")
        return f"By the brief the text looks complete, but the judge said: {words} The agent should take this up."
    return pick(PRAISE["planner" if planner else "writer"], case.task, agent)
