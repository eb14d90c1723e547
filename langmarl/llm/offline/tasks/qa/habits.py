"""What instructions can change in a reader."""

from __future__ import annotations

from langmarl.llm.offline.instructions import Habit
from langmarl.llm.offline.tasks.qa.answer_habits import ADMIT, CHECK_ANSWER, FULL_NAME, MATCH_KIND, SHORT_ANSWER, YES_NO
from langmarl.llm.offline.tasks.qa.evidence_habits import (
    COMPARE,
    DEFER,
    FOLLOW_LINK,
    QUOTED,
    READ_ALL,
    SOURCE,
    USE_EVIDENCE,
)

QA_HABITS: tuple[Habit, ...] = (
    SHORT_ANSWER,
    QUOTED,
    SOURCE,
    FOLLOW_LINK,
    READ_ALL,
    MATCH_KIND,
    YES_NO,
    USE_EVIDENCE,
    COMPARE,
    DEFER,
    CHECK_ANSWER,
    ADMIT,
    FULL_NAME,
)
