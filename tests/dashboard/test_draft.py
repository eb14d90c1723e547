from dashboard.draft import Draft, DraftShelf, starting_draft
from langmarl.config import BaseConfig
from langmarl.config.registry import config_class
from langmarl.envs.base import BaseEnvironment
from tests.dashboard.registering import register_for_test


class ParkingConfig(BaseConfig):
    env: str = "parking"
    lots: int = 4


class Parking(BaseEnvironment):
    config_class = ParkingConfig


def test_the_starting_draft_can_run_without_a_key():
    draft = starting_draft()
    assert draft.config is not None
    assert not draft.faults
    assert draft.config.get_actor_llm().is_offline


def test_a_change_makes_another_draft_and_leaves_the_first_alone():
    draft = Draft({"llm": {"preset": "gpt-4o"}})
    changed = draft.with_value(("llm", "temperature"), 0.5)
    assert changed.data == {"llm": {"preset": "gpt-4o", "temperature": 0.5}}
    assert draft.data == {"llm": {"preset": "gpt-4o"}}
    assert changed.without(("llm", "temperature")).data == draft.data


def test_a_setting_is_renamed_in_its_place():
    draft = Draft({"a": 1, "num_agent": 3, "z": 2}).renamed(("num_agent",), "num_agents")
    assert list(draft.data.items()) == [("a", 1), ("num_agents", 3), ("z", 2)]


def test_wrong_settings_are_kept_as_they_are():
    draft = Draft({"llm": "offline", "num_agents": "three", "bogus": 1})
    assert draft.config is None
    assert {fault.field for fault in draft.faults} == {"num_agents", "bogus"}
    assert draft.data["bogus"] == 1


def test_another_environment_keeps_the_settings_of_the_first_for_the_way_back(monkeypatch):
    register_for_test(monkeypatch, "parking", Parking)
    assert config_class("parking") is ParkingConfig
    draft = Draft({"env": "language", "task_type": "math", "llm": "offline"})
    other = draft.with_environment("parking")
    assert other.data == {"env": "parking", "llm": "offline"}
    assert not other.faults
    back = other.with_value(("lots",), 9).with_environment("language")
    assert back.data == {"env": "language", "llm": "offline", "task_type": "math"}
    assert back.with_environment("parking").data["lots"] == 9


def test_the_shelf_forgets_what_was_not_used_for_longest():
    shelf = DraftShelf()
    for number in range(200):
        shelf.put(str(number), Draft({"n": number}))
    assert shelf.get("0") is not None
    shelf.put("one more", Draft({}))
    assert shelf.get("0") is not None
    assert shelf.get("1") is None
