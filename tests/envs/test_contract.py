import copy
from typing import ClassVar

import pytest

from langmarl.config import BaseConfig, LanguageTaskConfig
from langmarl.envs import BrokenContractError, check_environment, list_envs, make_env
from langmarl.envs.sandbox import available_backend
from langmarl.trajectory import Step, Trajectory
from tests.envs.model_server import model_server
from tests.envs.sample_plugins import CoinToss, Countdown, Queue, Unseeded

CONFIG = BaseConfig(llm="offline")
BUILT_IN = {
    "language": [{"task_type": task_type} for task_type in ("qa", "math", "writing", "coding")]
    + [{"task_type": "qa", "use_verified_reward": False, "num_agents": 3}],
}
"""Configurations under which each environment that LangMARL brings must keep the contract."""


@pytest.mark.parametrize(("name", "options"), [(name, options) for name in BUILT_IN for options in BUILT_IN[name]])
def test_every_built_in_environment_keeps_the_contract(name, options):
    if options["task_type"] == "coding" and available_backend() is None:
        pytest.skip("no sandbox works on this machine")
    report = check_environment(lambda: make_env(name, LanguageTaskConfig(llm="offline", **options)))
    assert report.warnings == ()


def test_no_built_in_environment_is_left_out():
    ours = {name for name in list_envs() if _class_of(name).__module__.startswith("langmarl.")}
    assert ours == set(BUILT_IN)


def test_plugin_of_two_methods_keeps_the_contract():
    report = check_environment(lambda: CoinToss(CONFIG))
    assert report.warnings == ()
    assert "check_episode" in report.checks


def test_stateful_sampler_keeps_the_contract():
    report = check_environment(lambda: Queue(CONFIG, 0))
    assert report.warnings == ()


def test_plugin_of_reset_and_step_keeps_the_contract():
    with model_server(lambda *_: "2") as model:
        config = BaseConfig(llm=model.config)
        assert check_environment(lambda: Countdown(config)).warnings == ()


def test_draws_that_no_seed_reaches_are_warned_of():
    assert "draws differently under the same seed" in check_environment(lambda: Unseeded(CONFIG)).warnings[0]


def test_draws_that_are_always_the_same_are_warned_of():
    class Fixed(CoinToss):
        def sample_tasks(self, n):
            return [{"sides": 2}] * n

    assert "draws the same tasks whatever the seed" in check_environment(lambda: Fixed(CONFIG)).warnings[0]


def violations(environment):
    with pytest.raises(BrokenContractError) as caught:
        check_environment(lambda: environment(CONFIG))
    assert environment.__name__ in str(caught.value)
    return "\n".join(caught.value.violations)


class TooFew(CoinToss):
    def sample_tasks(self, n):
        return super().sample_tasks(1)


class NotPlain(CoinToss):
    def sample_tasks(self, n):
        return [{"sides": 2, "seen": {1, 2}} for _ in range(n)]


class SharedNames(CoinToss):
    agent_ids = ("a/b", "same", "same")


class OtherNames(CoinToss):
    def base_policies(self):
        return {"Agent 1": "You are Agent 1."}


class Infinite(CoinToss):
    def collect_trajectory(self, policies, task):
        return Trajectory(task, super().collect_trajectory(policies, task).steps, float("inf"))


class Stranger(CoinToss):
    def collect_trajectory(self, policies, task):
        trajectory = super().collect_trajectory(policies, task)
        trajectory.steps.append(Step("referee", "", "foul"))
        return trajectory


class Deaf(CoinToss):
    def collect_trajectory(self, policies, task):
        return Trajectory(task, [Step(agent, "", "hello") for agent in self.agent_ids], 0.0)


class Scribbler(CoinToss):
    def collect_trajectory(self, policies, task):
        task["sides"] = 0
        return super().collect_trajectory(policies, task)


class OneForAll(CoinToss):
    def clone(self):
        return self


class MovingHeldOut(CoinToss):
    def held_out_tasks(self, n):
        return [{"sides": self.rng.random()} for _ in range(n)]


class Leak(CoinToss):
    def sample_tasks(self, n):
        return [{"sides": self.rng.randint(0, 3)} for _ in range(n)]

    def held_out_tasks(self, n):
        return [{"sides": sides} for sides in range(4)][:n]


class Raises(CoinToss):
    def collect_trajectory(self, policies, task):
        raise RuntimeError("the simulator is broken")


class SharedState(CoinToss):
    """Its clones keep their episodes in one place."""

    board: ClassVar[dict] = {}

    def collect_trajectory(self, policies, task):
        self.board.setdefault("task", copy.deepcopy(task))
        trajectory = super().collect_trajectory(policies, task)
        return Trajectory(self.board["task"], trajectory.steps, trajectory.reward)


class BadDigest(CoinToss):
    def content_digests(self):
        return {"file": "abc"}


class ClosedOnce(CoinToss):
    closed = False

    def close(self):
        if self.closed:
            raise RuntimeError("closed twice")
        self.closed = True


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        (TooFew, "sample_tasks(3) must give 3 tasks, gave 1"),
        (NotPlain, "a task must hold plain JSON values only"),
        (SharedNames, "agent_ids must be distinct"),
        (SharedNames, "agent name 'a/b' cannot name a file"),
        (OtherNames, "base_policies() must have exactly the agents"),
        (Infinite, "the reward must be finite"),
        (Stranger, "a step of 'referee', who is not in agent_ids"),
        (Deaf, "the policy of 'agent_2' is never read"),
        (Scribbler, "collect_trajectory must not change the task"),
        (OneForAll, "clone() must give another object"),
        (MovingHeldOut, "must give the same tasks at every call"),
        (Leak, "a held-out task was drawn for training"),
        (Raises, "check_episode ended in RuntimeError: the simulator is broken"),
        (SharedState, "mix up their tasks"),
        (BadDigest, "must be a SHA-256"),
        (ClosedOnce, "check_close ended in RuntimeError: closed twice"),
    ],
)
def test_each_breach_is_named(environment, said):
    assert said in violations(environment)


def test_all_breaches_are_listed_at_once():
    class Both(TooFew, BadDigest):
        pass

    found = violations(Both)
    assert "must give 3 tasks" in found
    assert "must be a SHA-256" in found


def _class_of(name):
    from langmarl.envs.registry import _environments

    return _environments[name]
