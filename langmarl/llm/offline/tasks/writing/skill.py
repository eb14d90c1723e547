"""The offline model's skill in writing tasks."""

from __future__ import annotations

from collections.abc import Mapping

from langmarl.llm.offline.choice import pick
from langmarl.llm.offline.instructions import Habit, Seat
from langmarl.llm.offline.tasks.skill import EpisodeCase, Finding, Message
from langmarl.llm.offline.tasks.writing import critic, phrases
from langmarl.llm.offline.tasks.writing.brief import read_brief
from langmarl.llm.offline.tasks.writing.compose import Writer
from langmarl.llm.offline.tasks.writing.habits import HABITS
from langmarl.llm.offline.tasks.writing.outline import listed, write_outline


class WritingSkill:
    """Plays and judges tasks that begin with ``Writing task:``.

    The last agent writes the text; the ones before it muse, unless they are told to list what the text needs. An agent
    does what its policy says even where that is foolish: a last agent told to hand over an outline does so.
    """

    habits: tuple[Habit, ...] = HABITS

    def recognizes(self, task: str) -> bool:
        """Whether ``task`` is a writing brief as the language environment renders it."""
        return task.lstrip().lower().startswith("writing task:")

    def act(self, task: str, earlier: list[Message], seat: Seat, habits: Mapping[str, bool | None]) -> str:
        """The agent's message: an outline, a text, or musings."""
        brief = read_brief(task)
        plans = habits.get("outline") is True
        if seat.of == 1:
            return Writer(brief, habits, earlier, plans=plans).text()
        if plans:
            return write_outline(brief, habits.get("details") is True, listed(earlier))
        if seat.last or habits.get("outline") is False:
            return Writer(brief, habits, earlier).text()
        relayed = listed(earlier)
        if habits.get("build") is True and relayed:
            return "What the text needs:\n" + "\n".join(f"- {line}" for line in relayed)
        return pick(phrases.MUSINGS, task, seat.agent)

    def diagnose(self, case: EpisodeCase) -> dict[str, Finding]:
        """The critic's finding for each agent."""
        return critic.diagnose(case)


SKILL = WritingSkill()
