from __future__ import annotations

import contextvars
import threading

from langmarl.llm import call_scope, current_scope
from langmarl.llm.scope import CallScope


def test_there_is_no_scope_outside_all() -> None:
    assert current_scope() is None


def test_a_nested_scope_inherits_what_it_does_not_set() -> None:
    with call_scope(phase="eval", iteration=3, episode=1), call_scope(agent="agent_1"):
        scope = current_scope()
    assert scope is not None
    assert (scope.phase, scope.iteration, scope.episode, scope.agent) == ("eval", 3, 1, "agent_1")


def test_a_nested_scope_can_unset_a_field() -> None:
    with call_scope(episode=1, agent="agent_1"), call_scope(episode=None, agent=None) as scope:
        assert (scope.episode, scope.agent) == (None, None)


def test_leaving_a_scope_restores_the_one_around_it() -> None:
    with call_scope(iteration=1):
        with call_scope(iteration=2):
            pass
        scope = current_scope()
        assert scope is not None
        assert scope.iteration == 1
    assert current_scope() is None


def test_turns_count_per_role_and_agent() -> None:
    with call_scope(iteration=0):
        turns = []
        for role, agent in [("actor", "a"), ("actor", "b"), ("actor", "a"), ("judge", "a")]:
            with call_scope(agent=agent) as scope:
                turns.append(scope.next_key(role, 0).turn)
    assert turns == [0, 0, 1, 0]


def test_a_repair_keeps_the_turn_of_the_call_it_repairs() -> None:
    with call_scope() as scope:
        keys = [scope.next_key("critic", attempt) for attempt in (0, 1, 2, 0)]
    assert [(key.turn, key.attempt) for key in keys] == [(0, 0), (0, 1), (0, 2), (1, 0)]


def test_the_attempt_of_the_scope_counts_where_the_call_gives_none() -> None:
    with call_scope() as scope:
        scope.next_key("update", 0)
        with call_scope(attempt=1) as repair:
            key = repair.next_key("update", 0)
    assert (key.turn, key.attempt) == (0, 1)


def test_turns_start_again_in_each_outermost_scope() -> None:
    def first_turn() -> int:
        with call_scope(episode=0) as scope:
            return scope.next_key("actor", 0).turn

    assert [first_turn(), first_turn()] == [0, 0]


def test_jobs_under_one_outer_scope_do_not_share_turns() -> None:
    with call_scope(iteration=0):
        with call_scope(episode=0) as first:
            first.next_key("actor", 0)
        with call_scope(episode=1) as second:
            assert second.next_key("actor", 0).turn == 0


def test_a_bare_thread_is_outside_and_a_copied_context_is_inside() -> None:
    seen: dict[str, CallScope | None] = {}

    def look(name: str) -> None:
        seen[name] = current_scope()

    with call_scope(iteration=7):
        context = contextvars.copy_context()
        threads = [
            threading.Thread(target=look, args=("bare",)),
            threading.Thread(target=context.run, args=(look, "copied")),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert seen["bare"] is None
    assert seen["copied"] is not None
    assert seen["copied"].iteration == 7
