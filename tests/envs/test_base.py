import pytest

from langmarl.config import BaseConfig
from langmarl.envs import BaseEnvironment
from langmarl.errors import LangMARLError, UnknownNameError
from tests.envs.model_server import model_server
from tests.envs.sample_plugins import CoinToss, Countdown, Queue


def count_down(_, user):
    return str(int(user.rpartition(" ")[2].rstrip(".")) - 1)


def test_agents_act_in_turn_each_seeing_what_the_one_before_left():
    with model_server(count_down) as model:
        env = Countdown(BaseConfig(llm=model.config))
        policies = {"agent_1": "Count.", "agent_2": "Count down."}
        trajectory = env.collect_trajectory(policies, {"start": 3})
    assert [(step.agent_id, step.observation, step.action) for step in trajectory.steps] == [
        ("agent_1", "The number is 3.", "2"),
        ("agent_2", "The number is 2.", "1"),
        ("agent_1", "The number is 1.", "0"),
    ]
    assert [system for system, _ in model.asked] == ["Count.", "Count down.", "Count."]
    assert (trajectory.reward, trajectory.metadata, trajectory.task) == (3.0, {"left": 0}, {"start": 3})


def test_info_may_name_the_next_agent():
    class OnlySecond(Countdown):
        def step(self, agent_id, action):
            observation, reward, done, info = super().step(agent_id, action)
            return observation, reward, done, info | {"next_agent": "agent_2"}

    with model_server(count_down) as model:
        env = OnlySecond(BaseConfig(llm=model.config))
        trajectory = env.collect_trajectory(env.base_policies(), {"start": 3})
    assert [step.agent_id for step in trajectory.steps] == ["agent_1", "agent_2", "agent_2"]


def test_episode_without_end_is_given_up():
    class Endless(Countdown):
        max_moves = 5

        def step(self, agent_id, action):
            return "Go on.", 0.0, False, {}

    with model_server(lambda *_: "on") as model:
        env = Endless(BaseConfig(llm=model.config))
        with pytest.raises(LangMARLError, match="did not end an episode within 5 moves"):
            env.collect_trajectory(env.base_policies(), {"start": 3})
    assert len(model.asked) == 5


def test_agent_without_a_policy_is_named():
    env = Countdown(BaseConfig(llm="offline"))
    with pytest.raises(UnknownNameError, match="agent_1"):
        env.collect_trajectory({"Agent 1": "Count."}, {"start": 3})


def test_environment_must_define_one_of_the_two_ways():
    class Nothing(BaseEnvironment):
        def sample_tasks(self, n):
            return [{}] * n

    with pytest.raises(NotImplementedError, match="neither collect_trajectory\\(\\) nor reset\\(\\)"):
        Nothing(BaseConfig(llm="offline")).collect_trajectory({}, {})


def test_defaults_of_what_a_plugin_leaves_out():
    env = CoinToss(BaseConfig(llm="offline", num_agents=3))
    assert env.agent_ids == ["agent_1", "agent_2", "agent_3"]
    assert set(env.base_policies()) == set(env.agent_ids)
    assert env.held_out_tasks(3) == []
    assert env.reference({"sides": 2}) is None
    assert '"sides": 2' in env.render_task({"sides": 2})
    assert env.content_digests() == {}


def test_seed_starts_the_randomness_anew():
    env = CoinToss(BaseConfig(llm="offline"))
    env.seed(5)
    first = env.sample_tasks(3)
    env.seed(5)
    assert env.sample_tasks(3) == first


def test_clone_is_built_from_the_config_or_copied_where_the_constructor_wants_more():
    simple, queue = CoinToss(BaseConfig(llm="offline")), Queue(BaseConfig(llm="offline"), 7)
    assert type(simple.clone()) is CoinToss
    twin = queue.clone()
    twin.sample_tasks(5)
    assert queue.sample_tasks(1) == [{"number": 7}]
