"""Writing: how the offline model reads a brief, plans, writes, and criticises what was written."""

from __future__ import annotations

from langmarl.llm.offline.tasks.writing.skill import SKILL

__all__ = ["SKILL"]
