"""What critic and optimizer are told of the way a reward comes about."""

import json

import pytest

from langmarl import (
    BaseReward,
    CentralizedCritic,
    LanguageTaskConfig,
    LocalStore,
    PolicyGradientOptimizer,
    make_env,
    make_trainer,
)
from langmarl.envs.language.coding_reward import CodingReward
from langmarl.envs.language.judge import JudgeReward
from langmarl.envs.language.math_reward import MathReward
from langmarl.envs.language.qa_reward import QAReward
from langmarl.prompts.sections import find
from langmarl.trajectory import Step, Trajectory
from tests.envs.model_server import model_server

TASK = {
    "id": "q1",
    "task_type": "qa",
    "question": "Which city?",
    "answer": "Lisbon",
    "context": [["Cities", ["It is Lisbon."]]],
}
POLICIES = {"agent_1": "Read.", "agent_2": "Answer."}
ASSESSMENT = {"credit": 0.5, "feedback": "Keep it.", "evidence": [0]}


class Shortness(BaseReward):
    rule = "one over the number of words of the last message."

    def compute(self, trajectory):
        return 1 / len(trajectory.steps[-1].action.split())


def outcome(request):
    return find(request, "outcome")[0].text


@pytest.mark.parametrize("reward", [QAReward, MathReward, CodingReward, JudgeReward])
def test_every_reward_says_what_earns_its_best_score_and_what_is_scored(reward):
    assert "last message" in reward.rule
    assert "1" in reward.rule


def test_critic_and_gradient_are_told_the_rule_and_only_the_critic_what_else_is_known():
    steps = [Step("agent_1", "", "Look."), Step("agent_2", "", "It is Lisbon.")]
    trajectory = Trajectory(TASK, steps, 0.5, {"predicted": "It is Lisbon.", "reason": "too many words"})
    answer = json.dumps({"agents": dict.fromkeys(POLICIES, ASSESSMENT)})
    with model_server(lambda *_: answer) as model:
        config = LanguageTaskConfig(llm=model.config)
        env = make_env("language", config)
        CentralizedCritic(config, env).evaluate(trajectory, POLICIES)
        context = {"agent_id": "agent_2", "trajectory": trajectory, "task": "", "reward_rule": env.reward_rule()}
        PolicyGradientOptimizer(config.get_optimizer_llm()).generate_gradient("Answer.", ASSESSMENT, context)
    for_critic, for_gradient = (outcome(user) for _, user in model.asked)
    assert for_gradient == f"reward: 0.5\nreward_rule: {QAReward.rule}"
    assert for_critic == f"{for_gradient}\npredicted: It is Lisbon.\nreason: too many words"


def test_a_reward_of_ones_own_takes_its_rule_along(tmp_path):
    config = LanguageTaskConfig(
        llm="offline", experiment_dir=str(tmp_path), num_iterations=1, trajectories_per_iteration=2, log_level="ERROR"
    )
    run = make_trainer(config, reward_fn=Shortness()).train()
    episodes = LocalStore(tmp_path).run(run["run_id"]).trajectories.load(0)
    assert episodes
    for trajectory in episodes:
        assert trajectory.reward == Shortness().compute(trajectory)
        assert trajectory.metadata["reward_rule"] == Shortness.rule
        assert trajectory.metadata["environment_reward"] == trajectory.metadata["f1"]
