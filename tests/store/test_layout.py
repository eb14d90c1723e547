from __future__ import annotations

from pathlib import Path

import pytest

from langmarl.errors import UserMistake
from langmarl.store.layout import (
    episode_file,
    episodes_in,
    in_natural_order,
    iteration_name,
    iterations_in,
    original_name,
    run_folder_name,
    safe_name,
)

ODD_NAMES = [
    "a/b",
    "../../etc/passwd",
    ".",
    "..",
    ".hidden",
    "a.b",
    "50%",
    "%41",
    " x ",
    "日本",
    "a\0b",
    "x\ud83d",
    "A:B?",
]


@pytest.mark.parametrize("name", ["agent_1", "piston-20", "Alice Smith", "日本", "a.b"])
def test_plain_names_stay_as_they_are(name: str) -> None:
    assert safe_name(name) == name


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_are_safe_and_come_back(name: str, tmp_path: Path) -> None:
    safe = safe_name(name)
    assert original_name(safe) == name
    path = tmp_path / f"{safe}.txt"
    path.touch()
    assert list(tmp_path.iterdir()) == [path]
    assert not path.name.startswith(".")


def test_different_names_get_different_files() -> None:
    assert len({safe_name(name) for name in ODD_NAMES}) == len(ODD_NAMES)


@pytest.mark.parametrize("name", ["", "x" * 201, "/" * 100])
def test_impossible_names_are_refused(name: str) -> None:
    with pytest.raises(UserMistake, match="name"):
        safe_name(name)


def test_iterations_and_episodes_are_found_by_their_names(tmp_path: Path) -> None:
    for name in ("iter_0002", "iter_0000.json", "iter_12345", ".iter_0007.tmp", "iter_x", "notes"):
        (tmp_path / name).touch()
    assert iterations_in(tmp_path) == [0, 2, 12345]
    for name in (episode_file(11), episode_file("2"), episode_file("a/b"), "merged.json", ".x.tmp"):
        (tmp_path / name).touch()
    assert episodes_in(tmp_path) == [2, 11, "a/b"]


@pytest.mark.parametrize("iteration", [-1, True, 1.0, "1"])
def test_an_iteration_is_a_whole_number_from_0(iteration: object) -> None:
    with pytest.raises(ValueError, match="whole number"):
        iteration_name(iteration)  # type: ignore[arg-type]


def test_a_negative_episode_is_refused() -> None:
    with pytest.raises(ValueError, match="whole number"):
        episode_file(-1)


@pytest.mark.parametrize(
    ("exp_name", "expected"),
    [("demo", "demo_S"), ("../up", "_up_S"), ("a b/c", "a_b_c_S"), ("...", "run_S"), ("größe", "größe_S")],
)
def test_run_folders_are_named_after_the_experiment(exp_name: str, expected: str) -> None:
    assert run_folder_name(exp_name, "S", 1) == expected
    assert run_folder_name(exp_name, "S", 3) == f"{expected}_3"


def test_a_long_experiment_name_fits_a_file_system() -> None:
    assert len(run_folder_name("漢" * 300, "20260101_000000", 2).encode()) < 255


def test_natural_order_counts() -> None:
    assert in_natural_order(["agent_10", "agent_2", "b", "agent_1", "7"]) == [
        "7",
        "agent_1",
        "agent_2",
        "agent_10",
        "b",
    ]
