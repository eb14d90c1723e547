from __future__ import annotations

from pathlib import Path

import pytest

from langmarl.store import RunDirectory
from langmarl.store.checkpoints import ChangedPolicyError, LostPolicyError
from langmarl.store.repair import repair_checkpoints

AGENTS = ("agent_1", "agent_2")
START = dict.fromkeys(AGENTS, "base")


def policies(checkpoint: int) -> dict[str, str]:
    return {agent: f"base of {agent}, learned {checkpoint}" for agent in AGENTS} if checkpoint else START


@pytest.fixture
def trained(run: RunDirectory) -> RunDirectory:
    """Three finished iterations; the last one went back to checkpoint 1."""
    run.checkpoints.save_policies(0, START)
    for iteration in range(2):
        for agent in AGENTS:
            run.gradients.save_update(iteration, agent, {"policy": policies(iteration + 1)[agent]})
        run.commit_iteration(iteration, policies(iteration + 1), {"avg_reward": 0.5, "reverted_to": None})
    run.commit_iteration(2, policies(1), {"avg_reward": 0.1, "reverted_to": 1})
    return run


def file_of(run: RunDirectory, checkpoint: int, agent: str = "agent_1") -> Path:
    return run.layout.checkpoints / f"iter_{checkpoint:04d}" / f"{agent}.txt"


def check(run: RunDirectory) -> None:
    assert [run.checkpoints.get_policies(number) for number in range(4)] == [*map(policies, (0, 1, 2, 1))]
    assert run.iterations_done() == 3


def test_in_good_order_nothing_is_touched(trained: RunDirectory) -> None:
    before = [path.stat().st_ino for path in sorted(trained.path.rglob("*"))]
    assert repair_checkpoints(trained, START) == []
    assert [path.stat().st_ino for path in sorted(trained.path.rglob("*"))] == before


def test_a_new_run_gets_its_first_checkpoint(run: RunDirectory) -> None:
    assert repair_checkpoints(run, START) == []
    assert run.checkpoints.get_policies() == START


@pytest.mark.parametrize("checkpoint", [0, 1, 2, 3])
@pytest.mark.parametrize("loss", ["emptied", "missing", "whole"])
def test_a_lost_policy_is_made_again(trained: RunDirectory, checkpoint: int, loss: str) -> None:
    path = file_of(trained, checkpoint)
    if loss == "emptied":
        path.write_text("", encoding="utf-8")
    elif loss == "missing":
        path.unlink()
    else:
        trained.checkpoints.delete(checkpoint)
    [told] = repair_checkpoints(trained, START)
    assert f"iter_{checkpoint:04d}" in told
    assert "made again, without paying" in told
    check(trained)


@pytest.mark.parametrize("agent", AGENTS)
def test_reading_never_passes_over_a_lost_policy(trained: RunDirectory, agent: str) -> None:
    file_of(trained, 3, agent).unlink()
    with pytest.raises(LostPolicyError, match=rf"{agent}\.txt is missing"):
        trained.checkpoints.get_policies()
    file_of(trained, 3, agent).touch()
    with pytest.raises(LostPolicyError, match=rf"{agent}\.txt was emptied"):
        trained.checkpoints.get_policies(3)


@pytest.mark.parametrize("content", [b"my own words", b"\xff"])
@pytest.mark.parametrize("checkpoint", [0, 1, 3])
def test_a_policy_changed_by_hand_is_refused_and_nothing_is_touched(
    trained: RunDirectory, checkpoint: int, content: bytes
) -> None:
    file_of(trained, checkpoint).write_bytes(content)
    file_of(trained, 2).unlink()
    with pytest.raises(ChangedPolicyError, match=r"agent_1\.txt (.|\n)*delete .*iter_000(.|\n)*initial_policies"):
        repair_checkpoints(trained, START)
    assert file_of(trained, checkpoint).read_bytes() == content
    assert not file_of(trained, 2).exists()


def test_without_digests_the_updates_tell_what_was_changed_or_lost(trained: RunDirectory) -> None:
    for number in range(4):
        (trained.layout.checkpoints / f"iter_{number:04d}" / "digests.json").unlink()
    assert repair_checkpoints(trained, START) == []
    file_of(trained, 2).unlink()
    assert "lacks the policy of agent_1" in repair_checkpoints(trained, START)[0]
    check(trained)
    file_of(trained, 1).write_text("my own words", encoding="utf-8")
    with pytest.raises(ChangedPolicyError):
        repair_checkpoints(trained, START)


def test_without_the_updates_the_iteration_is_to_be_done_again(trained: RunDirectory) -> None:
    file_of(trained, 2).unlink()
    (trained.layout.gradients / "iter_0001" / "agent_2" / "update.json").write_text("{", encoding="utf-8")
    [told] = repair_checkpoints(trained, START)
    assert "Iteration 1 is done again" in told
    assert trained.iterations_done() == 1
    assert [row["iteration"] for row in trained.metrics.iterations()] == [0]


def test_a_first_checkpoint_that_cannot_be_made_again_is_refused(trained: RunDirectory) -> None:
    file_of(trained, 0).unlink()
    with pytest.raises(LostPolicyError, match=r"agent_1\.txt is missing(.|\n)*from a copy"):
        repair_checkpoints(trained, {**START, "agent_1": "another base"})


def test_digests_are_what_sha256sum_says(trained: RunDirectory) -> None:
    import hashlib

    digests = trained.checkpoints.digests(1)
    assert digests is not None
    assert digests["agent_1"] == hashlib.sha256(file_of(trained, 1).read_bytes()).hexdigest()
    file_of(trained, 1).write_text("other", encoding="utf-8")
    assert trained.checkpoints.changed_agents(1) == ["agent_1"]
