from __future__ import annotations

from pathlib import Path

import pytest

from langmarl.config import LanguageTaskConfig
from langmarl.store import Fingerprint, LocalStore, RunDirectory


@pytest.fixture
def config() -> LanguageTaskConfig:
    return LanguageTaskConfig(llm="offline", exp_name="demo")


@pytest.fixture
def fingerprint(config: LanguageTaskConfig) -> Fingerprint:
    return Fingerprint.of(config, {"benchmark:qa.jsonl": "abc"})


@pytest.fixture
def store(tmp_path: Path) -> LocalStore:
    return LocalStore(tmp_path / "experiments")


@pytest.fixture
def run(store: LocalStore, config: LanguageTaskConfig, fingerprint: Fingerprint) -> RunDirectory:
    return store.find_or_create(config, fingerprint).run
