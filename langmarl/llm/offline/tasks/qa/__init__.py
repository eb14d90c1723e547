"""Questions over passages, as HotPotQA asks them: reading, finding evidence, answering."""

from __future__ import annotations

from langmarl.llm.offline.tasks.qa.skill import SKILL, QuestionAnswering

__all__ = ["SKILL", "QuestionAnswering"]
