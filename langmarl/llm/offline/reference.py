"""The tables of ``docs/offline-model.md``, made from the habits: ``python -m langmarl.llm.offline.reference``."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from langmarl.llm.offline.tasks import SKILLS, skill

_TABLE = re.compile(r"(?P<open><!-- habits: (?P<name>\w+) -->\n).*?(?P<close><!-- end -->)", re.DOTALL)


def habit_table(name: str) -> str:
    """A Markdown table of what instructions can change in the skill ``name``."""
    rows = [f"| `{habit.name}` | {habit.meaning} |" for habit in skill(name).habits]
    return "\n".join(["| habit | what changes when an agent is told to |", "| --- | --- |", *rows])


def refresh(document: str) -> str:
    """``document`` with every table between ``<!-- habits: <name> -->`` and ``<!-- end -->`` made anew.

    Raises:
        ValueError: A skill has no table in the document.
    """
    missing = [name for name in SKILLS if f"<!-- habits: {name} -->" not in document]
    if missing:
        raise ValueError(f"no table for: {', '.join(missing)}")
    return _TABLE.sub(lambda m: f"{m['open']}{habit_table(m['name'])}\n{m['close']}", document)


def main(path: str = "docs/offline-model.md") -> None:
    """Rewrite the tables of the file at ``path`` in place."""
    file = Path(path)
    file.write_text(refresh(file.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
