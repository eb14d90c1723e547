import random

import pytest

from langmarl.envs.language.split import split_tasks

TASKS = [{"id": str(number)} for number in range(50)]


def ids(tasks):
    return [task["id"] for task in tasks]


def test_parts_are_disjoint_and_whole():
    split = split_tasks(TASKS, 0.8, seed=3)
    assert (len(split.train), len(split.held_out)) == (40, 10)
    assert sorted(ids(split.train + split.held_out)) == sorted(ids(TASKS))


def test_order_of_the_file_has_no_say():
    shuffled = random.Random(1).sample(TASKS, len(TASKS))
    assert split_tasks(shuffled, 0.8, seed=3) == split_tasks(TASKS, 0.8, seed=3)


def test_another_seed_is_another_split():
    assert set(ids(split_tasks(TASKS, 0.8, 3).held_out)) != set(ids(split_tasks(TASKS, 0.8, 4).held_out))


def test_larger_share_only_moves_tasks_to_training():
    small, large = split_tasks(TASKS, 0.5, 3), split_tasks(TASKS, 0.7, 3)
    assert set(ids(small.train)) < set(ids(large.train))


def test_a_new_task_leaves_the_order_of_the_others():
    before, after = split_tasks(TASKS, 0.8, 3), split_tasks([*TASKS, {"id": "new"}], 0.8, 3)
    assert [one for one in ids(after.train + after.held_out) if one != "new"] == ids(before.train + before.held_out)


@pytest.mark.parametrize(
    ("count", "share", "train", "held_out"),
    [(50, 1.0, 50, 0), (50, 0.999, 49, 1), (50, 0.001, 1, 49), (2, 0.9, 1, 1), (1, 0.5, 1, 0), (1, 1.0, 1, 0)],
)
def test_each_side_gets_at_least_one_where_it_can(count, share, train, held_out):
    split = split_tasks(TASKS[:count], share, 3)
    assert (len(split.train), len(split.held_out)) == (train, held_out)
