from __future__ import annotations

import pytest

from langmarl.envs.sandbox import check_program
from langmarl.envs.sandbox.monty_gaps import is_gap


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("return max([1, 2, 2], key=[1, 2, 2].count)", "unsupported"),
        ("return [1, 1].number_of(1)", "raised"),
        ("yield 1", "unsupported"),
        ("raise NotImplementedError", "raised"),
        ("import fractions", "unsupported"),
        ("import no_such_module", "raised"),
        ("return memoryview", "unsupported"),
        ("return no_such_name", "raised"),
    ],
)
def test_what_python_has_and_monty_lacks_is_unsupported_and_the_rest_is_the_programs_fault(monty, body, outcome):
    tests = "def check(candidate):\n    assert candidate() == 2\n"
    verdict = check_program(f"def f():\n    {body}\n", "f", tests, timeout_s=5, backend=monty)
    assert verdict.outcome == outcome, verdict.reason


@pytest.mark.parametrize(
    "error",
    [
        ValueError("monty"),
        AttributeError("odd"),
        NameError("odd"),
        ImportError("odd"),
        AttributeError("'x' object has"),
    ],
)
def test_other_errors_are_no_gaps(error):
    assert not is_gap(error)
