"""The documentation says what the program does."""

from __future__ import annotations

from pathlib import Path

import pytest

from langmarl.llm.offline.reference import habit_table, refresh
from langmarl.llm.offline.tasks import SKILLS, skill

DOCUMENT = Path(__file__).parents[3] / "docs" / "offline-model.md"


def test_the_tables_of_the_documentation_are_current() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert refresh(text) == text, "run: python -m langmarl.llm.offline.reference"


@pytest.mark.parametrize("name", SKILLS)
def test_every_habit_is_in_its_table_once(name: str) -> None:
    names = [habit.name for habit in skill(name).habits]
    assert len(set(names)) == len(names)
    assert all(habit_table(name).count(f"| `{habit}` |") == 1 for habit in names)


def test_a_document_without_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="no table for"):
        refresh("# The offline model")
