"""Reading a policy: which habits does this text tell an agent to have, and which not to?

A habit is something that an actor can do or leave (``keep the answer to the bare name``). Its cues say by which words
a clause speaks of it. The grammar (clauses, negation, contrast, who is addressed) is in
``langmarl.llm.offline.clauses`` and knows nothing of any task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from langmarl.llm.offline.clauses import Clause, Word, read_clauses
from langmarl.llm.offline.seat import Seat, read_seat
from langmarl.llm.offline.words import Concept, concept, entries, is_filler, phrases, wording

__all__ = ["Concept", "Cue", "Habit", "Seat", "concept", "phrases", "read_habits", "read_seat", "wording"]


_TRAILING = 6


@dataclass(frozen=True, slots=True)
class Cue:
    """One way in which a clause can speak of a habit.

    A clause matches when it holds, in any order, a word (by stem) or phrase from each concept. **The first concept is
    the heart of the cue**: whether the clause says to or not to is read at that word ("quote, do not *paraphrase*").
    Phrases must not hold words of negation; the grammar has taken those out.

    Attributes:
        all_of: The concepts, heart first.
        sign: 1, or -1 where the cue names the opposite of the habit ("a full sentence", for short answers).
        near: The farthest that two of the matched words may be apart, in words.
        unless: The cue says nothing of a clause that holds one of these.
        only: 1 or -1 where the cue counts only in clauses that are for, or against, what its heart stands for.
        ordered: The cue counts only where its heart stands in the instruction itself, not in a condition.
    """

    all_of: tuple[Concept, ...]
    sign: int = 1
    near: int = 16
    unless: Concept = frozenset()
    only: int = 0
    ordered: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Habit:
    """Something that instructions can make an actor do or leave.

    Attributes:
        name: Short and unique within its task type.
        meaning: One plain sentence for the documentation: what changes when an agent is told to.
        cues: The ways in which a clause can speak of it.
        hints: Weaker signs, looked at only where no cue of any habit fits the clause.
    """

    name: str
    meaning: str
    cues: tuple[Cue, ...]
    hints: tuple[Cue, ...] = ()


def read_habits(policy_text: str, habits: Sequence[Habit], seat: Seat) -> dict[str, bool | None]:
    """What ``policy_text`` tells the agent in ``seat`` about each habit.

    Args:
        policy_text: The whole system prompt.
        habits: The habits to look for.
        seat: Where the reader sits; clauses addressed to another agent are not for it.

    Returns:
        By habit name: True (told to), False (told not to) or None (not mentioned). Where the text says both, the later
        clause wins; within a clause what stands outside a condition, then the cue with more concepts, then the later
        word.
    """
    return dict(_read_habits(policy_text, tuple(habits), seat))


@lru_cache(maxsize=1024)
def _read_habits(policy_text: str, habits: tuple[Habit, ...], seat: Seat) -> dict[str, bool | None]:
    told: dict[str, bool | None] = dict.fromkeys((habit.name for habit in habits), None)
    for clause in reversed(read_clauses(policy_text, seat)):
        for name, value in _reading(clause, habits).items():
            told[name] = value if told[name] is None else told[name]
    return told


def _reading(clause: Clause, habits: Sequence[Habit]) -> dict[str, bool]:
    """What one clause says, by habit: by cues, else with the clause that it points back to, else by hints."""
    joined = clause.context + clause.words
    by_cues = {habit.name: match for habit in habits if (match := _best(habit.cues, clause.words))}
    if not by_cues and clause.context:
        in_context = {habit.name: match for habit in habits if (match := _best(habit.cues, joined))}
        by_cues = {name: match for name, match in in_context.items() if match.main}
    if not by_cues:
        by_cues = {habit.name: match for habit in habits if (match := _best(habit.hints, clause.words))}
    return {name: match.told for name, match in by_cues.items()}


def _best(cues: Sequence[Cue], words: tuple[Word, ...]) -> _Match | None:
    """The match that counts: outside a condition before inside, more concepts before fewer, later before earlier."""
    matches = [match for cue in cues if (match := _match(cue, words)) is not None]
    return max(matches, key=lambda match: (match.main, match.concepts, match.position), default=None)


@dataclass(frozen=True, slots=True)
class _Match:
    told: bool
    main: bool
    concepts: int
    position: int


def _match(cue: Cue, words: tuple[Word, ...]) -> _Match | None:
    """The closest set of ``words`` that satisfies ``cue``, or None."""
    found = [_positions(item, words) for item in cue.all_of]
    if not all(found) or _positions(cue.unless, words):
        return None
    near = [
        places
        for places in product(*found)
        if max(places) - min(places) <= cue.near
        and cue.only in (0, words[places[0]].polarity)
        and (words[places[0]].main or not cue.ordered)
    ]
    if not near:
        return None
    heart = min(near, key=lambda places: _looseness(places, words))[0]
    word = words[heart]
    return _Match(word.polarity * cue.sign > 0, word.main, len(cue.all_of), heart)


def _looseness(places: tuple[int, ...], words: tuple[Word, ...]) -> tuple[bool, int, int]:
    """Order of preference among matches: hearts outside conditions first, then the closest, then the latest.

    A heart after its object counts as farther away: English says what to do and then to what, so of the two verbs in
    "use what they quoted instead of starting over" the one before "quoted" governs it.
    """
    span = max(places) - min(places)
    trails = len(places) > 1 and places[0] > min(places[1:])
    return (not words[places[0]].main, span + _TRAILING * trails, -places[0])


@lru_cache(maxsize=16384)
def _positions(item: Concept, words: tuple[Word, ...]) -> tuple[int, ...]:
    """Where in ``words`` the concept occurs: indices of the first word of each occurrence."""
    ready = entries(item)
    everywhere = list(range(len(words)))
    content = [index for index in everywhere if not is_filler(words[index].stem)]
    places = {index for index in everywhere if words[index].stem in ready.words}
    for phrases_there, indices in ((ready.phrases, content), (ready.literal, everywhere)):
        spelled = [words[index].stem for index in indices]
        for phrase in phrases_there:
            size = len(phrase)
            starts = range(len(spelled) - size + 1)
            places.update(indices[start] for start in starts if tuple(spelled[start : start + size]) == phrase)
    return tuple(sorted(places))
