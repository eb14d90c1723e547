from __future__ import annotations

import threading
from pathlib import Path

import pytest

from langmarl.errors import UserMistake
from langmarl.store import Metrics, MetricsFile


def test_nothing_written_is_empty(tmp_path: Path) -> None:
    assert MetricsFile(tmp_path / "metrics.json").read() == Metrics()


def test_rows_are_added_in_order_and_replaced_by_number(tmp_path: Path) -> None:
    file = MetricsFile(tmp_path / "metrics.json")
    file.append_iteration({"iteration": 1, "avg_reward": 0.5})
    file.append_iteration({"iteration": 0, "avg_reward": 0.1})
    file.append_iteration({"iteration": 1, "avg_reward": 0.7}, totals={"total_tokens": 9})
    file.append_evaluation({"checkpoint": 2, "avg_reward": 0.9})
    file.append_evaluation({"checkpoint": 0, "avg_reward": 0.2})
    file.set_best_checkpoint(2)
    again = MetricsFile(tmp_path / "metrics.json")
    assert again.read() == Metrics(
        iterations=[{"iteration": 0, "avg_reward": 0.1}, {"iteration": 1, "avg_reward": 0.7}],
        evaluations=[{"checkpoint": 0, "avg_reward": 0.2}, {"checkpoint": 2, "avg_reward": 0.9}],
        best_checkpoint=2,
        totals={"total_tokens": 9},
    )
    assert again.iterations() == again.read().iterations
    assert again.has_evaluation(2)
    assert not again.has_evaluation(1)


def test_totals_stay_until_they_are_set(tmp_path: Path) -> None:
    file = MetricsFile(tmp_path / "metrics.json")
    file.set_totals({"cost_usd": None})
    file.append_iteration({"iteration": 0})
    file.append_evaluation({"checkpoint": 0})
    assert file.read().totals == {"cost_usd": None}
    file.append_evaluation({"checkpoint": 1}, totals={"cost_usd": 1.0})
    assert file.read().totals == {"cost_usd": 1.0}


def test_replace_writes_over_everything(tmp_path: Path) -> None:
    file = MetricsFile(tmp_path / "metrics.json")
    file.append_iteration({"iteration": 0})
    file.replace(Metrics(best_checkpoint=3))
    assert file.read() == Metrics(best_checkpoint=3)


def test_a_row_must_say_its_number(tmp_path: Path) -> None:
    file = MetricsFile(tmp_path / "metrics.json")
    with pytest.raises(KeyError, match="iteration"):
        file.append_iteration({"avg_reward": 0.5})
    with pytest.raises(KeyError, match="checkpoint"):
        file.append_evaluation({"avg_reward": 0.5})


def test_threads_lose_no_row(tmp_path: Path) -> None:
    file = MetricsFile(tmp_path / "metrics.json")
    threads = [threading.Thread(target=file.append_iteration, args=({"iteration": n},)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [row["iteration"] for row in file.iterations()] == list(range(8))


@pytest.mark.parametrize(
    "content", ['{"iterations": [{}]}', '{"evaluations": 3}', '{"iterations": [1]}', '{"totals": 1}', "["]
)
def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path, content: str) -> None:
    path = tmp_path / "metrics.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UserMistake, match=r"metrics\.json is damaged(.|\n)*move it away(.|\n)*without paying"):
        MetricsFile(path).read()
