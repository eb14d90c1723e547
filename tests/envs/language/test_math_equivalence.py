import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from langmarl.envs.language.math_answers import Candidate
from langmarl.envs.language.math_equivalence import Comparison, MathWorker


@pytest.fixture(scope="module")
def worker():
    worker = MathWorker()
    yield worker
    worker.close()


def latex(*texts):
    return [Candidate(text, "latex") for text in texts]


def test_equal_expressions_are_equal(worker):
    assert worker.compare(r"\frac{1}{2}", latex("0.5")) == Comparison("equal", "0.5")
    assert worker.compare("2k+2", latex("2(k+1)")).outcome == "equal"
    assert worker.compare("1,-2", latex("-2, 1")).outcome == "equal"


def test_other_expressions_are_different(worker):
    assert worker.compare("5", latex("6")) == Comparison("different", "6")
    assert worker.compare("(3,4]", latex("(3,4)")).outcome == "different"


def test_first_candidate_that_can_be_read_decides(worker):
    found = [Candidate("no number here", "prose"), Candidate("It is 6.", "prose"), Candidate("It is 5.", "prose")]
    assert worker.compare("5", found) == Comparison("different", "6")


def test_text_without_an_expression_is_unparsed(worker):
    assert worker.compare("5", [Candidate("I do not know", "prose")]) == Comparison("unparsed")


def test_threads_share_a_worker_without_mixing_replies(worker):
    def ask(number):
        right = worker.compare(str(number), latex(f"{number}+0"))
        return right.outcome, worker.compare(str(number), latex("-1")).outcome

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(ask, range(40))) == {("equal", "different")}


def test_killed_worker_costs_one_answer_and_is_replaced(worker):
    worker.compare("1", latex("1"))
    os.kill(worker._process.pid, signal.SIGKILL)
    worker._process.wait()
    assert worker.compare("1", latex("2-1")).outcome == "equal"


def test_question_without_an_answer_in_time_is_given_up_and_the_next_is_answered():
    worker = MathWorker()
    worker.compare("1", latex("1"))
    stopped = worker._process
    os.kill(stopped.pid, signal.SIGSTOP)
    worker.timeout_s = 0.05
    assert worker.compare("1", latex("1")) == Comparison("timed_out")
    assert stopped.poll() == -signal.SIGKILL
    assert worker.compare("1", latex("2-1")).outcome == "equal"
    worker.close()


def test_algebra_without_end_is_different_from_the_answer(worker):
    assert worker.compare("8", latex("10^{10^{10^{10}}}")).outcome == "different"
    assert worker.compare("8", latex("2^3")).outcome == "equal"


def test_keys_do_not_reach_the_worker(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted")
    worker = MathWorker()
    worker.compare("1", latex("1"))
    assert b"sk-planted" not in Path(f"/proc/{worker._process.pid}/environ").read_bytes()
    worker.close()


def test_closed_worker_is_gone_and_can_be_used_again():
    worker = MathWorker()
    worker.compare("1", latex("1"))
    first = worker._process
    worker.close()
    worker.close()
    assert first.poll() is not None
    assert worker.compare("1", latex("1")).outcome == "equal"
    worker.close()


def test_worker_ends_when_its_stdin_does():
    worker = MathWorker()
    worker.compare("1", latex("1"))
    process, worker._process = worker._process, None
    process.stdin.close()
    assert process.wait(timeout=10) == 0
    process.stdout.close()
