"""Held-out evaluation of a checkpoint: rollouts only, kept apart from training."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from langmarl.collector.outcome import Episode, PlannedEpisode, Progress
from langmarl.collector.records import save_episode
from langmarl.collector.rollouts import EpisodePlayer
from langmarl.collector.schedule import Schedule, Urgency
from langmarl.llm import RunCalls, call_scope
from langmarl.store import TrajectoryStore


def evaluate_checkpoint(
    checkpoint: int,
    episodes: Sequence[PlannedEpisode],
    policies: Mapping[str, str],
    *,
    player: EpisodePlayer,
    store: TrajectoryStore,
    calls: RunCalls,
    schedule: Schedule,
    on_progress: Callable[[Progress], None],
) -> list[Episode]:
    """Play every held-out episode under ``policies``; those already on disk are taken from there.

    Returns:
        The episodes in order, failures included.
    """
    ended: dict[int, Episode] = {}

    def play(number: int) -> Episode:
        with call_scope(calls=calls, phase="eval", iteration=checkpoint, episode=number, role="actor"):
            return player.play(episodes[number], policies)

    def finish(number: int, episode: Episode) -> None:
        ended[number] = episode
        on_progress(Progress("eval", checkpoint, len(ended), len(episodes)))

    def keep(number: int, episode: Episode) -> None:
        save_episode(store, checkpoint, number, episode)
        finish(number, episode)

    for number in range(len(episodes)):
        known = store.get(checkpoint, number)
        if known is not None:
            finish(number, known)
        else:
            schedule.add(Urgency.ROLLOUT, partial(play, number), partial(keep, number))
    schedule.run(on_error=lambda error: calls.halt("stopped", f"the run is ending: {error}"))
    return [ended[number] for number in range(len(episodes))]
