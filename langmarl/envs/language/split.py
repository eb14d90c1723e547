"""Which tasks train, and which are held out."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from langmarl.envs.language.formats import Task


@dataclass(frozen=True, slots=True)
class Split:
    """Two parts without a task in common.

    Attributes:
        train: Drawn from for training; never empty.
        held_out: For evaluation, in a fixed order of which a prefix is used; empty where the share is 1.
    """

    train: list[Task]
    held_out: list[Task]


def split_tasks(tasks: list[Task], train_share: float, seed: int) -> Split:
    """Part tasks by a seeded hash of their ids.

    The order of the file has no say in it, and a larger share only moves tasks over to training.

    Args:
        tasks: With distinct ids, at least one.
        train_share: 0 < share ≤ 1; below 1 each side gets at least one task, if there are two.
        seed: Another seed, another split.
    """
    ordered = sorted(tasks, key=lambda task: hashlib.sha256(f"{seed}:{task['id']}".encode()).digest())
    count = round(train_share * len(ordered))
    if train_share < 1:
        count = min(count, len(ordered) - 1)
    count = max(count, 1)
    return Split(ordered[:count], ordered[count:])
