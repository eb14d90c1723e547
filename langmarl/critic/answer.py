"""Reading a critic's answer: tolerant of form, strict about meaning."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from langmarl.critic.base import Assessment
from langmarl.llm import finite_number, parse_object

TEAM = "team"


@dataclass(frozen=True, slots=True)
class CriticAnswer:
    """What could be read.

    Attributes:
        assessments: By subject (an agent, or the team); None where unusable.
        problem: What is wrong, in words that the model can act on; None where all is well.
    """

    assessments: dict[str, Assessment | None] = field(default_factory=dict)
    problem: str | None = None


def answer_schema(subjects: Sequence[str], num_steps: int, *, team: bool) -> dict[str, Any]:
    """JSON schema of an answer that assesses ``subjects``; strict, as OpenAI's structured output wants it.

    The words come before the number, so that a model has looked before it judges. What can be listed is bounded: a
    small model that is held to a schema otherwise counts on until its token limit.

    Args:
        subjects: As :func:`read_answer` takes them.
        num_steps: Steps in the trajectory.
        team: Whether one assessment of the team is wanted.
    """
    step = {"type": "integer", "minimum": 0, "maximum": max(0, num_steps - 1)}
    assessment = _object(
        feedback={"type": "string"},
        credit={
            "type": "number",
            "minimum": -1,
            "maximum": 1,
            "description": "From -1 (decided the failure) to 1 (decided the success).",
        },
        evidence={"type": "array", "items": step, "maxItems": num_steps, "description": "Step numbers."},
    )
    if team:
        return _object(team=assessment)
    return _object(agents=_object(**dict.fromkeys(subjects, assessment)))


def describe_format(subjects: Sequence[str], *, team: bool) -> str:
    """The same in words and by example, for models that are not given the schema."""
    one = '{"feedback": "<words>", "credit": <number from -1 to 1>, "evidence": [<step numbers>]}'
    if team:
        return f'Answer with one JSON object and nothing else:\n{{"team": {one}}}'
    members = ", ".join(f"{json.dumps(subject)}: {one}" for subject in subjects)
    return f'Answer with one JSON object and nothing else, with every agent in it:\n{{"agents": {{{members}}}}}'


def read_answer(text: str, subjects: Sequence[str], num_steps: int, *, team: bool) -> CriticAnswer:
    """Read a critic's reply.

    Args:
        text: The reply as it came: JSON, perhaps in a fence, with words around it, or slightly broken.
        subjects: The agents to find (``["team"]`` under ``central_global``).
        num_steps: Steps in the trajectory; evidence outside ``range(num_steps)`` is dropped.
        team: Whether one assessment of the team is expected.
    """
    data = parse_object(text)
    if data is None:
        return CriticAnswer(dict.fromkeys(subjects), "it is not a complete JSON object")
    # Models that are not held to a schema often leave the outer key out.
    found = data if team else data.get("agents", data)
    if not isinstance(found, Mapping):
        return CriticAnswer(dict.fromkeys(subjects), '"agents" is not an object')
    readings = {subject: _read_assessment(found.get(subject), num_steps) for subject in subjects}
    problems = [f"{subject}: {reading}" for subject, reading in readings.items() if isinstance(reading, str)]
    return CriticAnswer(
        assessments={name: None if isinstance(reading, str) else reading for name, reading in readings.items()},
        problem="; ".join(problems) or None,
    )


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _read_assessment(data: Any, num_steps: int) -> Assessment | str:
    """The assessment, or what is wrong with it."""
    if not isinstance(data, Mapping):
        return "missing"
    credit = finite_number(data.get("credit"))
    if credit is None or not -1 <= credit <= 1:
        return f"credit is {data.get('credit')!r}; it must be a number from -1 to 1"
    feedback = data.get("feedback")
    if not isinstance(feedback, str) or not feedback.strip():
        return "feedback is empty"
    evidence = data.get("evidence")
    steps = [finite_number(step) for step in evidence] if isinstance(evidence, Sequence) else []
    return Assessment(
        credit=credit,
        feedback=feedback.strip(),
        evidence=sorted({int(step) for step in steps if step is not None and 0 <= step < num_steps}),
    )
