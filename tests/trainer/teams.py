"""A small team whose learning can be computed by hand: no model is asked."""

import json
import random
import threading
import time

from langmarl import BaseCritic, BaseEnvironment, BaseOptimizer, Policy, Step, Trajectory
from langmarl.config import BaseConfig


class CountingEnvironment(BaseEnvironment):
    """The reward is the share of agents whose learned part holds at least ``task["need"]`` lines.

    Sampling keeps state: tasks are numbered on and on. Some tasks fail, where ``fail_at`` names their number.
    """

    fail_at: frozenset[int] = frozenset()
    pause_s = 0.0

    def __init__(self, config):
        super().__init__(config)
        self.cursor = 0
        self.stepping = threading.Lock()

    def sample_tasks(self, n):
        numbers = range(self.cursor, self.cursor + n)
        self.cursor += n
        return [{"number": number, "need": 1 + self.rng.randrange(3)} for number in numbers]

    def held_out_tasks(self, n):
        return [{"number": -1 - number, "need": 1 + number % 3} for number in range(n)]

    def reference(self, task):
        return f"Secret Answer {task['number']}"

    def collect_trajectory(self, policies, task):
        assert self.stepping.acquire(blocking=False), "one object was stepped by two threads"
        try:
            time.sleep(self.pause_s)
            if task["number"] in self.fail_at:
                raise RuntimeError(f"task {task['number']} is broken")
            lines = {agent: len(Policy.parse(text).learned.splitlines()) for agent, text in policies.items()}
            steps = [Step(agent, json.dumps(task), f"{count} lines") for agent, count in lines.items()]
            reward = sum(count >= task["need"] for count in lines.values()) / len(lines)
            return Trajectory(task, steps, reward, {"luck": self.rng.random(), "solved": reward == 1})
        finally:
            self.stepping.release()


class PlainCritic(BaseCritic):
    def __init__(self, config, blind_to=()):
        self.paradigm = config.paradigm
        self.blind_to = set(blind_to)

    def evaluate(self, trajectory, policies):
        assessment = {"credit": 2 * trajectory.reward - 1, "feedback": f"earned {trajectory.reward}", "evidence": [0]}
        return {
            "raw_response": "words",
            "paradigm": self.paradigm,
            "per_agent": {agent: None if agent in self.blind_to else assessment for agent in policies},
            "problem": None,
        }


class LineOptimizer(BaseOptimizer):
    """Adds one line an update; the line tells how many notes it came from."""

    def generate_gradient(self, policy, evaluation, context):
        return f"{context['agent_id']}: {evaluation['feedback']}"

    def aggregate_gradients(self, gradients):
        return f"from {len(gradients)} notes: {' | '.join(gradients)}"

    def apply_gradient(self, policy, gradient):
        old = Policy.parse(policy)
        line = f"line {len(old.learned.splitlines()) + 1} {gradient.split(':')[0]}"
        return old.with_learned(f"{old.learned}\n{line}").text


def make_config(tmp_path, **settings):
    given = {"env": "counting", "exp_name": "count", "experiment_dir": str(tmp_path), "trajectories_per_iteration": 4}
    return BaseConfig(**{**given, "num_iterations": 3, "update_rule": "always", **settings})


def noise(seed):
    return random.Random(seed).random()
