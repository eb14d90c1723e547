"""Killed at any instant, the same command finishes as if nothing had happened."""

import json
import random
import signal
import time

import pytest

from tests.endtoend.conftest import Command

WORKERS = 4

STATEFUL_PLUGIN = '''
"""An environment whose sampling goes on where it left off, and whose rollouts ask a model twice."""

from langmarl import BaseEnvironment, LLMClient, Step, Trajectory, register_env


@register_env("stateful")
class Stateful(BaseEnvironment):
    def __init__(self, config):
        super().__init__(config)
        self.drawn = 0

    def sample_tasks(self, n):
        self.drawn += n
        return [{"number": self.drawn - n + i, "luck": self.rng.random()} for i in range(n)]

    def collect_trajectory(self, policies, task):
        client = LLMClient(self.config.get_actor_llm())
        steps = [
            Step(agent, str(task), client.chat(policy, f"Task {task['number']}: say something about luck."))
            for agent, policy in policies.items()
        ]
        return Trajectory(task, steps, (len(steps[0].action) % 7) / 7 + self.rng.random() / 100)
'''


def result_of(command):
    """Everything that must not depend on being killed."""
    run = command.run_directory()
    metrics = json.loads((run / "metrics.json").read_text())
    return {
        "policies": {str(path.relative_to(run)): path.read_text() for path in run.glob("checkpoints/*/*.txt")},
        "rewards": [row["rewards"] for row in metrics["iterations"]],
        "evaluations": [row["rewards"] for row in metrics["evaluations"]],
        "tasks": [json.loads(path.read_text()) for path in sorted(run.glob("tasks/*.json"))],
        "tokens": metrics["totals"]["total_tokens"],
        "calls": metrics["totals"]["calls"],
    }


@pytest.mark.timeout(280)
@pytest.mark.parametrize("environment", ["language", "plugin"])
def test_a_run_killed_many_times_ends_like_one_that_never_was(tmp_path, server, environment):
    settings = {"num_iterations": 3, "eval_tasks": 4} if environment == "language" else {"env": "stateful"}
    settings |= {"trajectories_per_iteration": 8, "max_workers": WORKERS}
    options = [] if environment == "language" else ["--import", "stateful_plugin"]
    kills = 20 if environment == "language" else 8
    whole = Command(tmp_path / "whole", server.base_url, **settings)
    killed = Command(tmp_path / "killed", server.base_url, **settings)
    for command in (whole, killed):
        (command.folder / "stateful_plugin.py").write_text(STATEFUL_PLUGIN)

    server.reset()
    finished = whole.run(*options)
    assert finished.exit_code == 0, finished.errors
    calls_of_a_whole_run = server.stats()["delivered"]
    assert result_of(whole)["calls"] == calls_of_a_whole_run

    server.reset()
    chance = random.Random(11)
    for _ in range(kills):
        kill_after_calls(killed.start(*options), server, chance)
    final = killed.run(*options)
    assert final.exit_code == 0, final.errors
    assert final.summary["state"] == "completed"
    repeated = server.stats()["delivered"] - calls_of_a_whole_run
    assert 0 <= repeated <= kills * WORKERS
    assert result_of(killed) == result_of(whole)


def kill_after_calls(process, server, chance):
    """SIGKILL at a random instant: after some more calls, then a random part of a call's time."""
    before, wanted = server.stats()["requests"], chance.randint(0, 6)
    while process.poll() is None and server.stats()["requests"] < before + wanted:
        time.sleep(0.002)
    time.sleep(chance.uniform(0, 0.03))
    assert process.poll() is None, f"the run ended before it was killed: {process.communicate()[1]}"
    process.send_signal(signal.SIGKILL)
    process.communicate()
