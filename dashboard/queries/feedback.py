"""What the Feedback page shows, from the files of one iteration of one run."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dashboard.queries.reading import RememberedFiles, number, text_or_none, whole_number
from langmarl.errors import LangMARLError
from langmarl.store import CallRecord, FailedEpisode, RunDirectory
from langmarl.store.layout import TEAM, episodes_in, in_natural_order, iteration_name
from langmarl.trajectory import Step, Trajectory

Episode = int | str

_QUESTIONS = ("question", "problem", "prompt", "instruction", "task")
_REFERENCES = ("answer", "reference", "canonical_solution", "tests", "requirements")


class Standing(enum.Enum):
    """Why an agent has, or has no, credit for an episode."""

    CREDITED = "credited"
    UNPARSED = "the critic's answer could not be used"
    UNJUDGED = "the critic has not judged this episode"
    FAILED = "the episode failed"
    UNREADABLE = "a file is damaged"


@dataclass(frozen=True, slots=True)
class EpisodeSummary:
    """One column of the heat map.

    Attributes:
        episode: Its number, or name.
        reward: None where it failed or cannot be read.
        credits: Agent → credit in [−1, 1]; agents without one are absent.
        failed: Whether it came to nothing.
        judged: Whether the critic's answer is there.
        problem: What did not work, in one sentence; None where all did.
        damaged: Whether one of its files cannot be read.
    """

    episode: Episode
    reward: float | None
    credits: dict[str, float]
    failed: bool = False
    judged: bool = False
    problem: str | None = None
    damaged: bool = False

    def standing(self, agent: str) -> Standing:
        """Why ``agent`` has a credit here, or why not."""
        if agent in self.credits:
            return Standing.CREDITED
        if self.damaged:
            return Standing.UNREADABLE
        if self.failed:
            return Standing.FAILED
        return Standing.UNPARSED if self.judged else Standing.UNJUDGED


@dataclass(frozen=True, slots=True)
class IterationOverview:
    """One iteration at a glance.

    Attributes:
        iteration: Which one.
        agents: In natural order.
        episodes: In order.
        team: Whether one assessment stands for all agents (``central_global``).
    """

    iteration: int
    agents: list[str]
    episodes: list[EpisodeSummary]
    team: bool


@dataclass(frozen=True, slots=True)
class Filter:
    """Which episodes a person wants to see; a field that is None or empty lets all through.

    Attributes:
        least_reward: Reward at least.
        most_reward: Reward at most.
        agents: Whose words count, and who must have a credit where ``problems_only`` is set.
        words: All of these words occur in the task, in what those agents said, or in what the critic said of them.
        problems_only: Only where something failed or could not be used.
    """

    least_reward: float | None = None
    most_reward: float | None = None
    agents: Sequence[str] = ()
    words: str = ""
    problems_only: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the critic said of one agent.

    Attributes:
        credit: In [−1, 1].
        feedback: Its words.
        evidence: Numbers of the steps it rests on.
    """

    credit: float
    feedback: str
    evidence: list[int]


@dataclass(frozen=True, slots=True)
class EpisodeDetail:
    """One episode with the critic's answer on it.

    Attributes:
        episode: Its number, or name.
        question: What the task asks, or None where no field is known to hold it.
        reference: The right answer as the task holds it; None likewise.
        task: All of the task, as JSON text.
        steps: Every move.
        reward: None where there is none.
        outcome: What the environment reports besides: name → value as text.
        failure: What happened, where the episode failed.
        judgements: Agent → what the critic said; None where that could not be used. Empty where it has not judged.
        raw_response: The critic's reply as it came; None where it has not judged.
        critic_problem: Why its answer could not be used; None where it could.
        team: Whether one assessment stands for all agents (``central_global``).
        problems: Files that cannot be read, one sentence each.
    """

    episode: Episode
    question: str | None = None
    reference: str | None = None
    task: str = "{}"
    steps: list[Step] = field(default_factory=list)
    reward: float | None = None
    outcome: dict[str, str] = field(default_factory=dict)
    failure: str | None = None
    judgements: dict[str, Judgement | None] = field(default_factory=dict)
    raw_response: str | None = None
    critic_problem: str | None = None
    team: bool = False
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was made of the critic's words for one agent.

    Attributes:
        subject: Whom the notes are about: the agent, or ``team``.
        note: The gradient of this episode; None where there is none.
        note_problem: Why not.
        merged: The merged gradient of the iteration; None where there is none.
        merged_from: The episodes that it rests on.
        merged_problem: Why not.
        accepted: Whether the policy was updated; None where that is not known yet.
        reason: Why it was refused; None where it was not.
        problems: Files that cannot be read, one sentence each.
    """

    subject: str
    note: str | None
    note_problem: str | None
    merged: str | None
    merged_from: list[str]
    merged_problem: str | None
    accepted: bool | None
    reason: str | None
    problems: list[str]


@dataclass(frozen=True, slots=True)
class Calls:
    """Model calls, in the order they finished.

    Attributes:
        records: The calls.
        problem: Why the journal cannot be read; None where it can.
    """

    records: list[CallRecord]
    problem: str | None = None


_overviews: RememberedFiles[IterationOverview] = RememberedFiles(size=16)


def played_iterations(run: RunDirectory) -> list[int]:
    """The iterations that have episodes or evaluations, ascending."""
    return sorted({*run.trajectories.iterations(), *run.evaluations.iterations()})


def read_overview(run: RunDirectory, iteration: int) -> IterationOverview:
    """One iteration at a glance; files that cannot be read are told in their episode. Reads no other iteration."""
    name = iteration_name(iteration)
    folders = (run.layout.trajectories / name, run.layout.evaluations / name)
    return _overviews.read(folders[0], lambda _: _read_overview(run, iteration), folders[1])


def matching(run: RunDirectory, overview: IterationOverview, wanted: Filter) -> list[EpisodeSummary]:
    """The episodes that pass ``wanted``; texts are read only where words are asked for."""
    agents = list(wanted.agents) or overview.agents
    words = wanted.words.casefold().split()
    found = []
    for episode in overview.episodes:
        if not _in_range(episode.reward, wanted):
            continue
        if wanted.problems_only and all(episode.standing(agent) is Standing.CREDITED for agent in agents):
            continue
        if words and not _says(read_episode(run, overview.iteration, episode.episode), agents, words):
            continue
        found.append(episode)
    return found


def read_episode(run: RunDirectory, iteration: int, episode: Episode) -> EpisodeDetail:
    """One episode with the critic's answer; what cannot be read is left out and told as a problem."""
    problems: list[str] = []
    ended = _tried(lambda: run.trajectories.get(iteration, episode), problems)
    evaluation = _tried(lambda: run.evaluations.get(iteration, episode), problems)
    if isinstance(ended, Trajectory):
        played = {**_task_fields(ended.task), **_played_fields(ended)}
    else:
        played = _task_fields(_planned_task(run, iteration, episode))
    agents = [step.agent_id for step in played.get("steps", [])]
    judged = {} if evaluation is None else _judged_fields(evaluation, agents)
    failure = f"{ended.kind}: {ended.message}" if isinstance(ended, FailedEpisode) else None
    return EpisodeDetail(episode, **played, **judged, failure=failure, problems=problems)


def read_lesson(run: RunDirectory, iteration: int, episode: Episode, agent: str) -> Lesson:
    """What was made of the critic's words: note, merged note, update."""
    problems: list[str] = []
    shared = _tried(lambda: run.gradients.agents(iteration), problems) or []
    subject = TEAM if TEAM in shared and agent != TEAM else agent
    note = _tried(lambda: run.gradients.get(iteration, subject, episode), problems) or {}
    merged = _tried(lambda: run.gradients.get_merged(iteration, subject), problems) or {}
    update = _tried(lambda: run.gradients.get_update(iteration, agent), problems) or {}
    listed = merged.get("episodes")
    accepted = update.get("accepted")
    return Lesson(
        subject=subject,
        note=text_or_none(note.get("note")),
        note_problem=text_or_none(note.get("problem")),
        merged=text_or_none(merged.get("note")),
        merged_from=[str(each) for each in listed] if isinstance(listed, list) else [],
        merged_problem=text_or_none(merged.get("problem")),
        accepted=accepted if isinstance(accepted, bool) else None,
        reason=text_or_none(update.get("reason")),
        problems=problems,
    )


def read_calls(run: RunDirectory, iteration: int, episode: Episode, agent: str) -> Calls:
    """The training calls of one episode, and those that merged notes and wrote the policy of ``agent``."""
    try:
        records = run.journal.read(iteration)
    except (LangMARLError, OSError) as error:
        return Calls([], str(error))
    wanted = []
    for record in records:
        key = record.key
        of_iteration = key.episode is None and key.agent in (None, agent, TEAM)
        if key.phase == "train" and (key.episode == episode or of_iteration):
            wanted.append(record)
    return Calls(wanted)


def _read_overview(run: RunDirectory, iteration: int) -> IterationOverview:
    name = iteration_name(iteration)
    listed = [*episodes_in(run.layout.trajectories / name), *episodes_in(run.layout.evaluations / name)]
    episodes = sorted(dict.fromkeys(listed), key=lambda each: (isinstance(each, str), each))
    agents: dict[str, None] = {}
    team = False
    summaries = []
    for episode in episodes:
        detail = read_episode(run, iteration, episode)
        agents.update(dict.fromkeys([*(step.agent_id for step in detail.steps), *detail.judgements]))
        summaries.append(_summary(detail))
        team = team or detail.team
    return IterationOverview(iteration, in_natural_order(agents), summaries, team)


def _summary(detail: EpisodeDetail) -> EpisodeSummary:
    credits = {agent: said.credit for agent, said in detail.judgements.items() if said is not None}
    problem = next(iter(detail.problems), None) or detail.failure or detail.critic_problem
    return EpisodeSummary(
        episode=detail.episode,
        reward=detail.reward,
        credits=credits,
        failed=detail.failure is not None,
        judged=detail.raw_response is not None,
        problem=problem[:300] if problem else None,
        damaged=bool(detail.problems),
    )


def _planned_task(run: RunDirectory, iteration: int, episode: Episode) -> dict[str, Any]:
    """The task of an episode that left none behind, as it was drawn; empty where it is not known."""
    tasks = _tried(lambda: run.tasks.get(iteration), []) or []
    return tasks[episode] if isinstance(episode, int) and 0 <= episode < len(tasks) else {}


def _task_fields(task: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "question": next((str(task[name]) for name in _QUESTIONS if task.get(name)), None),
        "reference": _reference(task),
        "task": json.dumps(task, ensure_ascii=False, indent=2),
    }


def _played_fields(trajectory: Trajectory) -> dict[str, Any]:
    return {
        "steps": [Step(str(each.agent_id), str(each.observation), str(each.action)) for each in trajectory.steps],
        "reward": number(trajectory.reward),
        "outcome": {str(name): _short(value) for name, value in trajectory.metadata.items()},
    }


def _reference(task: Mapping[str, Any]) -> str | None:
    parts = []
    for name in _REFERENCES:
        value = task.get(name)
        if isinstance(value, list):
            parts.append("\n".join(f"- {item}" for item in value))
        elif value not in (None, ""):
            parts.append(str(value))
    return "\n\n".join(parts) or None


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 500 else text[:499] + "…"


def _judged_fields(evaluation: Mapping[str, Any], agents: Iterable[str]) -> dict[str, Any]:
    per_agent = evaluation.get("per_agent")
    # Where the answer cannot be used at all, every agent of the episode is without a judgement.
    found = per_agent if isinstance(per_agent, Mapping) else dict.fromkeys(agents)
    return {
        "judgements": {str(agent): _judgement(said) for agent, said in found.items()},
        "raw_response": str(evaluation.get("raw_response") or ""),
        "critic_problem": text_or_none(evaluation.get("problem")),
        "team": evaluation.get("paradigm") == "central_global",
    }


def _judgement(said: Any) -> Judgement | None:
    if not isinstance(said, Mapping):
        return None
    credit = number(said.get("credit"))
    if credit is None:
        return None
    listed = said.get("evidence")
    evidence = [step for each in listed if (step := whole_number(each)) is not None] if isinstance(listed, list) else []
    return Judgement(max(-1.0, min(1.0, credit)), str(said.get("feedback") or ""), evidence)


def _tried(read: Any, problems: list[str]) -> Any:
    """What ``read`` gives; None, and one more problem, where the file is damaged."""
    try:
        return read()
    except (LangMARLError, OSError) as error:
        problems.append(str(error))
        return None


def _in_range(reward: float | None, wanted: Filter) -> bool:
    if wanted.least_reward is None and wanted.most_reward is None:
        return True
    if reward is None:
        return False
    above = wanted.least_reward is None or reward >= wanted.least_reward
    return above and (wanted.most_reward is None or reward <= wanted.most_reward)


def _says(detail: EpisodeDetail, agents: Sequence[str], words: Sequence[str]) -> bool:
    said = [detail.question or "", *(step.action for step in detail.steps if step.agent_id in agents)]
    said += [judgement.feedback for agent in agents if (judgement := detail.judgements.get(agent)) is not None]
    text = "\n".join(said).casefold()
    return all(word in text for word in words)
