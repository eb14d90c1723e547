"""Configs that a person might bring along."""

import json


def offline_config(**settings):
    """A config for the built-in model, small and quick."""
    given = {"env": "language", "task_type": "qa", "exp_name": "brought", "llm": "offline", "seed": 5}
    return {**given, "num_iterations": 2, "trajectories_per_iteration": 2, **settings}


def long_config(**settings):
    """One that goes on until it is stopped."""
    return offline_config(num_iterations=5000, **settings)


def as_upload(config, name="config.json"):
    """The same as a file for an upload field."""
    return {"name": name, "mimeType": "application/json", "buffer": json.dumps(config).encode()}
