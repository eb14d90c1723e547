from __future__ import annotations

import json

import numpy as np
import pytest

from langmarl.errors import UserMistake
from langmarl.store import FailedEpisode, LocalStore, RunDirectory, TrajectoryStore
from langmarl.trajectory import Step, Trajectory


def episode(reward: float) -> Trajectory:
    steps = [Step("agent_1", "Question: größer?", "yes\n"), Step("agent_2", "…", "no\ud83d")]
    return Trajectory({"id": "q1", "answer": "yes"}, steps, reward, {"em": 0.0, "seed": 7})


def test_an_episode_comes_back_as_it_was(store: LocalStore) -> None:
    TrajectoryStore(store, "some_run").save(2, 0, episode(0.5))
    assert TrajectoryStore(store, "some_run").load(2) == [episode(0.5)]
    path = store.base_dir / "some_run" / "trajectories" / "iter_0002" / "episode_0000.json"
    assert json.loads(path.read_text(encoding="utf-8"))["reward"] == 0.5


def test_episodes_are_loaded_in_order_up_to_the_limit(store: LocalStore) -> None:
    episodes = TrajectoryStore(store, "some_run")
    for number in (10, 2, 0):
        episodes.save(0, number, episode(number))
    assert [each.reward for each in episodes.load(0)] == [0, 2, 10]
    assert [each.reward for each in episodes.load(0, limit=2)] == [0, 2]
    assert episodes.load(0, limit=0) == []
    assert episodes.count(0) == 3
    assert episodes.episodes(0) == [0, 2, 10]


def test_an_iteration_without_episodes_is_empty(store: LocalStore) -> None:
    episodes = TrajectoryStore(store, "some_run")
    assert (episodes.load(4), episodes.count(4), episodes.get(4, 0)) == ([], 0, None)
    assert (episodes.failures(4), episodes.iterations()) == ({}, [])


def test_a_failed_episode_is_left_out_but_kept_in_sight(store: LocalStore) -> None:
    episodes = TrajectoryStore(store, "some_run")
    episodes.save_failure(0, 0, "ModelCallError", "no answer after 6 tries")
    episodes.save(0, 1, episode(1.0))
    assert episodes.load(0, limit=1) == [episode(1.0)]
    assert episodes.count(0) == 1
    assert episodes.failures(0) == {0: FailedEpisode("ModelCallError", "no answer after 6 tries")}
    assert episodes.get(0, 0) == FailedEpisode("ModelCallError", "no answer after 6 tries")
    assert episodes.get(0, 1) == episode(1.0)


def test_forgotten_failures_can_be_played_again(store: LocalStore) -> None:
    episodes = TrajectoryStore(store, "some_run")
    episodes.save_failure(0, 0, "timeout", "")
    episodes.save(0, 1, episode(1.0))
    episodes.forget_failures(0)
    assert episodes.get(0, 0) is None
    assert episodes.count(0) == 1


def test_held_out_episodes_lie_apart(run: RunDirectory, store: LocalStore) -> None:
    TrajectoryStore(store, run.run_id, "held_out").save(3, 0, episode(0.25))
    assert run.held_out.load(3) == [episode(0.25)]
    assert run.trajectories.iterations() == []
    assert (run.path / "held_out" / "iter_0003" / "episode_0000.json").is_file()


def test_episodes_may_have_names(store: LocalStore) -> None:
    TrajectoryStore(store, "some_run").save(0, "left/right", episode(0.5))
    assert TrajectoryStore(store, "some_run").get(0, "left/right") == episode(0.5)


def test_numbers_from_numpy_are_stored_as_numbers(store: LocalStore) -> None:
    played = episode(0.5)
    played.metadata = {"mean": np.float64(1.5), "flags": np.array([True, False])}
    TrajectoryStore(store, "some_run").save(0, 0, played)
    assert TrajectoryStore(store, "some_run").load(0)[0].metadata == {"mean": 1.5, "flags": [True, False]}


@pytest.mark.parametrize("content", ["{", '{"reward": 1}', '{"failed": 3}', '{"task": {}, "steps": [1], "reward": 0}'])
def test_a_damaged_episode_is_named(store: LocalStore, content: str) -> None:
    episodes = TrajectoryStore(store, "some_run")
    episodes.save(0, 7, episode(0.5))
    path = store.base_dir / "some_run" / "trajectories" / "iter_0000" / "episode_0007.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UserMistake, match=r"episode_0007\.json is damaged"):
        episodes.load(0)
