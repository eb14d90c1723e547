"""Milliseconds that checking one program takes, by backend.

Programs: HumanEval's reference solutions, where the file is at hand (``../shared/data``, or ``LANGMARL_SHARED_DATA``),
else the coding tasks that ship with the package. One check at a time, so the figure is latency, not throughput.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
from importlib.resources import files
from pathlib import Path
from typing import Any

from langmarl.envs.sandbox import Backend, backend_statuses, check_program

PROJECT = Path(__file__).resolve().parents[1]
SHARED_DATA = Path(os.environ.get("LANGMARL_SHARED_DATA") or PROJECT.parent / "shared" / "data")
TIMEOUT_S = 30.0


def load_programs() -> tuple[str, list[dict[str, str]]]:
    """Name of the set, and its tasks."""
    path = SHARED_DATA / "humaneval" / "HumanEval.jsonl.gz"
    if path.is_file():
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        return "HumanEval", [{**row, "tests": row["test"]} for row in rows]
    shipped = files("langmarl.envs.language").joinpath("data", "coding.jsonl").read_text(encoding="utf-8")
    return "shipped coding tasks", [json.loads(line) for line in shipped.splitlines() if line.strip()]


def measure(backend: Backend, tasks: list[dict[str, str]]) -> dict[str, Any]:
    """Duration of each check, and how many of the reference solutions passed."""
    milliseconds, passed = [], 0
    for task in tasks:
        verdict = check_program(
            task["prompt"] + task["canonical_solution"],
            task["entry_point"],
            task["tests"],
            timeout_s=TIMEOUT_S,
            prelude=task["prompt"],
            backend=backend,
        )
        milliseconds.append(verdict.duration_s * 1000)
        passed += verdict.passed
    return {
        "backend": backend,
        "programs": len(tasks),
        "passed": passed,
        "min_ms": round(min(milliseconds), 2),
        "median_ms": round(statistics.median(milliseconds), 2),
        "max_ms": round(max(milliseconds), 2),
    }


def print_table(name: str, rows: list[dict[str, Any]]) -> None:
    print(f"{name}: milliseconds a check, one at a time")
    print(f"{'backend':<8} {'passed':>9} {'min':>9} {'median':>9} {'max':>9}")
    for row in rows:
        if "unavailable" in row:
            print(f"{row['backend']:<8} unavailable: {row['unavailable']}")
            continue
        share = f"{row['passed']}/{row['programs']}"
        print(f"{row['backend']:<8} {share:>9} {row['min_ms']:>9} {row['median_ms']:>9} {row['max_ms']:>9}")


def main() -> None:
    parser = argparse.ArgumentParser(description="How long checking one program takes.")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON instead of a table")
    arguments = parser.parse_args()
    name, tasks = load_programs()
    rows = [
        measure(status.name, tasks) if status.available else {"backend": status.name, "unavailable": status.detail}
        for status in backend_statuses()
    ]
    if arguments.json:
        print(
            json.dumps({"programs": name, "processors": os.cpu_count(), "backends": rows}, ensure_ascii=False, indent=2)
        )
    else:
        print_table(name, rows)


if __name__ == "__main__":
    main()
