"""Playing episodes: an environment for each, and every way of failing turned into a value."""

from __future__ import annotations

import copy
import json
import math
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from langmarl.collector.outcome import Episode, PlannedEpisode
from langmarl.envs import BaseEnvironment, BaseReward
from langmarl.errors import RunFailed, UserMistake
from langmarl.store import FailedEpisode
from langmarl.trajectory import Trajectory


class EnvironmentPool:
    """Lends every concurrent rollout an environment of its own, so that none is stepped by two threads.

    Args:
        env: Its clones are lent out, made when needed; itself stays free to draw tasks, so that no rollout disturbs
            the draws. Where it cannot be cloned, rollouts take turns on it.
        warn: Told once, in words, where cloning failed.
    """

    def __init__(self, env: BaseEnvironment, warn: Callable[[str], None]) -> None:
        self._original = env
        self._idle: list[BaseEnvironment] = []
        self._clones: list[BaseEnvironment] = []
        self._can_clone = True
        self._warn = warn
        self._changed = threading.Condition()

    @contextmanager
    def lease(self) -> Iterator[BaseEnvironment]:
        """An environment that nobody else uses until the block ends."""
        env = self._take()
        try:
            yield env
        finally:
            with self._changed:
                self._idle.append(env)
                self._changed.notify()

    def close(self) -> None:
        """Close the clones; the original belongs to whoever made it."""
        for clone in self._clones:
            clone.close()

    def _take(self) -> BaseEnvironment:
        with self._changed:
            if not self._idle and self._can_clone:
                try:
                    self._clones.append(self._original.clone())
                    return self._clones[-1]
                except Exception as error:  # a plugin's constructor or state may not allow it
                    self._can_clone = False
                    if not self._clones:
                        self._idle.append(self._original)
                    self._warn(f"{type(self._original).__name__} cannot be cloned ({error}); episodes take turns")
            self._changed.wait_for(lambda: bool(self._idle))
            return self._idle.pop()


class EpisodePlayer:
    """Plays one episode and says how it ended. Safe to call from several threads at once.

    Args:
        pool: Where environments come from.
        reward_fn: Replaces the environment's reward; None keeps it.
        log_failure: Told of each failed episode; the exception comes with its traceback.
    """

    def __init__(
        self, pool: EnvironmentPool, reward_fn: BaseReward | None, log_failure: Callable[[Exception], None]
    ) -> None:
        self._pool = pool
        self._reward_fn = reward_fn
        self._log_failure = log_failure

    def play(self, episode: PlannedEpisode, policies: Mapping[str, str]) -> Episode:
        """The trajectory, or why there is none.

        Raises:
            UserMistake: What only the user can mend (a refused key, no sandbox): it would fail every episode.
            RunFailed: The run's files cannot be written.
            RunHalted: The run was asked to stop, or has reached a budget.
        """
        try:
            with self._pool.lease() as env:
                env.seed(episode.seed)
                # The environment may write into the task; the plan must stay as it was written down.
                trajectory = env.collect_trajectory(dict(policies), copy.deepcopy(episode.task))
            if self._reward_fn is not None:
                _replace_reward(trajectory, self._reward_fn)
            return _checked(trajectory)
        except (UserMistake, RunFailed):
            raise
        except Exception as error:  # one episode's fault, whatever it is, costs that episode only
            self._log_failure(error)
            return FailedEpisode(type(error).__name__, str(error))


def _replace_reward(trajectory: Trajectory, reward_fn: BaseReward) -> None:
    """Score anew; the metadata say by what rule, and what the environment's own score was."""
    replaced = trajectory.reward
    trajectory.reward = float(reward_fn.compute(trajectory))
    trajectory.metadata.update(reward_rule=reward_fn.rule, environment_reward=replaced)


def _checked(trajectory: Trajectory) -> Trajectory:
    """The trajectory, if it can be used and stored."""
    if not isinstance(trajectory, Trajectory):
        raise TypeError(f"collect_trajectory returned {type(trajectory).__name__}, not a Trajectory")
    if not math.isfinite(trajectory.reward):
        raise ValueError(f"the reward is {trajectory.reward}; it must be a finite number")
    json.dumps(trajectory.to_dict())  # raises TypeError, naming what is no plain JSON value
    return trajectory
