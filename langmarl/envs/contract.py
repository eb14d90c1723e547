"""The contract suite: what every environment has to keep, as checks that any author can run.

``check_environment(make)`` needs no test framework. It plays a few episodes, so ``make`` should configure a model that
needs no network, such as the preset ``offline``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from langmarl.envs.base import BaseEnvironment
from langmarl.errors import LangMARLError
from langmarl.trajectory import Trajectory

Make = Callable[[], BaseEnvironment]

SEED = 20_260_401
FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class BrokenContractError(LangMARLError, AssertionError):
    """An environment that does not keep the contract; ``violations`` lists every way in which it does not."""

    def __init__(self, environment: str, violations: list[str]) -> None:
        self.violations = tuple(violations)
        listing = "\n".join(f"  - {violation}" for violation in violations)
        super().__init__(f"{environment} does not keep the environment contract:\n{listing}")


@dataclass(frozen=True, slots=True)
class ContractReport:
    """What the suite found in an environment that keeps the contract.

    Attributes:
        checks: Names of the checks that ran.
        warnings: What is allowed, but costs something.
    """

    checks: tuple[str, ...]
    warnings: tuple[str, ...]


def check_environment(make: Make) -> ContractReport:
    """Run the whole suite.

    Args:
        make: Builds a fresh environment at every call, always from the same config.

    Raises:
        BrokenContractError: With everything that is wrong, not only the first.
    """
    violations = [violation for check in CHECKS for violation in _findings(check, make)]
    warnings = [warning for check in WARNINGS for warning in _findings(check, make)]
    if violations:
        raise BrokenContractError(_name(make), violations)
    return ContractReport(tuple(check.__name__ for check in (*CHECKS, *WARNINGS)), tuple(warnings))


# ---- the checks; each yields what is wrong


def check_agents(make: Make) -> Iterator[str]:
    """Agents have distinct names that can name files, and each has a base policy."""
    env = _built(make)
    names = env.agent_ids
    if not names or not all(isinstance(name, str) for name in names):
        yield f"agent_ids must be a list of at least one name, is {names!r}"
        return
    if len(set(names)) != len(names):
        yield f"agent_ids must be distinct, are {names!r}"
    yield from (f"agent name {name!r} cannot name a file" for name in names if not FILE_NAME.fullmatch(name))
    policies = env.base_policies()
    if set(policies) != set(names):
        yield f"base_policies() must have exactly the agents {sorted(names)}, has {sorted(policies)}"
    empty = [name for name, text in policies.items() if not isinstance(text, str) or not text.strip()]
    yield from (f"base_policies()[{name!r}] must be a text that is not empty" for name in empty)


def check_training_tasks(make: Make) -> Iterator[str]:
    """``sample_tasks(n)`` gives exactly n plain JSON dicts that belong to the caller."""
    env = _built(make)
    for n in (1, 3):
        tasks = env.sample_tasks(n)
        if len(tasks) != n:
            yield f"sample_tasks({n}) must give {n} tasks, gave {len(tasks)}"
        kinds = {type(task).__name__ for task in tasks if not isinstance(task, dict)}
        yield from (f"a task must be a dict, is a {kind}" for kind in sorted(kinds))
        yield from (f"a task must hold plain JSON values only: {why}" for task in tasks if (why := _not_json(task)))


def check_held_out_tasks(make: Make) -> Iterator[str]:
    """``held_out_tasks`` is the same at every call, and shares nothing with training."""
    env, other = _built(make), _built(make)
    held_out = env.held_out_tasks(4)
    if len(held_out) > 4:
        yield f"held_out_tasks(4) must give at most 4 tasks, gave {len(held_out)}"
    env.sample_tasks(2)
    if _json(env.held_out_tasks(4)) != _json(held_out) or _json(other.held_out_tasks(4)) != _json(held_out):
        yield "held_out_tasks(n) must give the same tasks at every call and from every object"
    if _json(env.held_out_tasks(2)) != _json(held_out[:2]):
        yield "held_out_tasks(n) must give the first n of one fixed list"
    training = {_json(task) for task in env.sample_tasks(20)} if held_out else set()
    if any(_json(task) in training for task in held_out):
        yield "a held-out task was drawn for training"


def check_task_text(make: Make) -> Iterator[str]:
    """A task can be rendered, and its reference is a text or None."""
    env = _built(make)
    task = env.sample_tasks(1)[0]
    text: object = env.render_task(task)  # a plugin's types are a promise that nobody has checked
    reference: object = env.reference(task)
    if not isinstance(text, str) or not text.strip():
        yield "render_task(task) must be a text that is not empty"
    if reference is not None and not isinstance(reference, str):
        yield f"reference(task) must be a text or None, is a {type(reference).__name__}"


def check_episode(make: Make) -> Iterator[str]:
    """An episode is played under the policies given, and comes back whole, plain and finite."""
    env = _built(make)
    task = json.loads(_json(env.sample_tasks(1)[0]))
    before, policies = _json(task), _WatchedPolicies(env.base_policies())
    trajectory = _play(env, policies, task)
    yield from _trajectory_faults(env, trajectory)
    if isinstance(trajectory, Trajectory) and _json(trajectory.task) != before:
        yield "the trajectory must hold the task that was played"
    if _json(task) != before:
        yield "collect_trajectory must not change the task"
    if dict(policies) != env.base_policies():
        yield "collect_trajectory must not change the policies"
    unread = sorted(set(env.agent_ids) - policies.read)
    yield from (f"the policy of {name!r} is never read: its training would change nothing" for name in unread)


def check_clones(make: Make) -> Iterator[str]:
    """Clones are objects of their own, and play at the same time as one another."""
    env = _built(make)
    tasks = env.sample_tasks(3)
    clones = [env.clone() for _ in tasks]
    if any(clone is env for clone in clones) or len({id(clone) for clone in clones}) != len(clones):
        yield "clone() must give another object at each call"
        return
    if any(clone.agent_ids != env.agent_ids for clone in clones):
        yield "a clone must have the same agents"
    policies = env.base_policies()
    with ThreadPoolExecutor(len(clones)) as pool:
        played = list(pool.map(_play, clones, [policies] * len(clones), tasks))
    for task, trajectory in zip(tasks, played, strict=True):
        yield from _trajectory_faults(env, trajectory)
        if isinstance(trajectory, Trajectory) and _json(trajectory.task) != _json(task):
            yield "clones that play at the same time mix up their tasks"
    for clone in clones:
        clone.close()
    if len(env.sample_tasks(1)) != 1:
        yield "closing a clone must leave the original usable"


def check_content_digests(make: Make) -> Iterator[str]:
    """Digests are SHA-256 in hexadecimal, and the same for every object."""
    digests = _built(make).content_digests()
    bad = [name for name, digest in digests.items() if not re.fullmatch(r"[0-9a-f]{64}", str(digest))]
    yield from (f"content_digests()[{name!r}] must be a SHA-256 in hexadecimal" for name in bad)
    if _built(make).content_digests() != digests:
        yield "content_digests() must be the same for every object made from one config"


def check_close(make: Make) -> Iterator[str]:
    """Closing twice does no harm."""
    env = _built(make)
    env.close()
    env.close()
    yield from ()


def check_seeded_draws(make: Make) -> Iterator[str]:
    """The same seed draws the same tasks. Allowed to fail: an iteration's tasks are written down before it starts."""
    first, second = _built(make).sample_tasks(4), _built(make).sample_tasks(4)
    if _json(first) != _json(second):
        yield "sample_tasks draws differently under the same seed: runs with equal seeds will see different tasks"


def check_seeds_differ(make: Make) -> Iterator[str]:
    """Another seed draws otherwise, or iterations would all see the same."""
    env = _built(make)
    draws = []
    for offset in range(4):
        env.seed(SEED + offset)
        draws.append(_json(env.sample_tasks(4)))
    if len(set(draws)) == 1:
        yield "sample_tasks draws the same tasks whatever the seed: every iteration trains on them alone"


CHECKS: tuple[Callable[[Make], Iterator[str]], ...] = (
    check_agents,
    check_training_tasks,
    check_held_out_tasks,
    check_task_text,
    check_episode,
    check_clones,
    check_content_digests,
    check_close,
)
"""What an environment must keep."""

WARNINGS: tuple[Callable[[Make], Iterator[str]], ...] = (check_seeded_draws, check_seeds_differ)
"""What it should."""


class _WatchedPolicies(dict[str, str]):
    """Policies that remember which of them were read."""

    def __init__(self, policies: dict[str, str]) -> None:
        super().__init__(policies)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.read.add(name)
        return super().get(name, default)

    def items(self) -> Any:
        self.read.update(self)
        return super().items()

    def values(self) -> Any:
        self.read.update(self)
        return super().values()

    def copy(self) -> dict[str, str]:
        self.read.update(self)
        return dict(super().items())


def _trajectory_faults(env: BaseEnvironment, trajectory: Any) -> Iterator[str]:
    if not isinstance(trajectory, Trajectory):
        yield f"collect_trajectory must give a Trajectory, gave a {type(trajectory).__name__}"
        return
    if isinstance(trajectory.reward, bool) or not isinstance(trajectory.reward, int | float):
        yield f"the reward must be a number, is a {type(trajectory.reward).__name__}"
    elif not math.isfinite(trajectory.reward):
        yield f"the reward must be finite, is {trajectory.reward}"
    if not trajectory.steps:
        yield "a trajectory must have at least one step"
    strangers = sorted({str(step.agent_id) for step in trajectory.steps} - set(env.agent_ids))
    yield from (f"the trajectory has a step of {name!r}, who is not in agent_ids" for name in strangers)
    if not all(isinstance(text, str) for step in trajectory.steps for text in (step.observation, step.action)):
        yield "observations and actions must be texts"
    if why := _not_json(trajectory.to_dict()):
        yield f"a trajectory must hold plain JSON values only: {why}"


def _play(env: BaseEnvironment, policies: dict[str, str], task: dict[str, Any]) -> Any:
    env.seed(SEED + 1)
    return env.collect_trajectory(policies, task)


def _built(make: Make) -> BaseEnvironment:
    env = make()
    env.seed(SEED)
    return env


def _findings(check: Callable[[Make], Iterator[str]], make: Make) -> list[str]:
    """What a check found; that it could not be carried out is a finding too."""
    findings: list[str] = []
    try:
        findings.extend(check(make))
    except Exception as error:  # whatever an environment raises here, its author should see it among the rest
        findings.append(f"{check.__name__} ended in {type(error).__name__}: {error}")
    return findings


def _name(make: Make) -> str:
    try:
        return type(make()).__name__
    except Exception:
        return "the environment"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _not_json(value: Any) -> str | None:
    """Why a value would not survive a way through JSON; None where it would."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        return str(error)
    return None
