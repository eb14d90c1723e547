from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from langmarl.envs.sandbox import Backend, backend_statuses

PROJECT = Path(__file__).resolve().parents[3]
SHARED_DATA = Path(os.environ.get("LANGMARL_SHARED_DATA") or PROJECT.parent / "shared" / "data")


def require(name: Backend) -> Backend:
    """The backend; the test is skipped where it does not work, and fails on CI."""
    status = next(status for status in backend_statuses() if status.name == name)
    if not status.available:
        reason = f"{name} does not work here: {status.detail}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return name


@pytest.fixture
def bwrap() -> Backend:
    return require("bwrap")


@pytest.fixture
def monty() -> Backend:
    return require("monty")


@pytest.fixture(params=["bwrap", "monty"])
def backend(request: pytest.FixtureRequest) -> Backend:
    return require(request.param)


@pytest.fixture(scope="session")
def humaneval() -> list[dict[str, str]]:
    path = SHARED_DATA / "humaneval" / "HumanEval.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"no HumanEval file at {path}")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]
