"""One iteration as a flow of jobs: act → judge → gradient by episode, then aggregate → update by agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from langmarl.collector.learning import Learner, Notes
from langmarl.collector.outcome import (
    Episode,
    IterationOutcome,
    IterationPlan,
    PolicyUpdate,
    Progress,
)
from langmarl.collector.records import IterationRecords
from langmarl.collector.rollouts import EpisodePlayer
from langmarl.collector.schedule import Schedule, Urgency
from langmarl.errors import RunFailed
from langmarl.llm import RunCalls, call_scope
from langmarl.store import FailedEpisode
from langmarl.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Reversion:
    """The update rule's decision to go back instead of updating.

    Attributes:
        checkpoint: Where to.
        reason: Why, in one sentence.
    """

    checkpoint: int
    reason: str


UpdateRule = Callable[[list[float]], Reversion | None]
"""Given this iteration's rewards: None to update the policies, or where to go back to."""


@dataclass(frozen=True, slots=True)
class Listeners:
    """Who hears of an iteration while it runs; all are called in the collecting thread.

    Attributes:
        episode: A training episode was played (not: taken from disk).
        progress: Something was finished.
    """

    episode: Callable[[Trajectory], None]
    progress: Callable[[Progress], None]


class IterationCollector:
    """Collects one iteration. Everything but the jobs themselves runs in the calling thread.

    What is already on disk is taken from there; every result is on disk before the next job uses it.

    Args:
        plan: What to play and to learn from.
        policies: The text that each agent acts under.
        player: Plays episodes.
        learner: Critic and optimizer.
        records: The iteration's files.
        calls: What the run's model calls share.
        schedule: The budget of workers.
        update_rule: Asked once, when all episodes have ended.
        listeners: Told on the way.
    """

    def __init__(
        self,
        plan: IterationPlan,
        policies: Mapping[str, str],
        *,
        player: EpisodePlayer,
        learner: Learner,
        records: IterationRecords,
        calls: RunCalls,
        schedule: Schedule,
        update_rule: UpdateRule,
        listeners: Listeners,
    ) -> None:
        self._plan = plan
        self._policies = dict(policies)
        self._player = player
        self._learner = learner
        self._records = records
        self._calls = calls
        self._schedule = schedule
        self._update_rule = update_rule
        self._listeners = listeners
        self._episodes: dict[int, Episode] = {}
        self._evaluations: dict[int, Mapping[str, Any]] = {}
        self._notes = {subject: Notes(len(plan.mini_batch)) for subject in learner.subjects(self._policies)}
        self._updates: dict[str, PolicyUpdate] = {}
        self._reversion: Reversion | None = None

    def collect(self) -> IterationOutcome:
        """Run the iteration to its end.

        Raises:
            RunFailed: Fewer than half the episodes could be played.
            UserMistake: Something only the user can mend, such as a refused key.
            RunHalted: The run was asked to stop, or has reached a budget.
        """
        for number in range(len(self._plan.episodes)):
            self._start_episode(number)
        self._schedule.run(on_error=lambda error: self._calls.halt("stopped", f"the run is ending: {error}"))
        return IterationOutcome(
            episodes=[self._episodes[number] for number in sorted(self._episodes)],
            updates={agent: self._updates[agent] for agent in self._policies if agent in self._updates},
            unparsed_answers=sum(None in answer["per_agent"].values() for answer in self._evaluations.values()),
            unusable_notes=sum(notes.unusable for notes in self._notes.values()),
            reverted_to=self._reversion.checkpoint if self._reversion else None,
            revert_reason=self._reversion.reason if self._reversion else None,
        )

    # act

    def _start_episode(self, number: int) -> None:
        known = self._records.episode(number)
        if known is not None:
            self._episode_ended(number, known)
        else:
            self._schedule.add(Urgency.ROLLOUT, partial(self._play, number), partial(self._played, number))

    def _play(self, number: int) -> Episode:
        with self._scope(episode=number, role="actor"):
            return self._player.play(self._plan.episodes[number], self._policies)

    def _played(self, number: int, episode: Episode) -> None:
        self._records.save_episode(number, episode)
        if isinstance(episode, Trajectory):
            self._listeners.episode(episode)
        self._episode_ended(number, episode)

    def _episode_ended(self, number: int, episode: Episode) -> None:
        self._episodes[number] = episode
        if len(self._episodes) == len(self._plan.episodes):
            self._all_episodes_ended()
        if number in self._plan.mini_batch:
            if isinstance(episode, Trajectory):
                self._start_judging(number, episode)
            else:
                for subject in self._notes:
                    self._note_settled(subject)
        self._tell_progress()
        self._start_due_updates()

    def _all_episodes_ended(self) -> None:
        failures = [episode for episode in self._episodes.values() if isinstance(episode, FailedEpisode)]
        if 2 * (len(self._episodes) - len(failures)) < len(self._episodes):
            raise RunFailed(
                f"iteration {self._plan.iteration}: {len(failures)} of {len(self._episodes)} episodes failed, the last "
                f"with {failures[-1].kind}: {failures[-1].message}",
                "Mend the cause (see run.log) and run the same command again: what succeeded is kept, and only the "
                "failed episodes are played again.",
            )
        rewards = [episode.reward for episode in self._episodes.values() if isinstance(episode, Trajectory)]
        self._reversion = self._update_rule(rewards)

    # judge

    def _start_judging(self, number: int, trajectory: Trajectory) -> None:
        known = self._records.evaluation(number)
        if known is not None:
            self._judged(number, trajectory, known)
        else:
            done = partial(self._judgement_made, number, trajectory)
            self._schedule.add(Urgency.JUDGE, partial(self._judge, number, trajectory), done)

    def _judge(self, number: int, trajectory: Trajectory) -> dict[str, Any]:
        with self._scope(episode=number, role="critic"):
            return self._learner.judge(trajectory, self._policies)

    def _judgement_made(self, number: int, trajectory: Trajectory, evaluation: dict[str, Any]) -> None:
        self._records.save_evaluation(number, evaluation)
        self._judged(number, trajectory, evaluation)

    def _judged(self, number: int, trajectory: Trajectory, evaluation: Mapping[str, Any]) -> None:
        self._evaluations[number] = evaluation
        for subject in self._notes:
            assessment = self._learner.assessment_of(subject, evaluation)
            known = self._records.gradient(subject, number)
            if assessment is None:
                self._note_settled(subject)
            elif known is not None:
                self._note_settled(subject, known)
            else:
                self._schedule.add(
                    Urgency.GRADIENT,
                    partial(self._differentiate, number, subject, trajectory, assessment),
                    partial(self._note_written, subject, number),
                )
        self._tell_progress()
        self._start_due_updates()

    # gradient

    def _differentiate(self, number: int, subject: str, trajectory: Trajectory, assessment: Any) -> dict[str, Any]:
        with self._scope(episode=number, agent=self._learner.agent_of(subject), role="gradient"):
            return self._learner.differentiate(number, subject, trajectory, assessment, self._policies)

    def _note_written(self, subject: str, number: int, gradient: dict[str, Any]) -> None:
        self._records.save_gradient(subject, number, gradient)
        self._note_settled(subject, gradient)
        self._tell_progress()
        self._start_due_updates()

    def _note_settled(self, subject: str, gradient: Mapping[str, Any] | None = None) -> None:
        self._notes[subject].settle(gradient)

    # aggregate and update

    def _start_due_updates(self) -> None:
        """Aggregate for every subject whose notes are all there; waits for no other subject's."""
        if len(self._episodes) < len(self._plan.episodes) or self._reversion is not None:
            return
        for subject, notes in self._notes.items():
            if notes.complete and not notes.handed_over:
                notes.handed_over = True
                self._start_aggregation(subject, notes)

    def _start_aggregation(self, subject: str, notes: Notes) -> None:
        known = self._records.merged(subject)
        if known is not None:
            self._aggregated(subject, known)
        else:
            self._schedule.add(Urgency.UPDATE, partial(self._aggregate, subject, notes), partial(self._merged, subject))

    def _aggregate(self, subject: str, notes: Notes) -> dict[str, Any]:
        with self._scope(episode=None, agent=self._learner.agent_of(subject), role="aggregate"):
            return self._learner.aggregate(notes.in_episode_order())

    def _merged(self, subject: str, merged: dict[str, Any]) -> None:
        self._records.save_merged(subject, merged)
        self._aggregated(subject, merged)

    def _aggregated(self, subject: str, merged: Mapping[str, Any]) -> None:
        for agent in self._learner.agents_of(subject, self._policies):
            known = self._records.update(agent)
            if known is not None:
                self._updates[agent] = known
            else:
                self._schedule.add(Urgency.UPDATE, partial(self._rewrite, agent, merged), self._rewritten)

    def _rewrite(self, agent: str, merged: Mapping[str, Any]) -> PolicyUpdate:
        tasks = [episode.task for episode in self._plan.episodes]
        with self._scope(episode=None, agent=agent, role="update"):
            return self._learner.rewrite(agent, self._policies[agent], merged, tasks)

    def _rewritten(self, update: PolicyUpdate) -> None:
        self._records.save_update(update)
        self._updates[update.agent] = update
        self._tell_progress()

    # common

    def _scope(self, **place: Any) -> Any:
        return call_scope(calls=self._calls, phase="train", iteration=self._plan.iteration, **place)

    def _tell_progress(self) -> None:
        self._listeners.progress(
            Progress(
                phase="train",
                iteration=self._plan.iteration,
                episodes=len(self._episodes),
                episodes_total=len(self._plan.episodes),
                judged=len(self._evaluations),
                notes=sum(notes.usable for notes in self._notes.values()),
                updates=len(self._updates),
                updates_total=len(self._policies),
            )
        )
