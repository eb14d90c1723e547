import json

import pytest

from langmarl import Callback, EarlyStoppingCallback, MonteCarloTrainer, RunFailed, UserMistake
from langmarl.errors import ConfigError, RunHalted, UnknownNameError
from tests.trainer.teams import CountingEnvironment, LineOptimizer, PlainCritic, make_config


class Recorder(Callback):
    def __init__(self):
        self.events = []

    def on_iteration_start(self, iteration, trainer):
        self.events.append(("start", iteration))

    def on_iteration_end(self, iteration, stats, trainer):
        self.events.append(("end", iteration))

    def on_episode_complete(self, trajectory, trainer):
        self.events.append(("episode", trajectory.task["number"]))

    def on_policy_update(self, agent_id, old_policy, new_policy):
        self.events.append(("update", agent_id, old_policy != new_policy))

    def on_evaluation(self, checkpoint, result, trainer):
        self.events.append(("evaluation", checkpoint))


def make_trainer(config, env_class=CountingEnvironment, critic=None, optimizer=None, **parts):
    trainer = MonteCarloTrainer(
        config, env_class(config), critic or PlainCritic(config), optimizer or LineOptimizer(), **parts
    )
    trainer.log_to_console = False
    return trainer


def run_of(trainer):
    return trainer.last_run


def policies_of(run):
    return {k: run.checkpoints.get_policies(k) for k in run.checkpoints.iterations()}


def tasks_of(run, iterations):
    return [run.tasks.get(iteration) for iteration in range(iterations)]


def rewards_of(run):
    return [row["rewards"] for row in run.metrics.iterations()]


def test_training_writes_one_checkpoint_more_than_it_has_iterations(tmp_path):
    trainer = make_trainer(make_config(tmp_path))
    metrics = trainer.train()
    assert metrics["state"] == "completed"
    assert run_of(trainer).checkpoints.iterations() == [0, 1, 2, 3]
    text = (run_of(trainer).path / "checkpoints/iter_0003/agent_1.txt").read_text()
    assert text.endswith("line 1 from 4 notes\nline 2 from 4 notes\nline 3 from 4 notes")


def test_a_trainer_tells_policies_and_history_after_training_too(tmp_path):
    trainer = make_trainer(make_config(tmp_path))
    with pytest.raises(RuntimeError, match="call train"):
        _ = trainer.policies
    metrics = trainer.train()
    assert trainer.policies == run_of(trainer).checkpoints.get_policies(3)
    assert trainer.history == metrics["iterations"]


def test_stats_are_those_of_their_iteration_in_episode_order(tmp_path):
    trainer = make_trainer(make_config(tmp_path))
    metrics = trainer.train()
    for number, row in enumerate(metrics["iterations"]):
        episodes = run_of(trainer).trajectories.load(number)
        assert row["iteration"] == number
        assert row["rewards"] == [episode.reward for episode in episodes]
        assert [episode.task for episode in episodes] == run_of(trainer).tasks.get(number)
        assert row["avg_reward"] == pytest.approx(sum(row["rewards"]) / 4)
        assert (row["min_reward"], row["max_reward"]) == (min(row["rewards"]), max(row["rewards"]))
        assert row["num_episodes"] == 4
        assert row["metrics"]["solved"] == sum(reward == 1 for reward in row["rewards"]) / 4
        assert row["cost_usd"] == row["total_tokens"] == 0
        assert row["duration_s"] > 0
    assert metrics["iterations"] == json.loads((run_of(trainer).path / "metrics.json").read_text())["iterations"]


def test_iterations_differ_in_tasks_and_seeds(tmp_path):
    trainer = make_trainer(make_config(tmp_path))
    trainer.train()
    lucks = [episode.metadata["luck"] for i in range(3) for episode in run_of(trainer).trajectories.load(i)]
    assert len(set(lucks)) == 12


def test_every_callback_is_called(tmp_path):
    recorder = Recorder()
    make_trainer(make_config(tmp_path, num_iterations=1, eval_tasks=2), callbacks=[recorder]).train()
    assert recorder.events[0] == ("evaluation", 0)
    assert recorder.events[1] == ("start", 0)
    assert sorted(recorder.events[2:6]) == [("episode", number) for number in range(4)]
    assert recorder.events[6:] == [
        ("update", "agent_1", True),
        ("update", "agent_2", True),
        ("end", 0),
        ("evaluation", 1),
    ]


def test_a_failing_callback_kills_nothing(tmp_path):
    class Failing(Callback):
        def on_iteration_end(self, iteration, stats, trainer):
            raise ValueError("a user's mistake in a callback")

    trainer = make_trainer(make_config(tmp_path), callbacks=[Failing()])
    assert trainer.train()["state"] == "completed"
    assert "Failing.on_iteration_end failed" in (run_of(trainer).path / "run.log").read_text()


def test_a_stop_from_a_callback_completes_the_run_with_its_reason(tmp_path):
    class Enough(Callback):
        def on_iteration_end(self, iteration, stats, trainer):
            trainer.stop("enough")

    metrics = make_trainer(make_config(tmp_path, eval_tasks=2), callbacks=[Enough()]).train()
    assert (metrics["state"], metrics["reason"], len(metrics["iterations"])) == ("completed", "enough", 1)
    assert [row["checkpoint"] for row in metrics["evaluations"]] == [0, 1]


def test_early_stopping_ends_a_run_that_no_longer_rises(tmp_path):
    config = make_config(tmp_path, num_iterations=20)
    metrics = make_trainer(config, callbacks=[EarlyStoppingCallback(patience=2)]).train()
    assert metrics["state"] == "completed"
    assert "no rise" in metrics["reason"]
    assert len(metrics["iterations"]) < 8


def test_a_mini_batch_is_judged_and_the_rest_only_played(tmp_path):
    trainer = make_trainer(make_config(tmp_path, trajectories_per_iteration=6, mini_batch_size=2))
    trainer.train()
    batches = [set(run_of(trainer).evaluations.load(iteration)) for iteration in range(3)]
    assert [len(batch) for batch in batches] == [2, 2, 2]
    assert len({frozenset(batch) for batch in batches}) > 1
    assert "from 2 notes" in run_of(trainer).checkpoints.get_policies(1)["agent_1"]


def test_shared_credit_aggregates_once_for_all_agents(tmp_path):
    trainer = make_trainer(make_config(tmp_path, paradigm="central_global", num_iterations=1))
    trainer.train()
    gradients = run_of(trainer).gradients
    assert gradients.get_merged(0, "team")["note"].startswith("from 4 notes: None: earned")
    assert gradients.get_merged(0, "agent_1") is None
    assert {gradients.get_update(0, agent)["accepted"] for agent in ("agent_1", "agent_2")} == {True}


# going on


def test_the_same_command_again_goes_on_where_a_stop_left_it(tmp_path):
    class StopInSecond(Callback):
        def on_episode_complete(self, trajectory, trainer):
            if trajectory.task["number"] == 5:
                trainer.request_stop("asked to")

    whole = make_trainer(make_config(tmp_path / "whole"))
    whole.train()
    stopped = make_trainer(make_config(tmp_path / "cut", max_workers=1), callbacks=[StopInSecond()])
    metrics = stopped.train()
    assert (metrics["state"], len(metrics["iterations"])) == ("stopped", 1)
    again = make_trainer(make_config(tmp_path / "cut"))
    assert again.train()["state"] == "completed"
    assert run_of(again).run_id == run_of(stopped).run_id
    assert policies_of(run_of(again)) == policies_of(run_of(whole))
    assert tasks_of(run_of(again), 3) == tasks_of(run_of(whole), 3)
    assert rewards_of(run_of(again)) == rewards_of(run_of(whole))


def test_a_finished_run_is_returned_and_not_trained_again(tmp_path):
    first = make_trainer(make_config(tmp_path)).train()
    recorder = Recorder()
    again = make_trainer(make_config(tmp_path), callbacks=[recorder])
    assert again.train() == first
    assert recorder.events == []
    assert "all 3 iterations are finished" in (run_of(again).path / "run.log").read_text()


def test_more_iterations_go_on_with_a_finished_run(tmp_path):
    whole = make_trainer(make_config(tmp_path / "whole", num_iterations=5))
    whole.train()
    make_trainer(make_config(tmp_path / "two")).train()
    longer = make_trainer(make_config(tmp_path / "two", num_iterations=5))
    assert len(longer.train()["iterations"]) == 5
    assert policies_of(run_of(longer)) == policies_of(run_of(whole))
    assert tasks_of(run_of(longer), 5) == tasks_of(run_of(whole), 5)


def test_one_trainer_can_go_on_with_its_own_run(tmp_path):
    whole = make_trainer(make_config(tmp_path / "whole"))
    whole.train()
    trainer = make_trainer(make_config(tmp_path / "steps"))
    assert len(trainer.train(1)["iterations"]) == 1
    assert len(trainer.train(3)["iterations"]) == 3
    assert tasks_of(run_of(trainer), 3) == tasks_of(run_of(whole), 3)


def test_other_settings_are_another_run_and_the_log_says_which(tmp_path):
    first = make_trainer(make_config(tmp_path)).train()
    other = make_trainer(make_config(tmp_path, seed=7))
    assert other.train()["run_id"] != first["run_id"]
    assert "it differs from the last one in seed" in (run_of(other).path / "run.log").read_text()


def test_fresh_starts_another_run_with_the_same_settings(tmp_path):
    first = make_trainer(make_config(tmp_path)).train()
    second = make_trainer(make_config(tmp_path)).train(fresh=True)
    assert second["run_id"] != first["run_id"]
    assert [row["rewards"] for row in second["iterations"]] == [row["rewards"] for row in first["iterations"]]


def test_a_named_run_with_other_settings_is_refused(tmp_path):
    first = make_trainer(make_config(tmp_path)).train()
    with pytest.raises(UserMistake, match="seed"):
        make_trainer(make_config(tmp_path, seed=7)).train(run_id=first["run_id"])


def test_a_start_iteration_is_applied_once(tmp_path):
    whole = make_trainer(make_config(tmp_path)).train()
    again = make_trainer(make_config(tmp_path, start_iteration=1))
    assert len(again.train(2)["iterations"]) == 2
    aside = run_of(again).path / "set_aside/1"
    assert (aside / "trajectories/iter_0002").is_dir()
    assert not run_of(again).trajectories.load(2)
    recorder = Recorder()
    third = make_trainer(make_config(tmp_path, start_iteration=1), callbacks=[recorder])
    metrics = third.train()
    assert [event for event in recorder.events if event[0] == "start"] == [("start", 2)]
    assert [row["rewards"] for row in metrics["iterations"]] == [row["rewards"] for row in whole["iterations"]]


def test_a_start_without_such_a_checkpoint_is_refused_with_those_that_exist(tmp_path):
    with pytest.raises(UserMistake, match="no run of 'count'"):
        make_trainer(make_config(tmp_path, start_iteration=2)).train()
    assert not list(tmp_path.glob("count_*"))
    make_trainer(make_config(tmp_path, num_iterations=1)).train()
    with pytest.raises(UnknownNameError, match="Known: 0, 1"):
        make_trainer(make_config(tmp_path, start_iteration=2)).train()


def test_one_iteration_can_be_trained_on_its_own(tmp_path):
    trainer = make_trainer(make_config(tmp_path))
    assert trainer.train_one_iteration(0)["iteration"] == 0
    assert trainer.train_one_iteration(1)["iteration"] == 1
    assert run_of(trainer).state().state == "stopped"
    with pytest.raises(UnknownNameError, match="Known: 2"):
        trainer.train_one_iteration(5)
    assert len(trainer.train()["iterations"]) == 3


def test_a_single_iteration_that_is_stopped_says_so(tmp_path):
    trainer = make_trainer(make_config(tmp_path))
    trainer.request_stop("too early")
    with pytest.raises(RunHalted, match="too early"):
        trainer.train_one_iteration(0)


# what goes wrong


def test_a_failed_episode_is_recorded_and_left_out(tmp_path):
    class OneBroken(CountingEnvironment):
        fail_at = frozenset({1})

    trainer = make_trainer(make_config(tmp_path), env_class=OneBroken)
    metrics = trainer.train()
    assert metrics["iterations"][0]["failed_episodes"] == 1
    assert metrics["iterations"][0]["num_episodes"] == 3
    failure = run_of(trainer).trajectories.failures(0)[1]
    assert (failure.kind, failure.message) == ("RuntimeError", "task 1 is broken")
    assert "from 3 notes" in run_of(trainer).checkpoints.get_policies(1)["agent_1"]


def test_too_many_failures_fail_the_run_and_a_rerun_plays_only_those(tmp_path):
    class Broken(CountingEnvironment):
        fail_at = frozenset({4, 5, 6})

    trainer = make_trainer(make_config(tmp_path), env_class=Broken)
    with pytest.raises(RunFailed, match="3 of 4 episodes failed"):
        trainer.train()
    assert run_of(trainer).state().state == "failed"
    recorder = Recorder()
    mended = make_trainer(make_config(tmp_path), callbacks=[recorder])
    assert mended.train()["state"] == "completed"
    assert run_of(mended).run_id == run_of(trainer).run_id
    played = [event[1] for event in recorder.events if event[0] == "episode"]
    assert sorted(played) == [4, 5, 6, 8, 9, 10, 11]


def test_an_unusable_assessment_costs_its_agent_the_update_and_is_counted(tmp_path):
    config = make_config(tmp_path, num_iterations=1)
    trainer = make_trainer(config, critic=PlainCritic(config, blind_to=["agent_2"]))
    stats = trainer.train()["iterations"][0]
    assert stats["unparsed_answers"] == 4
    assert "no episode gave a note" in stats["refusals"]["agent_2"]
    policies = policies_of(run_of(trainer))
    assert policies[1]["agent_1"] != policies[0]["agent_1"]
    assert policies[1]["agent_2"] == policies[0]["agent_2"]


def test_a_refused_update_keeps_the_old_policy_and_says_why(tmp_path):
    class Leaking(LineOptimizer):
        def apply_gradient(self, policy, gradient):
            return super().apply_gradient(policy, gradient) + "\nThe answer is Secret Answer 2."

    recorder = Recorder()
    trainer = make_trainer(make_config(tmp_path, num_iterations=1), optimizer=Leaking(), callbacks=[recorder])
    stats = trainer.train()["iterations"][0]
    assert stats["refused_updates"] == 2
    assert "Secret Answer 2" in stats["refusals"]["agent_1"]
    policies = policies_of(run_of(trainer))
    assert policies[1] == policies[0]
    assert not [event for event in recorder.events if event[0] == "update"]
    assert "Secret Answer 2" in run_of(trainer).gradients.get_update(0, "agent_1")["proposed"]


def test_a_second_try_is_given_where_it_may_help(tmp_path):
    class Improving(LineOptimizer):
        def apply_gradient(self, policy, gradient):
            return super().apply_gradient(policy, gradient) + "x" * 5000

        def revise_policy(self, policy, gradient, rejected, problem):
            assert "at most" in problem
            assert len(rejected) > 5000
            return super().apply_gradient(policy, gradient)

    stats = make_trainer(make_config(tmp_path, num_iterations=1), optimizer=Improving()).train()["iterations"][0]
    assert stats["refused_updates"] == 0


def test_a_fall_that_noise_cannot_explain_sends_training_back(tmp_path):
    class Ruining(LineOptimizer):
        def apply_gradient(self, policy, gradient):
            if "earned 1.0" in gradient:
                return policy.split("\n\n#")[0] + "\n\n# Learned instructions\nnothing much"
            return policy.split("\n\n#")[0] + "\n\n# Learned instructions\na\nb\nc"

    config = make_config(tmp_path, num_iterations=4, trajectories_per_iteration=8, update_rule="guarded")
    trainer = make_trainer(config, optimizer=Ruining())
    rows = trainer.train()["iterations"]
    assert rows[1]["avg_reward"] == 1
    assert rows[2]["avg_reward"] < 1
    assert rows[2]["reverted_to"] == 1
    assert "fell from 1.000" in rows[2]["revert_reason"]
    policies = policies_of(run_of(trainer))
    assert policies[3] == policies[1]
    assert run_of(trainer).gradients.get_update(2, "agent_1") is None


def test_a_bug_leaves_the_run_failed_and_its_traceback_in_the_log(tmp_path):
    class Buggy(LineOptimizer):
        def aggregate_gradients(self, gradients):
            raise KeyError("a bug")

    trainer = make_trainer(make_config(tmp_path), optimizer=Buggy())
    with pytest.raises(KeyError):
        trainer.train()
    assert run_of(trainer).state().state == "failed"
    assert "Traceback" in (run_of(trainer).path / "run.log").read_text()
    assert make_trainer(make_config(tmp_path)).train()["state"] == "completed"


def test_a_second_process_is_refused_with_the_first_ones_whereabouts(tmp_path):
    class Twin(Callback):
        def on_iteration_start(self, iteration, trainer):
            with pytest.raises(UserMistake, match="is being written by process"):
                make_trainer(make_config(tmp_path)).train()
            trainer.stop("seen")

    metrics = make_trainer(make_config(tmp_path), callbacks=[Twin()]).train()
    assert metrics["reason"] == "seen"


def test_a_stop_before_the_first_call_leaves_a_run_to_go_on_with(tmp_path):
    trainer = make_trainer(make_config(tmp_path))
    trainer.request_stop("too early")
    assert trainer.train()["state"] == "stopped"
    assert make_trainer(make_config(tmp_path)).train()["state"] == "completed"


def test_rollouts_in_parallel_never_share_an_environment(tmp_path):
    class Slow(CountingEnvironment):
        pause_s = 0.005

    config = make_config(tmp_path, trajectories_per_iteration=24, max_workers=8, num_iterations=2)
    assert make_trainer(config, env_class=Slow).train()["state"] == "completed"


def test_rollouts_take_turns_on_an_environment_that_cannot_be_cloned(tmp_path):
    class Single(CountingEnvironment):
        pause_s = 0.002

        def clone(self):
            raise TypeError("only one of me")

    trainer = make_trainer(make_config(tmp_path, max_workers=8), env_class=Single)
    assert trainer.train()["state"] == "completed"
    assert "cannot be cloned (only one of me)" in (run_of(trainer).path / "run.log").read_text()


# evaluation


def test_checkpoints_are_evaluated_on_the_same_held_out_tasks(tmp_path):
    metrics = make_trainer(make_config(tmp_path, num_iterations=4, eval_tasks=6, eval_every=2)).train()
    assert [row["checkpoint"] for row in metrics["evaluations"]] == [0, 2, 4]
    assert [row["avg_reward"] for row in metrics["evaluations"]] == [0, pytest.approx(2 / 3), 1]
    assert metrics["best_checkpoint"] == {"checkpoint": 4, "basis": "held_out", "reward": 1}


def test_the_last_checkpoint_is_evaluated_whatever_the_rhythm(tmp_path):
    metrics = make_trainer(make_config(tmp_path, eval_tasks=2, eval_every=5)).train()
    assert [row["checkpoint"] for row in metrics["evaluations"]] == [0, 3]


def test_the_best_checkpoint_is_chosen_on_one_half_and_reported_on_the_other(tmp_path):
    class Uneven(CountingEnvironment):
        def collect_trajectory(self, policies, task):
            episode = super().collect_trajectory(policies, task)
            lines = int(episode.steps[0].action.split()[0])
            if task["number"] < 0:
                even = task["number"] % 2
                episode.reward = [1.0, 0.0, 0.5][min(lines, 2)] if even else [0.0, 1.0, 0.25][min(lines, 2)]
            return episode

    metrics = make_trainer(make_config(tmp_path, num_iterations=2, eval_tasks=4), env_class=Uneven).train()
    assert metrics["best_checkpoint"] == {"checkpoint": 0, "basis": "held_out", "reward": 0.0}


class FewHeldOut(CountingEnvironment):
    held_out = 2

    def held_out_tasks(self, n):
        return super().held_out_tasks(min(n, self.held_out))


def test_fewer_held_out_tasks_than_asked_for_are_used_and_said_once(tmp_path):
    trainer = make_trainer(make_config(tmp_path, eval_tasks=9), env_class=FewHeldOut)
    assert [row["num_tasks"] for row in trainer.train()["evaluations"]] == [2] * 4
    log = (run_of(trainer).path / "run.log").read_text()
    assert log.count("eval_tasks is 9, but the number of held-out tasks is 2") == 1


def test_an_evaluation_without_any_task_is_refused_before_there_is_a_run(tmp_path):
    class NoneHeldOut(FewHeldOut):
        held_out = 0

    with pytest.raises(ConfigError, match="eval_tasks: is 3, but no task is held out"):
        make_trainer(make_config(tmp_path / "runs", eval_tasks=3), env_class=NoneHeldOut).train()
    assert not (tmp_path / "runs").exists()


def test_evaluation_never_mixes_with_training(tmp_path):
    plain = make_trainer(make_config(tmp_path / "plain")).train()
    evaluated = make_trainer(make_config(tmp_path / "evaluated", eval_tasks=5)).train()
    assert [row["rewards"] for row in plain["iterations"]] == [row["rewards"] for row in evaluated["iterations"]]


# its inputs


def test_initial_policies_are_where_training_starts(tmp_path):
    config = make_config(tmp_path, initial_policies={"agent_2": "Quote."}, num_iterations=1)
    trainer = make_trainer(config)
    trainer.train()
    start = run_of(trainer).checkpoints.get_policies(0)
    assert start["agent_2"].endswith("# Learned instructions\nQuote.")
    assert "# Learned" not in start["agent_1"]


def test_policies_of_agents_that_do_not_exist_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="agent_9"):
        make_trainer(make_config(tmp_path, initial_policies={"agent_9": "Quote."})).train()


def test_a_halt_is_no_exception_that_an_environment_could_swallow():
    assert not issubclass(RunHalted, Exception)
