import gc
import sys
import threading

import pytest

from langmarl.syntax import expression, syntax_tree

DEEP = "def f(a, b):\n" + "".join(f"    x{line} = [a + b * ({line} + (a - (b + (1))))]\n" for line in range(60))


@pytest.fixture
def busy_collector():
    """Makes threads change places in the middle of parsing, as a finalizer of any object may."""

    def look_around(*_):
        return [None for _ in range(50)]

    threshold, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.callbacks.append(look_around)
    gc.set_threshold(7)
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*threshold)
    gc.callbacks.remove(look_around)


def test_threads_may_parse_at_once(busy_collector):
    failed = []

    def work():
        try:
            for _ in range(40):
                assert syntax_tree(DEEP) is not None
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


@pytest.mark.parametrize("text", ["def f(:", "a\0b", "(" * 5000, "'\\ud800", "\ud800"])
def test_what_is_not_python_has_no_tree(text):
    assert syntax_tree(text) is None


def test_an_expression_stands_alone():
    assert expression(" f(1) ").func.id == "f"
    assert expression("x = 1") is None
    assert expression("1; 2") is None
    assert expression("1 +") is None
