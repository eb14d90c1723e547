"""The shipped writing briefs, as the language environment shows them to an actor and to the judge."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import langmarl

DATA = Path(langmarl.__file__).parent / "envs" / "language" / "data" / "writing.jsonl"


def render(prompt: str, requirements: list[str]) -> str:
    """A writing task in the environment's form."""
    return f"Writing task: {prompt}\n\nRequirements:\n" + "\n".join(f"- {line}" for line in requirements)


@cache
def shipped_briefs() -> tuple[str, ...]:
    """Every brief of the shipped set."""
    rows = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    return tuple(render(row["prompt"], row["requirements"]) for row in rows)
