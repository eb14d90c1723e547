"""Environments that exist for one test only."""

import langmarl.config.registry as configs
import langmarl.envs.registry as environments
from langmarl.envs import register_env


def register_for_test(monkeypatch, name, environment):
    """Register an environment until the test ends."""
    monkeypatch.setattr(configs, "_classes", dict(configs._classes))
    monkeypatch.setattr(environments, "_environments", dict(environments._environments))
    register_env(name)(environment)
