"""``langmarl show``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langmarl.cli.options import EXPERIMENTS, Agent, Checkpoint, Experiments, Json, RunName
from langmarl.cli.printing import complain, say, say_json
from langmarl.cli.report import say_state, show_evaluations, show_iterations, show_usage
from langmarl.cli.selection import LATEST, checkpoint_number, chosen_agents, open_run
from langmarl.store import RunDirectory

_MODEL_FIELDS = ("llm", "actor_llm", "critic_llm", "optimizer_llm", "judge_llm")
_PLAIN_FIELDS = {
    "paradigm": "central_credit",
    "num_agents": 2,
    "num_iterations": 5,
    "trajectories_per_iteration": 10,
    "mini_batch_size": None,
    "seed": 0,
    "max_workers": 5,
    "max_cost_usd": None,
    "max_total_tokens": None,
    "eval_tasks": 0,
    "update_rule": "guarded",
}
"""What of a config is worth a line → the value that a config without it has; unset ones are not shown."""


def show(
    run: RunName,
    checkpoint: Checkpoint = None,
    agent: Agent = None,
    experiments: Experiments = EXPERIMENTS,
    as_json: Json = False,
) -> None:
    """Show a run: results, settings and policies.

    The policies are those of the latest checkpoint unless another is named.
    """
    from langmarl.trainer.summary import summarize  # brings the whole library along, which --help does not need

    directory = open_run(run, experiments)
    summary, config = summarize(directory), directory.config_data()
    number = _checkpoint(directory, checkpoint)
    policies = {} if number is None else chosen_agents(directory.checkpoints.get_policies(number), agent)
    for name in [] if number is None else directory.checkpoints.changed_agents(number):
        complain(f"The policy of {name} in checkpoint {number} was changed since it was written.")
    if as_json:
        say_json({**summary, "config": config, "checkpoint": number, "policies": policies})
        return
    say_state(summary)
    if directory.owner is not None:
        say(f"Run by {directory.owner}.")
    say(f"It is in {directory.path}.")
    _show_config(config)
    show_iterations(summary["iterations"])
    show_evaluations(summary)
    show_usage(summary["totals"])
    for name, text in policies.items():
        say(f"\n{name}, checkpoint {number}:", "bold")
        say(text)


def _checkpoint(run: RunDirectory, name: str | None) -> int | None:
    """The checkpoint that was asked for; None where none was, and the run has none yet."""
    if name is None and not run.checkpoints.iterations():
        return None
    return checkpoint_number(run, name or LATEST)


def _show_config(config: Mapping[str, Any]) -> None:
    task = config.get("task_type")
    say(f"\nenv {config.get('env', 'language')}" + (f", task_type {task}" if task else ""))
    settings = {name: config.get(name, default) for name, default in _PLAIN_FIELDS.items()}
    say(", ".join(f"{name} {value}" for name, value in settings.items() if value not in (None, 0)))
    models = {name: config[name] for name in _MODEL_FIELDS if config.get(name)}
    say(", ".join(f"{name} {_model_name(value)}" for name, value in models.items()))


def _model_name(value: Any) -> str:
    if not isinstance(value, Mapping):
        return str(value)
    name = value.get("preset") or value.get("name") or value.get("model_string") or "?"
    changed = [field for field in value if field not in ("preset", "name", "model_string")]
    return f"{name} (with its own {', '.join(changed)})" if value.get("preset") and changed else str(name)
