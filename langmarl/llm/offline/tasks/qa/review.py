"""The critic's reading of a QA episode: was the evidence brought up, and what became of it?"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass

from langmarl.llm.offline.choice import pick
from langmarl.llm.offline.instructions import read_habits, read_seat
from langmarl.llm.offline.tasks.qa.habits import QA_HABITS
from langmarl.llm.offline.tasks.qa.lessons import LEFT_OVER, LESSONS, NOT_TO_BLAME, PRAISE_ANSWER, PRAISE_EVIDENCE
from langmarl.llm.offline.tasks.qa.play import Heard, listen
from langmarl.llm.offline.tasks.qa.question import read_question
from langmarl.llm.offline.tasks.qa.search import named_in, relevance
from langmarl.llm.offline.tasks.qa.text import Reading, content_stems, read_task
from langmarl.llm.offline.tasks.skill import EpisodeCase, Finding, Message

_GOOD = 0.7
_LONG_ANSWER = 8
_PARTS = 2


@dataclass(frozen=True, slots=True)
class View:
    """What the critic works from.

    Attributes:
        reading: The task, taken apart.
        reference: The reference answer; empty where there is none.
        answer: The team's answer.
        heard: What the messages before the answer bring.
        good: Whether the episode went well.
    """

    reading: Reading
    reference: str
    answer: str
    heard: Heard
    good: bool

    @property
    def brought(self) -> bool:
        """Whether the reference answer stands in the quotes (for yes and no: whether both things were quoted)."""
        if self.kind in ("yes_no", "choice"):
            return len(named_in(self.reading.question, self.reading) - self.quoted) == 0 and len(self.quoted) > 1
        return holds(" ".join(quote.text for quote in self.heard.quotes), self.reference)

    @property
    def quoted(self) -> frozenset[int]:
        """Indices of the passages that were quoted."""
        return frozenset(quote.passage for quote in self.heard.quotes)

    @property
    def kind(self) -> str:
        """The kind of question."""
        return read_question(self.reading.question).kind


def diagnose(case: EpisodeCase) -> dict[str, Finding]:
    """A finding for every agent of ``case``."""
    reading = read_task(case.task)
    last = case.messages[-1] if case.messages else Message("", "")
    view = View(reading, case.reference or "", last.text, listen(reading, case.messages[:-1]), case.reward >= _GOOD)
    return {agent: _finding(case, view, agent) for agent in case.policies}


def _finding(case: EpisodeCase, view: View, agent: str) -> Finding:
    spoken = [index for index, message in enumerate(case.messages) if message.agent == agent]
    answers = bool(spoken) and spoken[-1] == len(case.messages) - 1
    alone = len(case.policies) == 1
    seat = read_seat(case.policies[agent])
    told = read_habits(case.policies[agent], QA_HABITS, seat)
    faults = _answer_faults(view, alone=alone) if answers else _evidence_faults(case, view, agent)
    open_faults = [fault for fault in faults if not told.get(fault)]
    return _worded(case, view, agent, faults, open_faults, spoken, answers)


def _evidence_faults(case: EpisodeCase, view: View, agent: str) -> list[str]:
    """What an agent that speaks before the last failed to do, most costly first."""
    own = [message for message in case.messages if message.agent == agent]
    heard = listen(view.reading, own)
    faults = []
    if heard.proposal and not holds(heard.proposal, view.reference) and not view.good:
        faults.append("defer")
    if not heard.quotes:
        return ["quote", *faults] if not view.brought else faults
    if not heard.titled:
        faults.append("source")
    if view.brought:
        return faults
    return _search_faults(view, frozenset(quote.passage for quote in heard.quotes)) + faults


def _search_faults(view: View, read: frozenset[int]) -> list[str]:
    """What the search lacked, given the passages that it read."""
    reading = view.reading
    named = named_in(reading.question, reading)
    if view.kind in ("yes_no", "choice", "shared") and len(named) > 1 and not named <= read:
        return ["compare"]
    best = max(range(len(reading.passages)), key=lambda i: (relevance(reading, i), -i), default=0)
    holding = {p.index for p in reading.passages if holds(f"{p.title} {p.text}", view.reference)}
    if best not in read and not holding & read:
        return ["read_all"]
    if len(read) < _PARTS and not holding & read:
        return ["follow_link"]
    return []


def _answer_faults(view: View, *, alone: bool) -> list[str]:
    """What the answering agent did wrong, most costly first."""
    if view.good:
        return []
    faults = []
    words = len(view.answer.split())
    if words > _LONG_ANSWER or (holds(view.answer, view.reference) and words > 2 * len(view.reference.split()) + 1):
        faults.append("short")
    if normal(view.reference) in ("yes", "no"):
        faults += [] if normal(view.answer) in ("yes", "no") else ["yes_no"]
    right = holds(view.answer, view.reference)
    if right:
        return faults
    if view.brought and not _drawn_from_quotes(view):
        faults.append("use_evidence")
    elif view.brought or alone or not view.heard.quotes:
        faults += _choice_faults(view)
    if alone:
        faults += _search_faults(view, _read_by(view))
    return faults


def _choice_faults(view: View) -> list[str]:
    """Why the wrong words were picked out of evidence."""
    faults = []
    taken = view.heard.proposal is not None and holds(view.answer, view.heard.proposal)
    asked = content_stems(view.answer) and content_stems(view.answer) <= view.reading.question_stems
    if view.kind in ("yes_no", "choice", "shared"):
        faults.append("compare")
    elif view.brought or not view.heard.quotes:
        faults.append("match_kind")
    if taken or asked:
        faults.append("check")
    return faults


def _drawn_from_quotes(view: View) -> bool:
    """Whether some name or phrase of the answer stands in the quotes."""
    quotes = normal(" ".join(quote.text for quote in view.heard.quotes))
    words = [word for word in normal(view.answer).split() if len(word) > 2]
    capitals = [normal(name) for name in re.findall(r"\b[A-Z\d][\w'-]*(?: [A-Z\d][\w'-]*)*", view.answer)]
    if len(words) <= _LONG_ANSWER:
        return normal(view.answer) in ("yes", "no") or all(word in quotes for word in words)
    return any(len(name) > 2 and name in quotes for name in capitals)


def _read_by(view: View) -> frozenset[int]:
    """Passages that an agent on its own seems to have read: those that hold its answer."""
    answer = view.answer
    return frozenset(
        p.index for p in view.reading.passages if holds(f"{p.title} {p.text}", answer) or p.title in answer
    )


def _worded(
    case: EpisodeCase,
    view: View,
    agent: str,
    faults: list[str],
    open_faults: list[str],
    spoken: list[int],
    answers: bool,
) -> Finding:
    """Turn faults into credit and words."""
    seed = (case.task, agent, case.reward, view.answer)
    evidence = spoken if answers or view.good else [*spoken, len(case.messages) - 1]
    if open_faults:
        chosen = open_faults[:_PARTS]
        sentences = [pick(LESSONS[chosen[0]].seen, *seed)]
        sentences += [pick(LESSONS[fault].advice, fault, *seed) for fault in chosen]
        return Finding(-0.1 if view.good else round(-0.4 - 0.2 * len(chosen), 2), " ".join(sentences), evidence)
    if faults:
        return Finding(-0.2, " ".join([pick(LEFT_OVER, *seed), LESSONS[faults[0]].keep]), evidence)
    if view.good:
        praise = pick(PRAISE_ANSWER if answers else PRAISE_EVIDENCE, *seed)
        return Finding(0.8, f"{praise} {_kept(view, answers)}", evidence)
    if answers:
        return Finding(0.0, pick(NOT_TO_BLAME, *seed), evidence)
    return Finding(0.4 if view.brought else 0.0, f"{pick(PRAISE_EVIDENCE, *seed)} {_kept(view, answers)}", evidence)


def _kept(view: View, answers: bool) -> str:
    """What visibly worked."""
    if answers:
        return LESSONS["short"].keep if len(view.answer.split()) <= _LONG_ANSWER else ""
    return LESSONS["quote"].keep if view.heard.quotes else ""


def holds(text: str, answer: str) -> bool:
    """Whether ``text`` holds ``answer``, case, articles and punctuation aside."""
    wanted = normal(answer)
    return bool(wanted) and f" {wanted} " in f" {normal(text)} "


def normal(text: str) -> str:
    """``text`` as HotPotQA's scorer compares it: lower case, without articles and punctuation."""
    bare = "".join(ch for ch in text.lower() if ch not in string.punctuation)
    return " ".join(re.sub(r"\b(?:a|an|the)\b", " ", bare).split())
