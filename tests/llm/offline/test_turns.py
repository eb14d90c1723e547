import threading
import time

from langmarl.llm.offline.turns import Turns


def in_thread(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_one_turn_at_a_time():
    turns, inside, seen = Turns(patience_s=1), [], []

    def work():
        with turns.turn():
            inside.append(1)
            seen.append(len(inside))
            time.sleep(0.01)
            inside.pop()

    for thread in [in_thread(work) for _ in range(8)]:
        thread.join(10)
    assert seen == [1] * 8


def test_a_turn_waits_for_those_with_precedence():
    turns, order = Turns(patience_s=60), []

    def work():
        with turns.turn():
            order.append("turn")

    with turns.precedence(), turns.precedence():
        waiting = in_thread(work)
        waiting.join(0.1)
        order.append("page")
    waiting.join(10)
    assert order == ["page", "turn"]


def test_patience_ends():
    turns, order = Turns(patience_s=0.05), []

    def work():
        with turns.turn():
            order.append("turn")

    with turns.precedence():
        in_thread(work).join(10)
        order.append("page")
    assert order == ["turn", "page"]


def test_precedence_ends_with_a_failure_too():
    turns = Turns(patience_s=60)
    try:
        with turns.precedence():
            raise ValueError
    except ValueError:
        pass
    with turns.turn():
        pass
