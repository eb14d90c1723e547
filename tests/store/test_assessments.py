from __future__ import annotations

import pytest

from langmarl.errors import UserMistake
from langmarl.store import TEAM, EvaluationStore, GradientStore, LocalStore, RunDirectory, TaskStore


def test_evaluations_come_back_by_episode(store: LocalStore) -> None:
    evaluations = EvaluationStore(store, "some_run")
    answer = {"raw_response": '{"credit": größer', "per_agent": {"agent_1": {"credit": -0.4}}}
    evaluations.save(1, 10, answer)
    evaluations.save(1, 2, {})
    assert evaluations.get(1, 10) == answer
    assert evaluations.get(1, 0) is None
    assert list(evaluations.load(1)) == [2, 10]
    assert evaluations.iterations() == [1]
    assert (store.base_dir / "some_run" / "evaluations" / "iter_0001" / "episode_0010.json").is_file()


def test_gradients_are_kept_by_agent(run: RunDirectory, store: LocalStore) -> None:
    gradients = GradientStore(store, run.run_id)
    gradients.save(3, "agent_1", 0, {"note": "cite the passage"})
    gradients.save(3, "a/b", 1, {"note": "x"})
    gradients.save_merged(3, TEAM, {"note": "merged"})
    gradients.save_update(3, "agent_1", {"policy": "new", "reason": None})
    assert run.gradients.load(3, "agent_1") == {0: {"note": "cite the passage"}}
    assert run.gradients.get(3, "a/b", 1) == {"note": "x"}
    assert run.gradients.get_merged(3, TEAM) == {"note": "merged"}
    assert run.gradients.get_update(3, "agent_1") == {"policy": "new", "reason": None}
    assert run.gradients.agents(3) == ["a/b", "agent_1", TEAM]
    assert run.gradients.iterations() == [3]
    assert (run.path / "gradients" / "iter_0003" / "agent_1" / "update.json").is_file()


def test_what_is_not_there_yet_is_none(run: RunDirectory) -> None:
    assert run.gradients.get(0, "agent_1", 0) is None
    assert run.gradients.get_merged(0, "agent_1") is None
    assert run.gradients.get_update(0, "agent_1") is None
    assert run.gradients.load(0, "agent_1") == {}
    assert run.gradients.agents(0) == []


def test_tasks_come_back_in_order(run: RunDirectory) -> None:
    tasks = [{"id": "b"}, {"id": "a", "context": [["Title", ["One.", "Two."]]]}]
    assert run.tasks.get(3) is None
    run.tasks.save(3, tasks)
    assert TaskStore(run.path / "tasks").get(3) == tasks
    assert (run.path / "tasks" / "iter_0003.json").is_file()


def test_held_out_tasks_are_kept_once(run: RunDirectory) -> None:
    assert run.tasks.get_held_out() is None
    run.tasks.save_held_out([{"id": "h"}])
    assert run.tasks.get_held_out() == [{"id": "h"}]


def test_damaged_tasks_are_named(run: RunDirectory) -> None:
    run.tasks.save(0, [])
    (run.path / "tasks" / "iter_0000.json").write_text('{"tasks": [1]}', encoding="utf-8")
    with pytest.raises(UserMistake, match=r"iter_0000\.json is damaged"):
        run.tasks.get(0)
