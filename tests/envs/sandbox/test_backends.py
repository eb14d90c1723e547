"""What happens on machines where a sandbox is missing; each test is such a machine, as far as its process can see."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from langmarl.envs.sandbox import available_backend, backend_statuses, ensure_available
from langmarl.envs.sandbox.backends import working_check
from tests.envs.sandbox.conftest import PROJECT

REPORT = """
from langmarl.envs.sandbox import available_backend, backend_statuses, check_program, ensure_available
from langmarl.errors import UserMistake

print("backend:", available_backend())
for status in backend_statuses():
    print(status.name, status.available, status.detail)
try:
    ensure_available()
    verdict = check_program("def f():\\n    return 1", "f", "def check(c):\\n    assert c() == 1", timeout_s=5)
    print("verdict:", verdict.passed, verdict.backend)
except UserMistake as mistake:
    print("mistake:", mistake)
"""


def report(*prefix: str, **environment: str) -> str:
    command = [*prefix, sys.executable, "-c", REPORT]
    outcome = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, timeout=60, check=False
    )
    assert outcome.returncode == 0, outcome.stderr
    return outcome.stdout


def test_bubblewrap_is_preferred(bwrap):
    assert available_backend() == "bwrap"
    assert [status.name for status in backend_statuses()] == ["bwrap", "monty"]
    ensure_available()


def test_without_bubblewrap_programs_run_in_monty(monty, tmp_path):
    interpreter = shutil.which("monty")  # where it is installed beside Python, it is found without the search path
    found = report(PATH=str(tmp_path), **({"MONTY_BIN": interpreter} if interpreter else {}))
    assert "backend: monty" in found
    assert "bwrap False" in found
    assert "verdict: True monty" in found


def test_where_namespaces_are_forbidden_the_reason_is_kept_and_monty_takes_over(bwrap, monty):
    forbidding = ("bwrap", "--unshare-user", "--uid", "1000", "--disable-userns", "--dev-bind", "/", "/", "--")
    found = report(*forbidding)
    assert "backend: monty" in found
    assert "namespace" in found.lower()
    assert "verdict: True monty" in found


def test_without_any_sandbox_nothing_runs_and_the_remedy_is_named(tmp_path):
    found = report(PATH=str(tmp_path), MONTY_BIN=str(tmp_path / "missing"))
    assert "backend: None" in found
    assert "mistake: there is no sandbox" in found
    assert "apt-get install bubblewrap" in found
    assert "verdict" not in found


def test_a_bubblewrap_that_does_not_work_is_not_used(tmp_path):
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'kernel says no' >&2\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    found = report(PATH=f"{tmp_path}:/bin:/usr/bin")
    assert "kernel says no" in found
    assert "bwrap True" not in found


@pytest.mark.parametrize("name", ["bwrap", "monty"])
def test_a_backend_is_tried_once(name, request):
    request.getfixturevalue(name)
    assert working_check(name) is working_check(name)


def test_a_coding_run_is_refused_with_the_remedy_before_its_first_call(tmp_path):
    command = [
        sys.executable,
        "-m",
        "langmarl",
        "train",
        str(PROJECT / "configs" / "language_task" / "coding_central_credit.json"),
    ]
    nowhere = {"PATH": str(tmp_path), "MONTY_BIN": str(tmp_path / "missing"), "LANGMARL_NO_DOTENV": "1"}
    ended = subprocess.run(
        [*command, "--override", "llm=offline", "experiment_dir=runs"],
        env={**os.environ, "PYTHONPATH": str(PROJECT), **nowhere},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 2
    told = " ".join(ended.stderr.split())
    assert "there is no sandbox to run model-written code in" in told
    assert "apt-get install bubblewrap" in told
    assert "Traceback" not in told
    assert list(tmp_path.rglob("calls/*")) == []
