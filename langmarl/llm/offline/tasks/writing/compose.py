"""Composing a text from a brief, by rules.

The writer knows how to meet every kind of demand, and does so only where its policy tells it to. Untold, it writes a
remark on the topic, padded, with talk about its own draft; each habit changes one thing about that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from langmarl.llm.offline.choice import pick
from langmarl.llm.offline.tasks.skill import Message
from langmarl.llm.offline.tasks.writing import phrases
from langmarl.llm.offline.tasks.writing.brief import Brief, Kind
from langmarl.llm.offline.tasks.writing.checks import count, said
from langmarl.llm.offline.tasks.writing.errand import Errand, read_errand
from langmarl.llm.offline.tasks.writing.language import key_stems, sentences
from langmarl.llm.offline.tasks.writing.outline import mentions, passed_on, without_details
from langmarl.llm.offline.tasks.writing.points import Point
from langmarl.llm.offline.tasks.writing.render import as_line, as_sentence, as_step, capital

SPAN = 2
"""How many points a writer keeps in mind who works from the brief alone; with an outline beside it, all of them."""


class Rank(IntEnum):
    """What goes first when a text is over its limit."""

    FILLER = 0
    SPARE = 1
    OPENING = 2
    MANNER = 3
    POINT = 4
    FRAME = 5


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence or line of the body and how dispensable it is."""

    text: str
    rank: Rank


class Writer:
    """One agent that writes the text of one brief.

    Args:
        brief: What is asked for.
        habits: What the writer's policy tells it, by name of habit.
        earlier: The messages before it.
        plans: Whether it makes its own outline first (an agent alone, told to plan).
    """

    def __init__(
        self, brief: Brief, habits: Mapping[str, bool | None], earlier: Sequence[Message], plans: bool = False
    ) -> None:
        self.brief = brief
        self.habits = habits
        self.earlier = earlier
        self.plans = plans
        self.errand: Errand = read_errand(brief.prompt)
        self.formats = habits.get("format") is True

    def text(self) -> str:
        """The whole message."""
        return self._verse() if self.formats and self._wanted_lines() else self._prose()

    # ------------------------------------------------------------------------------------------------ what to say

    def points(self) -> list[tuple[Point, bool]]:
        """The points to make, each with whether its names and numbers are known to the writer."""
        wanted = [point for demand in self.brief.demands(Kind.CONTENT) for point in demand.points]
        detailed = self.habits.get("details") is True
        builds = self.habits.get("build") is True
        lines = passed_on(self.earlier) if builds else []
        chosen: list[tuple[Point, bool]] = []
        in_mind = len(wanted) if self.plans else SPAN
        for point in wanted:
            matching = [line for line in lines if mentions(line, point)]
            if matching:
                known = any(said(point, line) >= 0.95 for line in matching)
                chosen.append((point, detailed or (known and self.habits.get("details") is not False)))
            elif self.habits.get("cover") is True and in_mind > 0:
                chosen.append((point, detailed))
                in_mind -= 1
        return chosen

    def _point_pieces(self) -> list[Piece]:
        layouts = {demand.subject for demand in self.brief.demands(Kind.LAYOUT)} if self.formats else set()
        chosen = [item for item in self.points() if not (self._calls() and item[0].form == "request")]
        if "steps" in layouts:
            steps = [as_step(point, known) for point, known in chosen]
            return [Piece(f"\n{number}. {step}", Rank.POINT) for number, step in enumerate(steps, 1)]
        made = [as_sentence(point, known) for point, known in _joined(chosen)]
        if "list" in layouts:
            return [Piece(f"\n- {sentence}", Rank.POINT) for sentence in made]
        return [Piece(sentence, Rank.POINT) for sentence in made]

    # ---------------------------------------------------------------------------------------------------- in prose

    def _prose(self) -> str:
        pieces = self._pieces()
        frame, remarks = self._frame(), self._remarks()
        frame = _Frame(remarks.head + frame.head, frame.tail + remarks.tail)
        limits = [demand for demand in self.brief.demands(Kind.LENGTH) if demand.subject == "word"]
        if self.habits.get("limit") is True:
            for demand in limits:
                pieces = _lengthened(pieces, frame, demand.low)
                pieces = _shortened(pieces, frame, demand.high)
        return _cleaned(_set(pieces, frame), self._bans())

    def _pieces(self) -> list[Piece]:
        opening = Piece(self._opening(), Rank.OPENING)
        pieces = [*self._apology(), opening, *self._filler(0, 2), *self._point_pieces()]
        pieces += [*self._filler(2, 4), *self._manner(), *self._filler(4, 5), *self._spare()]
        if self.habits.get("no_repeat") is not True:
            again = opening.text[:1].lower() + opening.text[1:]
            pieces.append(Piece(f"So {again}", Rank.FILLER))
            if self.habits.get("no_repeat") is False:
                pieces += [opening, Piece(f"Once more, {again}", Rank.FILLER)]
        return [*pieces, *self._call()]

    def _opening(self) -> str:
        if self.errand.asks:
            return "We have a request." if self._calls() else f"We would like to ask you to {self.errand.topic}."
        form = self.errand.form
        start = f"These {form} are" if re.search(r"(?<!s)s$", form) else f"This {form} is"
        for_readers = bool(self.errand.audience) and self.errand.topic.startswith(self.errand.audience)
        return f"{start} {'for' if for_readers else 'about'} {self.errand.topic}."

    def _filler(self, start: int, stop: int) -> list[Piece]:
        if self.habits.get("no_filler") is True:
            return []
        chosen = list(phrases.FILLER[start:stop])
        if self.habits.get("no_filler") is False or self.habits.get("limit") is False:
            chosen += phrases.FILLER[-2:]
        return [Piece(sentence, Rank.FILLER) for sentence in chosen]

    def _spare(self) -> list[Piece]:
        """What a writer adds who is not told to keep to a length."""
        return [] if self.habits.get("limit") is True else [Piece(text, Rank.SPARE) for text in phrases.SPARE]

    def _apology(self) -> list[Piece]:
        wanted = self.brief.demands(Kind.APOLOGY) and self.habits.get("tone") is True
        return [Piece(phrases.APOLOGY, Rank.MANNER)] if wanted else []

    def _manner(self) -> list[Piece]:
        """Tone, thanks, address, example and question, each where the brief asks and the policy tells."""
        made: list[str] = []
        tones = [demand.subject for demand in self.brief.demands(Kind.TONE)]
        if self.habits.get("tone") is True:
            made += [sentence for tone in tones for sentence in phrases.IN_TONE[tone]]
            made += [phrases.THANKS] if self.brief.demands(Kind.THANKS) else []
        elif self.habits.get("tone") is False:
            made += [phrases.AGAINST_TONE[tone] for tone in tones]
        if self.habits.get("reader") is True and (self.brief.demands(Kind.READER) or not tones):
            made += phrases.TO_READER
        if self.habits.get("example") is True:
            made += [self._example(demand.subject) for demand in self.brief.demands(Kind.EXAMPLE)]
        if self.formats and any(demand.subject == "question" for demand in self.brief.demands(Kind.LAYOUT)):
            made.append(phrases.QUESTION)
        return [Piece(sentence, Rank.MANNER) for sentence in made]

    def _example(self, subject: str) -> str:
        passive = re.match(r"what can be (?P<verb>\w+)(?P<rest>.*)$", subject)
        active = re.match(r"what (?P<can>\w+ (?:can|could|may)) (?P<verb>\w+)(?P<rest>.*)$", subject)
        if passive:
            thing = phrases.THINGS.get({"seen": "see", "heard": "hear"}.get(passive["verb"], ""), phrases.THING)
            return f"For example, {thing} can be {passive['verb']}{passive['rest']}."
        if active:
            thing = phrases.THINGS.get(active["verb"], phrases.THING)
            return f"For example, {active['can']} {active['verb']} {thing}{active['rest']}."
        return pick(phrases.EXAMPLES, self.brief.prompt)

    def _calls(self) -> bool:
        """Whether the text ends with what the reader should do."""
        fits = self.errand.letter or bool(self.brief.demands(Kind.ACTION))
        asked = any(point.form == "request" for demand in self.brief.demands() for point in demand.points)
        return self.habits.get("action") is True and (fits or asked)

    def _call(self) -> list[Piece]:
        if not self._calls():
            return []
        requests = [point.value for point, _ in self.points() if point.form == "request"]
        requests += [self.errand.topic] if self.errand.asks else []
        calls = [f"Please {request}." for request in requests] or [pick(phrases.CALLS, self.brief.prompt)]
        return [Piece(call, Rank.FRAME) for call in calls]

    # ------------------------------------------------------------------------------------------ beginning and end

    def _remarks(self) -> _Frame:
        """What a writer says about its draft who is not told to send the text alone."""
        if self.habits.get("only_text") is True:
            return _Frame()
        prompt = self.brief.prompt
        return _Frame([pick(phrases.PREAMBLES, prompt) + "\n"], ["\n" + pick(phrases.REMARKS, prompt)])

    def _frame(self) -> _Frame:
        frame = _Frame()
        if self.formats:
            layouts = {demand.subject for demand in self.brief.demands(Kind.LAYOUT)}
            topic = _title(self.errand.topic)
            frame.head += [f"Subject: {topic}"] if "subject" in layouts else []
            frame.head += [topic] if "title" in layouts else []
        if self.habits.get("frame") is not True:
            return frame
        tones = {demand.subject for demand in self.brief.demands(Kind.TONE)} if self.habits.get("tone") else set()
        signatures = self.brief.demands(Kind.SIGNATURE)
        if self.errand.letter or self.brief.demands(Kind.GREETING):
            frame.head.append(f"Dear {self.errand.audience or 'reader'},")
        if self.errand.letter or self.brief.demands(Kind.CLOSING) or signatures:
            closing = phrases.WARM_CLOSING if "warm" in tones else phrases.KIND_CLOSING
            frame.tail.append(phrases.FORMAL_CLOSING if "formal" in tones else closing)
            frame.tail.append(capital(signatures[0].subject) if signatures else "The team")
        return frame

    def _bans(self) -> set[str]:
        """Marks and words to take out: what the brief forbids, for a writer who keeps to its form."""
        return {demand.subject for demand in self.brief.demands(Kind.BAN)} if self.formats else set()

    # ---------------------------------------------------------------------------------------------------- in verse

    def _wanted_lines(self) -> int:
        return next((d.high or d.low for d in self.brief.demands(Kind.LENGTH) if d.subject == "line"), 0)

    def _verse(self) -> str:
        """The brief's number of lines: its topic, what it names, a line in its tone, then plain ones."""
        wanted = self._wanted_lines()
        lines = [self.errand.topic] + [as_line(point, number) for number, (point, _) in enumerate(self.points())]
        if self.habits.get("tone") is True and any(d.subject != "calm" for d in self.brief.demands(Kind.TONE)):
            lines.append(phrases.WARM_LINE)
        if len(lines) > wanted:
            lines = [*lines[: wanted - 1], ", ".join(lines[wanted - 1 :])]
        start = len(self.brief.prompt) % len(phrases.VERSE_LINES)
        spare = phrases.VERSE_LINES[start:] + phrases.VERSE_LINES[:start]
        lines += spare[: wanted - len(lines)]
        frame = self._remarks()
        return _cleaned("\n\n".join([*frame.head, capital(",\n".join(lines)) + ".", *frame.tail]), self._bans())


@dataclass(slots=True)
class _Frame:
    """The lines above and below the body."""

    head: list[str] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)


def _title(topic: str) -> str:
    """A headline from a topic: its words up to the first comma or relative clause, eight at most."""
    short = re.split(r",| (?:who|which|that|whose) ", topic)[0].split()[:8]
    while len(short) > 1 and short[-1] in ("a", "an", "the", "of", "in", "at", "for", "to", "and", "from", "with"):
        short.pop()
    return capital(" ".join(short))


def _joined(chosen: list[tuple[Point, bool]]) -> list[tuple[Point, bool]]:
    """Bare things that stand together make one sentence."""
    joined: list[tuple[Point, bool]] = []
    for point, known in chosen:
        value = point.value if known else without_details(point)
        if point.form == "thing" and joined and joined[-1][0].form == "thing" and value:
            before = joined[-1][0].value.replace(" and ", ", ")
            joined[-1] = (Point("thing", "", f"{before} and {value}"), True)
        elif point.form == "thing":
            joined.append((Point("thing", "", value or "some people and things"), True))
        else:
            joined.append((point, known))
    return joined


def _set(pieces: Sequence[Piece], frame: _Frame) -> str:
    body = ""
    listing = False
    for piece in pieces:
        # What follows a list starts on a line of its own.
        body += "\n" if listing and not piece.text.startswith("\n") else " "
        listing = piece.text.startswith("\n")
        body += piece.text
    body = re.sub(r" +\n", "\n", body).strip()
    parts = ("\n".join(frame.head).strip(), body, "\n".join(frame.tail).strip())
    return "\n\n".join(part for part in parts if part)


def _shortened(pieces: list[Piece], frame: _Frame, limit: int | None) -> list[Piece]:
    """``pieces`` without the most dispensable ones, until the text keeps to ``limit`` words."""
    kept = list(pieces)
    while limit is not None and len(kept) > 1 and count("word", _set(kept, frame)) > limit:
        lowest = min(piece.rank for piece in kept)
        last = max(index for index, piece in enumerate(kept) if piece.rank == lowest)
        del kept[last]
    return kept


def _lengthened(pieces: list[Piece], frame: _Frame, least: int) -> list[Piece]:
    """``pieces`` and as many spare sentences as it takes to reach ``least`` words, filler not counted."""
    lasting = [piece for piece in pieces if piece.rank is not Rank.FILLER]
    added: list[Piece] = []
    for sentence in phrases.SPARE:
        if count("word", _set([*lasting, *added], frame)) >= least:
            break
        added.append(Piece(sentence, Rank.SPARE))
    return [*pieces, *added]


def _cleaned(text: str, bans: set[str]) -> str:
    for ban in bans:
        if ban == "!":
            text = text.replace("!", ".")
        kind, _, what = ban.partition(" ")
        if kind == "word":
            text = re.sub(rf"\s?\b{re.escape(what)}\b", "", text, flags=re.IGNORECASE)
        elif kind == "topic":
            dropped = [line for line in sentences(text) if key_stems(what) and key_stems(what) <= key_stems(line)]
            for sentence in dropped:
                text = text.replace(sentence, "").strip()
    return text
