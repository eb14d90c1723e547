"""The offline model as optimizer: notes from a critic's words, merged notes, and the learned part rewritten.

Everything it writes is a transformation of text it was given. It knows no task: with the critic's words taken away it
has nothing to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from langmarl.llm.offline.advice import advice_in, alike, opposed, orders_in

NOTHING = "The assessment asks for no change."
"""What the model says where the words it was given hold no advice."""

_SAME = 0.6
_MOST_CHANGES = 3
_MOST_KEPT = 1
_KEEP = re.compile(r"(?:keep|continue|go on) \w+ing\b|(?:keep|stick to) (?:it|this) up\b", re.IGNORECASE)
_NOTE_WORDS = 80


@dataclass(frozen=True, slots=True)
class Note:
    """A note to be merged.

    Attributes:
        text: As the gradient step wrote it.
        credit: Of the assessment behind it.
    """

    text: str
    credit: float


@dataclass(slots=True)
class _Theme:
    """Instructions from several notes that ask for the same."""

    instruction: str
    support: float
    notes: int


def gradient_note(assessment: str) -> str:
    """The critic's advice as a short note: its own sentences, turned into instructions."""
    kept: list[str] = []
    for instruction in advice_in(assessment):
        if sum(len(line.split()) for line in [*kept, instruction]) > _NOTE_WORDS:
            break
        kept.append(instruction)
    return " ".join(kept) or NOTHING


def merge_notes(notes: list[Note]) -> str:
    """One note of the changes that most notes call for.

    Instructions about the same thing are counted together, those of lost episodes more; of two that contradict each
    other the one with more support stays; what a single note of many suggests is noise and is dropped.
    """
    themes = _themes(notes)
    settled = [t for t in themes if not any(_beats(other, t) for other in themes if other is not t)]
    enough = 1 if len(notes) < 4 else 2
    lasting = [theme for theme in settled if theme.notes >= enough or theme.support >= 1.75]
    lasting.sort(key=lambda theme: -theme.support)
    changes = [theme for theme in lasting if not _KEEP.match(theme.instruction)]
    keeps = [theme for theme in lasting if _KEEP.match(theme.instruction)]
    chosen = changes[:_MOST_CHANGES] + keeps[:_MOST_KEPT]
    lines = [f"- {theme.instruction} ({theme.notes} of {len(notes)} notes)" for theme in chosen]
    return "\n".join(lines) or NOTHING


def _themes(notes: list[Note]) -> list[_Theme]:
    themes: list[_Theme] = []
    for note in notes:
        weight = 1.0 + max(0.0, -note.credit) if note.credit <= 0 else 0.25
        counted: set[int] = set()
        for instruction in orders_in(note.text):
            place = _place(themes, instruction)
            if place is None:
                themes.append(_Theme(instruction, 0.0, 0))
                place = len(themes) - 1
            if place not in counted:
                themes[place].support += weight
                themes[place].notes += 1
                counted.add(place)
    return themes


def _place(themes: list[_Theme], instruction: str) -> int | None:
    """The theme that an instruction belongs to: the most alike, if alike enough and not its opposite."""
    scored = [(alike(theme.instruction, instruction), -index) for index, theme in enumerate(themes)]
    fitting = [
        (score, index)
        for score, index in scored
        if score >= _SAME and not opposed(themes[-index].instruction, instruction)
    ]
    return -max(fitting)[1] if fitting else None


def _beats(one: _Theme, other: _Theme) -> bool:
    contrary = alike(one.instruction, other.instruction) >= _SAME and opposed(one.instruction, other.instruction)
    return contrary and (one.support, one.instruction) > (other.support, other.instruction)


def rewrite(learned: str, merged_note: str, limit: int) -> str:
    """The learned part with the merged note worked in.

    What the note contradicts goes, what it repeats is not said twice, and where the limit (in characters) is reached
    the oldest instructions give way.
    """
    lines = [line for line in (raw.strip().removeprefix("- ").strip() for raw in learned.splitlines()) if line]
    for instruction in orders_in(merged_note):
        lines = [line for line in lines if not (alike(line, instruction) >= _SAME and opposed(line, instruction))]
        if not any(alike(line, instruction) >= _SAME for line in lines):
            lines.append(instruction)
    while len(lines) > 1 and len(_listed(lines)) > limit:
        lines.pop(0)
    return _listed(lines)[:limit]


def _listed(lines: list[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)
