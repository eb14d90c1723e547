"""The two guest programs talking, in this process: without a sandbox, so the programs here are harmless."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from langmarl.envs.sandbox.guest.candidate import MODULE, serve
from langmarl.envs.sandbox.guest.tester import Candidate, Unusable, brief, describe, judge


@pytest.fixture
def candidate():
    requests_out, requests_in = os.pipe()
    replies_out, replies_in = os.pipe()
    server = threading.Thread(target=serve, args=(requests_out, replies_in))
    server.start()
    candidate = Candidate(requests_in, replies_out, "f")
    assert candidate.wait_until_ready()
    yield candidate
    os.close(requests_in)
    server.join(timeout=10)
    assert not server.is_alive()
    sys.modules.pop(MODULE, None)
    for descriptor in (requests_out, replies_out, replies_in):
        os.close(descriptor)


def test_a_right_program_passes(candidate):
    assert judge(candidate, "", "def f(x):\n    return x + 1\n", "def check(c):\n    assert c(1) == 2\n")[0] == "passed"


def test_the_failed_test_and_the_last_call_are_named(candidate):
    outcome, reason = judge(candidate, "", "def f(x):\n    return x\n", "def check(c):\n    assert c(1) == 2\n")
    assert (outcome, reason) == ("wrong_answer", "`assert c(1) == 2` failed; f(1) returned 1")


def test_a_failing_comparison_of_the_tests_is_a_wrong_answer(candidate):
    tests = "def check(c):\n    assert abs(c(1) - 2) < 0.1\n"
    outcome, reason = judge(candidate, "", "def f(x):\n    pass\n", tests)
    assert outcome == "wrong_answer"
    assert "TypeError" in reason


def test_a_name_that_the_tests_lack_is_their_own_fault(candidate):
    tests = "def check(c):\n    assert c(1) == helper(1)\n"
    assert judge(candidate, "", "def f(x):\n    return x\n", tests)[0] == "broken_tests"


def test_a_failure_stands_though_the_tests_swallow_it(candidate):
    tests = "def check(c):\n    try:\n        c(1)\n    except BaseException:\n        pass\n"
    outcome, reason = judge(candidate, "", "def f(x):\n    return object()\n", tests)
    assert outcome == "not_plain"
    assert "object" in reason


def test_an_unusable_candidate_is_never_called_again(candidate):
    candidate.load("calls = []\ndef f():\n    calls.append(1)\n    return f\n", None)
    for _ in range(2):
        with pytest.raises(Unusable):
            candidate()
    assert len(sys.modules[MODULE].calls) == 1


def test_exceptions_keep_type_and_arguments(candidate):
    candidate.load("def f(d):\n    return d['a']\n", None)
    with pytest.raises(KeyError) as caught:
        candidate({})
    assert caught.value.args == ("a",)


def test_an_exception_whose_arguments_are_not_plain_keeps_its_text(candidate):
    candidate.load("def f():\n    raise ValueError(f)\n", None)
    with pytest.raises(ValueError, match="function f"):
        candidate()


def test_an_entry_point_that_is_missing_is_named(candidate):
    assert judge(candidate, "", "x = 1\n", "def check(c):\n    pass\n") == (
        "invalid_program",
        "the program does not define 'f'",
    )


def test_a_candidate_that_is_gone_has_crashed():
    requests_out, requests_in = os.pipe()
    replies_out, replies_in = os.pipe()
    os.close(replies_in)
    gone = Candidate(requests_in, replies_out, "f")
    assert not gone.wait_until_ready()
    assert judge(gone, "", "", "")[0] == "crashed"
    for descriptor in (requests_out, requests_in, replies_out):
        os.close(descriptor)


def test_values_are_shown_in_one_short_line():
    assert brief([1, "a"]) == "[1, 'a']"
    assert len(brief("x" * 1000)) == 120
    assert "too large" in brief(10**5000)


def test_an_exception_that_cannot_be_shown_is_named():
    class Silent(Exception):
        def __str__(self):
            raise RuntimeError

    assert describe(Silent()) == "Silent"
