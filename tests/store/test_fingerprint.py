from __future__ import annotations

from langmarl.config import LanguageTaskConfig
from langmarl.store import Fingerprint


def fingerprint(**fields: object) -> Fingerprint:
    return Fingerprint.of(LanguageTaskConfig.from_dict({"llm": "offline", **fields}), {"benchmark:qa.jsonl": "abc"})


def test_what_cannot_change_the_result_does_not_count() -> None:
    same = fingerprint(num_iterations=99, max_workers=1, log_level="DEBUG", experiment_dir="elsewhere", eval_tasks=3)
    assert same.digest == fingerprint().digest
    assert same.differing(fingerprint()) == []


def test_what_can_change_the_result_is_named() -> None:
    other = fingerprint(seed=1, actor_llm={"preset": "offline", "temperature": 0.5})
    assert other.digest != fingerprint().digest
    assert other.differing(fingerprint()) == ["actor_llm.temperature", "seed"]


def test_contents_count() -> None:
    config = LanguageTaskConfig(llm="offline")
    one, other = Fingerprint.of(config, {"prompts:critic.txt": "1"}), Fingerprint.of(config, {"prompts:judge.txt": "1"})
    assert one.differing(other) == ["prompts:critic.txt", "prompts:judge.txt"]
    assert one.digest != other.digest


def test_the_order_of_parts_does_not_count() -> None:
    assert Fingerprint({"a": "1", "b": "2"}).digest == Fingerprint({"b": "2", "a": "1"}).digest


def test_long_values_are_kept_as_digests_and_still_count() -> None:
    one, other = (fingerprint(initial_policies={"agent_1": "x" * 5000 + end}) for end in "ab")
    assert all(len(value) < 300 for value in one.parts.values())
    assert one.differing(other) == ["initial_policies.agent_1"]
