import threading
import time

import pytest

from langmarl.collector.schedule import Schedule, Urgency
from langmarl.errors import RunHalted


def run(schedule, told=None):
    schedule.run(on_error=(told if told is not None else []).append)


def test_the_most_urgent_job_goes_first_and_equals_keep_their_order():
    schedule, order = Schedule(1), []
    for urgency in (Urgency.GRADIENT, Urgency.ROLLOUT, Urgency.JUDGE, Urgency.ROLLOUT, Urgency.UPDATE):
        schedule.add(urgency, lambda u=urgency: u, order.append)
    run(schedule)
    assert order == sorted(order)


def test_no_more_jobs_than_workers_are_ever_in_flight():
    schedule, lock, now, most = Schedule(3), threading.Lock(), [0], [0]

    def work():
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.005)
        with lock:
            now[0] -= 1

    for _ in range(30):
        schedule.add(Urgency.ROLLOUT, work, lambda _: None)
    run(schedule)
    assert most[0] == 3


def test_results_are_handled_in_the_calling_thread_and_may_add_jobs():
    schedule, seen = Schedule(2), []

    def done(value):
        seen.append((value, threading.current_thread()))
        if value < 5:
            schedule.add(Urgency.JUDGE, lambda: value + 1, done)

    schedule.add(Urgency.ROLLOUT, lambda: 0, done)
    run(schedule)
    assert [value for value, _ in seen] == [0, 1, 2, 3, 4, 5]
    assert {thread for _, thread in seen} == {threading.current_thread()}


def test_a_failure_starts_nothing_new_but_handles_what_is_in_flight():
    schedule, started, handled, told = Schedule(2), [], [], []
    both_running = threading.Barrier(2)

    def fails():
        started.append("fails")
        both_running.wait()
        raise ValueError("first")

    def slow():
        started.append("slow")
        both_running.wait()
        time.sleep(0.05)
        return "slow"

    schedule.add(Urgency.ROLLOUT, fails, handled.append)
    schedule.add(Urgency.ROLLOUT, slow, handled.append)
    schedule.add(Urgency.ROLLOUT, lambda: started.append("never"), handled.append)
    with pytest.raises(ValueError, match="first"):
        run(schedule, told)
    assert sorted(started) == ["fails", "slow"]
    assert handled == ["slow"]
    assert [str(error) for error in told] == ["first"]


def test_a_second_failure_is_not_lost():
    schedule, both_running = Schedule(2), threading.Barrier(2)

    def fails(words):
        both_running.wait()
        raise ValueError(words)

    schedule.add(Urgency.ROLLOUT, lambda: fails("one"), lambda _: None)
    schedule.add(Urgency.ROLLOUT, lambda: fails("two"), lambda _: None)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - which of the two comes first is chance
        run(schedule)
    told = str(caught.value) + "".join(caught.value.__notes__)
    assert "one" in told
    assert "two" in told


def test_a_halt_raised_while_watching_ends_the_run_in_order():
    def watch():
        raise RunHalted("stopped", "asked to")

    schedule, handled = Schedule(1, watch), []
    schedule.add(Urgency.ROLLOUT, lambda: "in flight", handled.append)
    schedule.add(Urgency.ROLLOUT, lambda: "never", handled.append)
    with pytest.raises(RunHalted):
        run(schedule)
    assert handled == ["in flight"]


def test_a_schedule_can_be_used_again_after_a_failure():
    schedule, seen = Schedule(1), []

    def fails():
        raise ValueError

    schedule.add(Urgency.ROLLOUT, fails, seen.append)
    schedule.add(Urgency.ROLLOUT, lambda: "left over", seen.append)
    with pytest.raises(ValueError):  # noqa: PT011
        run(schedule)
    schedule.add(Urgency.ROLLOUT, lambda: "later", seen.append)
    run(schedule)
    assert seen == ["later"]
