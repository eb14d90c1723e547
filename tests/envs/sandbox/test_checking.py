from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from langmarl.envs.sandbox import check_program
from langmarl.errors import UserMistake

ADD = "def add(a, b):\n    return a + b\n"
ADD_TESTS = "def check(candidate):\n    assert candidate(2, 3) == 5\n"


def run(backend, source, tests, entry_point="f", **options):
    return check_program(source, entry_point, tests, timeout_s=options.pop("timeout_s", 5), backend=backend, **options)


def test_a_right_program_passes(backend):
    verdict = run(backend, ADD, ADD_TESTS, "add")
    assert (verdict.passed, verdict.outcome, verdict.backend) == (True, "passed", backend)
    assert verdict.duration_s > 0


def test_a_wrong_answer_names_the_test_and_the_call(backend):
    verdict = run(backend, ADD.replace("+", "-"), ADD_TESTS, "add")
    assert (verdict.passed, verdict.outcome) == (False, "wrong_answer")
    assert "assert candidate(2, 3) == 5" in verdict.reason
    assert "add(2, 3) returned -1" in verdict.reason


def test_an_exception_of_the_program_is_named(backend):
    verdict = run(backend, "def f():\n    raise ValueError('nope')\n", "def check(candidate):\n    candidate()\n")
    assert verdict.outcome == "raised"
    assert "ValueError: nope" in verdict.reason


def test_a_test_can_expect_a_builtin_exception(backend):
    tests = (
        "def check(candidate):\n    try:\n        candidate({})\n    except KeyError as error:\n"
        "        assert error.args == ('a',)\n    else:\n        assert False\n"
    )
    assert run(backend, "def f(d):\n    return d['a']\n", tests).passed


def test_an_exception_class_of_the_program_arrives_as_its_builtin_base(bwrap):
    source = "class Mine(ValueError):\n    pass\ndef f():\n    raise Mine('x', 2)\n"
    tests = (
        "def check(candidate):\n    try:\n        candidate()\n    except ValueError as error:\n"
        "        assert type(error) is ValueError and error.args == ('x', 2)\n        return\n    assert False\n"
    )
    assert run(bwrap, source, tests).passed


def test_an_exception_with_arguments_of_its_own_keeps_its_type(bwrap):
    tests = (
        "def check(candidate):\n    try:\n        candidate(b'\\xff')\n    except UnicodeDecodeError as error:\n"
        "        assert error.start == 0\n        return\n    assert False\n"
    )
    assert run(bwrap, "def f(data):\n    return data.decode()\n", tests).passed


def test_an_exception_that_would_end_a_loop_of_the_tests_fails_them(bwrap):
    tests = "def check(candidate):\n    assert all(map(lambda x: candidate(x) == x + 1, [1, 2]))\n"
    verdict = run(bwrap, "def f(x):\n    raise StopIteration\n", tests)
    assert verdict.outcome == "raised"
    assert "StopIteration" in verdict.reason


@pytest.mark.parametrize("raised", ["StopIteration", "SystemExit", "KeyboardInterrupt"])
def test_an_exception_that_would_end_the_tests_counts_even_where_they_catch_it(backend, raised):
    tests = "def check(candidate):\n    try:\n        candidate(1)\n    except BaseException:\n        pass\n"
    assert not run(backend, f"def f(x):\n    raise {raised}()\n", tests).passed


def test_arguments_are_copies_and_so_are_results(backend):
    source = "kept = [1]\ndef f(items):\n    items.append(9)\n    return kept\n"
    tests = (
        "def check(candidate):\n    mine = [0]\n    result = candidate(mine)\n    assert mine == [0]\n"
        "    result.append(2)\n    assert candidate(mine) == [1]\n"
    )
    assert run(backend, source, tests).passed


def test_keyword_arguments_arrive(backend):
    tests = "def check(candidate):\n    assert candidate(1, b=2) == 3\n"
    assert run(backend, ADD, tests, "add").passed


def test_all_plain_types_cross_both_ways(backend):
    tests = (
        "def check(candidate):\n    for value in [None, True, 2**80, 1.5, float('inf'), 1j, 'ä', b'\\x00', [1],\n"
        "                  (1, 2), {1}, frozenset({1}), {'a': 1, (1,): [None]}]:\n"
        "        result = candidate(value)\n        assert result == value and type(result) is type(value)\n"
    )
    assert run(backend, "def f(value):\n    return value\n", tests).passed


def test_a_program_may_print_and_keep_state(backend):
    source = "calls = []\ndef f():\n    print('x' * 1000)\n    calls.append(1)\n    return len(calls)\n"
    assert run(backend, source, "def check(candidate):\n    assert [candidate(), candidate()] == [1, 2]\n").passed


def test_a_program_may_use_dataclasses_and_the_standard_library(bwrap):
    source = (
        "import dataclasses, itertools, re, hashlib\n@dataclasses.dataclass\nclass P:\n    x: int\n"
        "def f():\n    return [P(3).x, hashlib.md5(b'').hexdigest()[:2], re.sub('a', 'b', 'a')]\n"
    )
    assert run(bwrap, source, "def check(candidate):\n    assert candidate() == [3, 'd4', 'b']\n").passed


def test_helpers_of_the_tests_come_from_the_prelude_and_not_from_the_program(backend):
    prelude = "def twice(x):\n    return 2 * x\n\ndef f(x):\n    '''Halve x.'''\n"
    tests = "def check(candidate):\n    assert candidate(twice(4)) == 4\n"
    assert run(backend, "def f(x):\n    return x // 2\n", tests, prelude=prelude).passed
    forged = "def twice(x):\n    return x\ndef f(x):\n    return x\n"
    assert not run(backend, forged, tests, prelude=prelude).passed


def test_a_prelude_may_stop_in_the_middle_or_be_prose(backend):
    tests = "def check(candidate):\n    assert candidate(3) == 3\n"
    for prelude in ("import math\ndef f(x):", "Write f, please."):
        assert run(backend, "def f(x):\n    return x\n", tests, prelude=prelude).passed


def test_tests_may_call_the_function_by_its_own_name(backend):
    tests = "def check(candidate):\n    assert add(2, 3) == 5\n"
    assert run(backend, ADD, tests, "add", prelude="def add(a, b):\n    '''Add.'''\n").passed


def test_random_tests_give_the_same_verdict_twice(backend):
    source = "import random\ndef f(x):\n    return random.random()\n"
    tests = "import random\ndef check(candidate):\n    assert candidate(0) == random.random() + 1\n"
    assert run(backend, source, tests).reason == run(backend, source, tests).reason


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def f(:\n", "SyntaxError|does not load"),
        ("1 / 0\ndef f():\n    pass\n", "ZeroDivisionError"),
        ("def g():\n    pass\n", "'f'"),
        ("x = {}['missing']\n", "KeyError"),
        ("x = '\ud800'\ndef f():\n    pass\n", "surrogate"),
    ],
)
def test_a_program_that_does_not_load_is_invalid(backend, source, words):
    verdict = run(backend, source, "def check(candidate):\n    pass\n")
    assert verdict.outcome == "invalid_program"
    assert any(word in verdict.reason for word in words.split("|"))


@pytest.mark.parametrize(
    "tests",
    ["def check(:", "x = 1\n", "1 / 0", "def check(candidate):\n    assert undefined == candidate()\n"],
)
def test_broken_tests_are_told_from_a_wrong_program(backend, tests):
    verdict = run(backend, "def f():\n    return 1\n", tests)
    assert (verdict.passed, verdict.outcome) == (False, "broken_tests")


def test_tests_that_pass_a_function_are_refused(backend):
    verdict = run(backend, "def f(g):\n    return 1\n", "def check(candidate):\n    candidate(len)\n")
    assert verdict.outcome == "broken_tests"
    assert "argument" in verdict.reason


def test_a_program_cannot_put_the_blame_on_the_tests(backend):
    source = "def f(x):\n    for _ in range(197):\n        x = [x]\n    return x\n"
    verdict = run(backend, source, "def check(candidate):\n    candidate([candidate(1)])\n")
    assert (verdict.passed, verdict.outcome) == (False, "not_plain")
    for source in ("def f(x):\n    return undefined\n", "def f(x):\n    raise NameError('x')\n"):
        assert run(backend, source, "def check(candidate):\n    candidate(1)\n").outcome == "raised"


def test_tests_that_swallow_everything_do_not_save_an_unusable_program(backend):
    tests = "def check(candidate):\n    try:\n        candidate()\n    except BaseException:\n        pass\n"
    verdict = run(backend, "class A:\n    pass\ndef f():\n    return A()\n", tests)
    assert (verdict.passed, verdict.outcome) == (False, "not_plain")


def test_tests_that_write_half_a_verdict_hold_nobody_up(bwrap):
    tests = (
        "import os, time\nfor fd in range(3, 20):\n    try:\n        os.write(fd, bytes(7) + b'\\x40')\n"
        "    except OSError:\n        pass\ntime.sleep(60)\n"
    )
    assert run(bwrap, "def f():\n    return 1\n", tests, timeout_s=1).outcome in ("timed_out", "crashed")


def test_a_program_over_the_time_limit_times_out(backend):
    verdict = run(
        backend, "def f():\n    while True:\n        pass\n", "def check(candidate):\n    candidate()\n", timeout_s=0.5
    )
    assert verdict.outcome == "timed_out"
    assert verdict.duration_s < 4


def test_a_feature_that_monty_lacks_is_not_called_a_wrong_answer(monty):
    source = "class A(dict):\n    pass\ndef f():\n    return 1\n"
    assert run(monty, source, "def check(candidate):\n    assert candidate() == 1\n").outcome == "unsupported"


def test_checks_from_many_threads_do_not_mix(backend):
    def verdict(number):
        source = f"def f():\n    return {number}\n"
        return run(backend, source, f"def check(candidate):\n    assert candidate() == {number // 2 * 2}\n").passed

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(verdict, range(24))) == [number % 2 == 0 for number in range(24)]


@pytest.mark.parametrize("name", ["", "a b", "f()", "def", "f.g"])
def test_an_entry_point_that_is_no_name_is_the_users_mistake(name):
    with pytest.raises(UserMistake, match="entry_point"):
        check_program(ADD, name, ADD_TESTS, timeout_s=5)
