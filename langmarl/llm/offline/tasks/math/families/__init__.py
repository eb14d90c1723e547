"""Families of problems, and reading a problem as one of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from langmarl.llm.offline.tasks.math.families.counting import COUNTING
from langmarl.llm.offline.tasks.math.families.equations import EQUATIONS
from langmarl.llm.offline.tasks.math.families.expressions import EXPRESSIONS
from langmarl.llm.offline.tasks.math.families.measuring import MEASURING
from langmarl.llm.offline.tasks.math.families.numbers import NUMBERS
from langmarl.llm.offline.tasks.math.families.shapes import SHAPES
from langmarl.llm.offline.tasks.math.families.shopping import SHOPPING
from langmarl.llm.offline.tasks.math.families.story import STORY
from langmarl.llm.offline.tasks.math.plan import Plan
from langmarl.llm.offline.tasks.math.statement import statement

READERS: tuple[Callable[[str], Plan | None], ...] = (
    *EQUATIONS,
    *EXPRESSIONS,
    *NUMBERS,
    *COUNTING,
    *SHAPES,
    *SHOPPING,
    *MEASURING,
    *STORY,
)
"""Tried in this order; each takes the even text of a problem and gives a plan where the problem is of its family."""


@lru_cache(maxsize=2048)
def read_problem(task: str) -> Plan | None:
    """The plan for an actor's ``task``, or None where no family knows it."""
    text = statement(task)
    for reader in READERS:
        plan = reader(text)
        if plan is not None:
            return plan
    return None
