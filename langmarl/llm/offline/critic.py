"""The offline model as critic: reads an episode's sections and gives credit and words as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from langmarl.llm.offline.request import ChatRequest
from langmarl.llm.offline.tasks import skill_for
from langmarl.llm.offline.tasks.skill import EpisodeCase, Finding, Message
from langmarl.prompts.sections import find

_TEAM_SENTENCES = 4
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
# A word to one agent, as a word to the team.
_TO_TEAM: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\b(?:[Tt]his|[Tt]he) agent's\b", "the team's"),
        (r"\bYour teammate\b", "A teammate"),
        (r"\byour teammate\b", "a teammate"),
        (r"\b[Ii]ts teammate\b", "a teammate"),
        (r"\bYou (?:are|were)\b", "The team was"),
        (r"\byou (?:are|were)\b", "the team was"),
        (r"\bYou have\b", "The team has"),
        (r"\b(?:You|This agent|It)(?= should\b| must\b)", "The team"),
        (r"\bYou\b", "The team"),
        (r"\byou\b", "the team"),
        (r"\bYour\b", "The team's"),
        (r"\byour\b", "the team's"),
    )
)


def criticise(request: ChatRequest) -> str:
    """The critic's answer: ``{"agents": {…}}``, or ``{"team": {…}}`` where one assessment of the team is asked for."""
    case = read_case(request)
    findings = assess(case)
    if request.schema == "credit_team" or '"team"' in request.system:
        return json.dumps({"team": _plain(team_finding(case, findings))}, ensure_ascii=False)
    return json.dumps({"agents": {agent: _plain(found) for agent, found in findings.items()}}, ensure_ascii=False)


def read_case(request: ChatRequest) -> EpisodeCase:
    """The episode in a critic's request."""
    outcome = dict(_pairs(request.text("outcome")))
    reference = request.sections("reference")
    return EpisodeCase(
        task=request.text("task"),
        reference=reference[0].text if reference else None,
        reward=_number(outcome.pop("reward", "0")),
        outcome=outcome,
        policies={s.attributes.get("agent", ""): s.text for s in find(request.text("policies"), "policy")},
        messages=[Message(s.attributes.get("agent", ""), s.text) for s in find(request.text("episode"), "message")],
    )


def assess(case: EpisodeCase) -> dict[str, Finding]:
    """A finding for every agent; without advice where the task is none that the model knows."""
    skill = skill_for(case.task)
    if skill is not None and case.messages:
        return skill.diagnose(case)
    words = f"The team earned {case.reward:.4g}. The offline model cannot judge who earned it in a task of this kind."
    return {agent: Finding(0.0, words) for agent in case.policies}


def team_finding(case: EpisodeCase, findings: Mapping[str, Finding]) -> Finding:
    """One finding for the team: what was said of its agents, without saying of whom."""
    evidence = sorted({index for found in findings.values() for index in found.evidence})
    credit = max(-1.0, min(1.0, round(2 * case.reward - 1, 2)))
    return Finding(credit, team_words(findings), evidence)


def team_words(findings: Mapping[str, Finding]) -> str:
    """The agents' feedback as one text about the team, sentences of all agents in turn."""
    columns = [_SENTENCE.split(found.feedback) for found in findings.values()]
    rows = [column[row] for row in range(max(map(len, columns), default=0)) for column in columns if row < len(column)]
    # Advice first: it is what a team-wide word is for.
    rows.sort(key=lambda sentence: " should " not in sentence)
    return " ".join(dict.fromkeys(_of_team(sentence) for sentence in rows[:_TEAM_SENTENCES]))


def _of_team(sentence: str) -> str:
    for pattern, replacement in _TO_TEAM:
        sentence = pattern.sub(replacement, sentence)
    return f"{sentence[:1].upper()}{sentence[1:]}"


def _plain(found: Finding) -> dict[str, Any]:
    return {"credit": found.credit, "feedback": found.feedback, "evidence": found.evidence}


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(name.strip(), value.strip()) for name, _, value in (line.partition(":") for line in text.splitlines())]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0
