"""What was lost or damaged on disk between two starts: mended without asking a model again, or refused."""

import errno

import pytest

from langmarl import MonteCarloTrainer, RunFailed, UserMistake
from langmarl.store.checkpoints import ChangedPolicyError
from tests.trainer.teams import CountingEnvironment, LineOptimizer, PlainCritic, make_config


class Paid:
    """Counts what would be model calls."""

    def __init__(self):
        self.calls = 0


def make_trainer(tmp_path, paid=None, env_class=CountingEnvironment, **settings):
    config = make_config(tmp_path, eval_tasks=2, **settings)
    paid = paid or Paid()

    class Environment(env_class):
        def collect_trajectory(self, policies, task):
            paid.calls += 1
            return super().collect_trajectory(policies, task)

    class Critic(PlainCritic):
        def evaluate(self, trajectory, policies):
            paid.calls += 1
            return super().evaluate(trajectory, policies)

    class Optimizer(LineOptimizer):
        def apply_gradient(self, policy, gradient):
            paid.calls += 1
            return super().apply_gradient(policy, gradient)

    trainer = MonteCarloTrainer(config, Environment(config), Critic(config), Optimizer())
    trainer.log_to_console = False
    return trainer


def policies_of(run):
    return [run.checkpoints.get_policies(k) for k in run.checkpoints.iterations()]


def without_times(rows):
    return [{name: value for name, value in row.items() if name != "duration_s"} for row in rows]


@pytest.fixture
def finished(tmp_path):
    trainer = make_trainer(tmp_path)
    trainer.train()
    return trainer.last_run


@pytest.fixture
def untouched(tmp_path):
    """What four iterations come to when nothing is lost on the way."""
    trainer = make_trainer(tmp_path / "untouched", num_iterations=4)
    trainer.train()
    return policies_of(trainer.last_run)


@pytest.mark.parametrize("checkpoint", [0, 2, 3])
@pytest.mark.parametrize("loss", ["emptied", "missing"])
def test_a_lost_policy_is_made_again_before_anybody_acts_under_it(tmp_path, finished, untouched, checkpoint, loss):
    path = finished.layout.checkpoints / f"iter_{checkpoint:04d}" / "agent_1.txt"
    path.unlink()
    if loss == "emptied":
        path.touch()
    paid = Paid()
    trainer = make_trainer(tmp_path, paid, num_iterations=4)
    assert trainer.train()["run_id"] == finished.run_id
    assert policies_of(finished) == untouched
    assert paid.calls == 4 + 4 + 2 + 2  # of the fourth iteration and its evaluation alone
    assert f"Checkpoint {checkpoint} was made again, without paying" in finished.layout.log.read_text()


@pytest.mark.parametrize("checkpoint", [1, 3])
def test_a_deleted_checkpoint_whose_updates_are_gone_is_earned_again_from_the_episodes(
    tmp_path, finished, untouched, checkpoint
):
    finished.checkpoints.delete(checkpoint)
    for agent in ("agent_1", "agent_2"):
        (finished.layout.gradients / f"iter_{checkpoint - 1:04d}" / agent / "update.json").unlink()
    paid = Paid()
    make_trainer(tmp_path, paid).train()
    assert paid.calls == 2  # the two updates; a real optimizer takes their answers from the journal
    assert policies_of(finished) == untouched[:4]
    assert [row["iteration"] for row in finished.metrics.iterations()] == [0, 1, 2]


def test_a_policy_changed_by_hand_is_refused_until_it_is_deleted(tmp_path, finished, untouched):
    folder = finished.layout.checkpoints / "iter_0002"
    (folder / "agent_1.txt").write_text("my own words")
    with pytest.raises(ChangedPolicyError, match="initial_policies"):
        make_trainer(tmp_path, num_iterations=4).train()
    assert finished.state().state == "completed"
    assert (folder / "agent_1.txt").read_text() == "my own words"
    finished.checkpoints.delete(2)
    make_trainer(tmp_path, num_iterations=4).train()
    assert policies_of(finished) == untouched


def test_figures_moved_away_are_made_again_without_paying(tmp_path, finished):
    before = finished.metrics.read()
    finished.layout.metrics.write_text("{")
    with pytest.raises(UserMistake, match="move it away"):
        make_trainer(tmp_path).train()
    finished.layout.metrics.unlink()
    paid = Paid()
    make_trainer(tmp_path, paid).train()
    after = finished.metrics.read()
    assert paid.calls == 0
    assert without_times(after.iterations) == without_times(before.iterations)
    assert without_times(after.evaluations) == without_times(before.evaluations)
    assert (after.best_checkpoint, after.totals) == (before.best_checkpoint, before.totals)


def test_episodes_that_failed_in_a_finished_iteration_stay_as_they_were(tmp_path):
    class Broken(CountingEnvironment):
        fail_at = frozenset({1, 9, 10, 11})  # one in the first iteration; too many in the third

    trainer = make_trainer(tmp_path, env_class=Broken)
    with pytest.raises(Exception, match="episodes failed"):
        trainer.train()
    run = trainer.last_run
    run.layout.metrics.unlink()
    make_trainer(tmp_path).train()
    assert [row["failed_episodes"] for row in run.metrics.iterations()] == [1, 0, 0]


def test_a_lost_state_does_not_keep_a_run_from_going_on(tmp_path, finished):
    finished.layout.state.unlink()
    assert make_trainer(tmp_path, num_iterations=4).train()["state"] == "completed"
    assert finished.iterations_done() == 4


def test_a_full_disk_says_to_free_space_and_to_go_on(tmp_path):
    class Full(CountingEnvironment):
        def sample_tasks(self, n):
            raise OSError(errno.ENOSPC, "No space left on device")

    trainer = make_trainer(tmp_path, env_class=Full)
    with pytest.raises(RunFailed, match=r"disk is full(.|\n)*Free space and run the same command again"):
        trainer.train()
    state = trainer.last_run.state()
    assert state.state == "failed"
    assert (state.remedy or "").startswith("Free space and run the same command again")
