"""The critic's part in coding: who lost the tests, and what each agent should do.

The critic reads the answer without running it: can it be read as code, has the function the right name, does it give
its result back? Then it asks which known piece of code it is, whether that piece does what the examples show, and which
special inputs its author had in mind.
"""

from __future__ import annotations

from dataclasses import dataclass

from langmarl.llm.offline.choice import pick
from langmarl.llm.offline.tasks.coding.actor import cases_in
from langmarl.llm.offline.tasks.coding.code_reading import Written, normal_body, read_code, recognise
from langmarl.llm.offline.tasks.coding.lessons import WORDS
from langmarl.llm.offline.tasks.coding.request import Request, read_request
from langmarl.llm.offline.tasks.coding.snippet import FORESIGHT, Foresight, satisfies
from langmarl.llm.offline.tasks.skill import EpisodeCase, Finding

_WON = 0.99
_FORM = ("fence", "signature", "returns")


@dataclass(slots=True)
class _Loss:
    """Why the tests failed.

    Attributes:
        fault: A matter of form (``fence``, ``signature``, ``returns``), ``examples`` where the function does something
            else than described, ``edge_cases`` where it forgets a special input.
        forgotten: The special inputs it forgets, where known.
    """

    fault: str
    forgotten: tuple[str, ...] = ()


def diagnose(case: EpisodeCase) -> dict[str, Finding]:
    """One finding for every agent in ``case.policies``."""
    agents = list(case.policies)
    if not agents:
        return {}
    texts = {agent: _text(case, agent) for agent in agents}
    answer = read_code(texts[agents[-1]])
    if case.reward >= _WON:
        return {agent: _won(case, agent, texts[agent], answer, last=agent == agents[-1]) for agent in agents}
    loss = _loss(case, read_request(case.task), answer)
    notes = "\n".join(texts[agent] for agent in agents[:-1])
    findings = {agent: _helper(case, agent, texts[agent], loss) for agent in agents[:-1]}
    findings[agents[-1]] = _answerer(case, agents[-1], notes, loss, alone=len(agents) == 1)
    return findings


def _text(case: EpisodeCase, agent: str) -> str:
    return "\n".join(message.text for message in case.messages if message.agent == agent)


def _steps(case: EpisodeCase, *agents: str) -> list[int]:
    return [place for place, message in enumerate(case.messages) if message.agent in agents]


def _loss(case: EpisodeCase, request: Request | None, answer: Written) -> _Loss:
    if not answer.parses:
        return _Loss("fence")
    if request is None:
        return _Loss("examples")
    if answer.names and request.name not in answer.names:
        return _Loss("signature")
    if answer.prints:
        return _Loss("returns")
    known = recognise(request, answer.body)
    if known is None:
        return _Loss(pick(("examples", "edge_cases"), case.task) if request.examples else "edge_cases")
    if request.examples and not satisfies(known.snippet, request.returns, Foresight(), request.examples):
        return _Loss("examples")
    forgotten = tuple(
        name
        for name in FORESIGHT
        if not getattr(known.foresight, name)
        and normal_body(request, known.snippet, _with(known.foresight, name)) != answer.body
    )
    return _Loss("edge_cases", forgotten) if forgotten else _Loss("examples")


def _with(foresight: Foresight, name: str) -> Foresight:
    return Foresight(**{kind: kind == name or getattr(foresight, kind) for kind in FORESIGHT})


def _won(case: EpisodeCase, agent: str, text: str, answer: Written, *, last: bool) -> Finding:
    seed, steps = (case.task, agent), _steps(case, agent)
    if last:
        if not answer.fenced:
            return Finding(0.3, WORDS.suggestion("fence", *seed), steps)
        kept = [
            pick(_FORM, "kept", *seed),
            *(["teammate"] if len(case.policies) > 1 and _has_cases(case, agent) else []),
        ]
        return Finding(0.5, WORDS.praise(list(dict.fromkeys(["fence", *kept]))[-2:], *seed), steps)
    if any(cases_in(text).values()):
        return Finding(0.5, WORDS.praise(["edge_cases"], *seed), steps)
    return Finding(0.0, WORDS.suggestion("edge_cases", *seed), steps)


def _has_cases(case: EpisodeCase, writer: str) -> bool:
    return any(any(cases_in(message.text).values()) for message in case.messages if message.agent != writer)


def _helper(case: EpisodeCase, agent: str, text: str, loss: _Loss) -> Finding:
    """The part of an agent that does not write the answer."""
    seed, steps = (case.task, agent), _steps(case, agent)
    listed = cases_in(text)
    if loss.fault == "edge_cases":
        if loss.forgotten and all(listed[name] for name in loss.forgotten):
            return Finding(0.4, WORDS.praise(["edge_cases"], *seed), steps)
        missed = next((name for name in loss.forgotten if not listed[name]), "edge_cases")
        return Finding(-0.6, WORDS.criticism(missed if any(listed.values()) else "edge_cases", *seed), steps)
    if loss.fault == "examples" and "Examples:" not in text:
        return Finding(-0.3, WORDS.criticism("examples", *seed), steps)
    if any(listed.values()):
        return Finding(0.2, WORDS.exoneration(*seed), steps)
    return Finding(-0.1, f"{WORDS.exoneration(*seed)} {WORDS.advice('edge_cases', *seed)}", steps)


def _answerer(case: EpisodeCase, agent: str, notes: str, loss: _Loss, *, alone: bool) -> Finding:
    """The part of the agent that writes the answer."""
    seed, steps = (case.task, agent), _steps(case, agent)
    if loss.fault != "edge_cases":
        return Finding(-0.8, WORDS.criticism(loss.fault, *seed), steps)
    if alone:
        return Finding(-0.8, WORDS.criticism(next(iter(loss.forgotten), "edge_cases"), *seed), steps)
    listed = cases_in(notes)
    if any(listed[name] for name in loss.forgotten):
        return Finding(-0.8, WORDS.criticism("teammate", *seed), _steps(case, *case.policies))
    return Finding(-0.1, WORDS.exoneration(*seed), steps)
