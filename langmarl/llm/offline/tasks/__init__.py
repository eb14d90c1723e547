"""What the offline model can do, one module for each type of task."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from langmarl.llm.offline.tasks.skill import TaskSkill

SKILLS = ("qa", "math", "coding", "writing")
"""Names of the skills; the package or module of that name brings the object ``SKILL``."""


@cache
def skill(name: str) -> TaskSkill:
    """The skill of that name; its module is loaded when it is first asked for."""
    found: TaskSkill = import_module(f"{__name__}.{name}").SKILL
    return found


def skill_for(task: str) -> TaskSkill | None:
    """The first skill that recognises ``task``; None for anything that is not one of the four types."""
    return next((found for name in SKILLS if (found := skill(name)).recognizes(task)), None)
