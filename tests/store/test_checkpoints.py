from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from langmarl.errors import UnknownNameError, UserMistake
from langmarl.store import LocalStore, PolicyCheckpoint
from langmarl.store.atomic import read_json
from tests.store.processes import kill, running


def checkpoints_of(store: LocalStore, num_agents: int | None = None) -> PolicyCheckpoint:
    return PolicyCheckpoint(store, "some_run", num_agents)


def test_policies_come_back_byte_for_byte_under_their_own_names(store: LocalStore) -> None:
    policies = {"agent_2": "x\r\ny\n", "agent_10": "", "team/left": "größer\u2028\ud83d", "..": " "}
    checkpoints_of(store).save_policies(0, policies)
    assert checkpoints_of(store).get_policies(0) == policies


def test_one_text_file_an_agent(store: LocalStore) -> None:
    checkpoints_of(store).save_policies(3, {"agent_1": "be brief"}, stats={"avg_reward": 0.5})
    folder = store.base_dir / "some_run" / "checkpoints" / "iter_0003"
    assert (folder / "agent_1.txt").read_text(encoding="utf-8") == "be brief"
    assert read_json(folder / "stats.json") == {"avg_reward": 0.5}
    assert checkpoints_of(store).get_policies(3) == {"agent_1": "be brief"}


def test_agents_come_in_the_order_people_count(store: LocalStore) -> None:
    checkpoints_of(store).save_policies(0, {f"agent_{number}": "" for number in (10, 2, 1)})
    assert list(checkpoints_of(store).get_policies()) == ["agent_1", "agent_2", "agent_10"]


def test_without_an_iteration_the_latest_is_given(store: LocalStore) -> None:
    for iteration in (0, 1, 10):
        checkpoints_of(store).save_policies(iteration, {"agent_1": f"v{iteration}"})
    assert checkpoints_of(store).get_policies() == {"agent_1": "v10"}
    assert checkpoints_of(store).iterations() == [0, 1, 10]


def test_a_missing_checkpoint_names_those_that_exist(store: LocalStore) -> None:
    checkpoints_of(store).save_policies(0, {"agent_1": ""})
    checkpoints_of(store).save_policies(2, {"agent_1": ""})
    with pytest.raises(UnknownNameError, match=r"unknown checkpoint '1'(.|\n)*Known: 0, 2"):
        checkpoints_of(store).get_policies(1)


def test_no_checkpoint_at_all_is_an_error_too(store: LocalStore) -> None:
    with pytest.raises(UnknownNameError, match="Known: none"):
        checkpoints_of(store).get_policies()


def test_saving_again_replaces_the_whole_checkpoint(store: LocalStore) -> None:
    checkpoints_of(store).save_policies(1, {"agent_1": "old", "agent_2": "old"})
    checkpoints_of(store).save_policies(1, {"agent_1": "new"})
    assert checkpoints_of(store).get_policies(1) == {"agent_1": "new"}
    assert [entry.name for entry in (store.base_dir / "some_run" / "checkpoints").iterdir()] == ["iter_0001"]


def test_a_checkpoint_that_cannot_be_written_leaves_the_old_one(store: LocalStore) -> None:
    checkpoints_of(store).save_policies(1, {"agent_1": "old"})
    with pytest.raises(UserMistake, match="empty"):
        checkpoints_of(store).save_policies(1, {"agent_1": "new", "": "nobody"})
    assert checkpoints_of(store).get_policies(1) == {"agent_1": "old"}
    assert [entry.name for entry in (store.base_dir / "some_run" / "checkpoints").iterdir()] == ["iter_0001"]


@pytest.mark.parametrize("policies", [{}, {"agent_1": ""}, {"a": "", "b": "", "c": ""}])
def test_a_wrong_number_of_policies_is_refused(store: LocalStore, policies: dict[str, str]) -> None:
    with pytest.raises(UserMistake, match="polic"):
        checkpoints_of(store, 2).save_policies(0, policies)
    assert checkpoints_of(store).iterations() == []


def test_a_killed_writer_leaves_each_checkpoint_whole_or_absent(store: LocalStore) -> None:
    def save_without_end(ready: Callable[[], None]) -> None:
        for version in itertools.count():
            checkpoints_of(store).save_policies(version % 3, {f"agent_{n}": str(version) for n in range(10)})
            if version == 6:
                ready()

    for _ in range(3):
        with running(save_without_end) as writer:
            kill(writer)
        for iteration in checkpoints_of(store).iterations():
            policies = checkpoints_of(store).get_policies(iteration)
            assert len(policies) == 10
            assert len(set(policies.values())) == 1


def test_a_diff_shows_what_changed_by_agent(store: LocalStore) -> None:
    checkpoints_of(store).save_policies(0, {"agent_1": "one\ntwo", "agent_2": "same"})
    checkpoints_of(store).save_policies(1, {"agent_1": "one\nthree", "agent_2": "same", "agent_3": "new"})
    diffs = checkpoints_of(store).diff_policies(0, 1)
    assert diffs["agent_1"].splitlines() == [
        "--- iter_0000/agent_1.txt", "+++ iter_0001/agent_1.txt", "@@ -1,2 +1,2 @@", " one", "-two", "+three",
    ]  # fmt: skip
    assert diffs["agent_2"] == ""
    assert diffs["agent_3"].endswith("+new")


def test_a_changed_line_end_shows_in_a_diff(store: LocalStore) -> None:
    checkpoints_of(store).save_policies(0, {"agent_1": "one\r\n"})
    checkpoints_of(store).save_policies(1, {"agent_1": "one\n"})
    assert "-one\r" in checkpoints_of(store).diff_policies(0, 1)["agent_1"]


@pytest.mark.parametrize("run_id", ["../elsewhere", "a/b", "", ".", "..", ".hidden", "/tmp/x"])
def test_a_run_id_cannot_leave_the_store(store: LocalStore, run_id: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="unknown run"):
        PolicyCheckpoint(store, run_id)
