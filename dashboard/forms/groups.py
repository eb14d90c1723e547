"""Which fields stand together in the form of a run."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.forms.fields import FormField, form_fields
from langmarl.config import BaseConfig

TASK, TEAM, MODELS, LIMITS, EVALUATION, PLACE = (
    "Task",
    "Team and method",
    "Models",
    "Budget and limits",
    "Evaluation",
    "Where and how",
)

_MEMBERS = {
    TASK: ("env", "task_type", "benchmark_path", "data_limit", "train_test_split", "use_verified_reward"),
    TEAM: (
        "paradigm",
        "num_agents",
        "num_iterations",
        "trajectories_per_iteration",
        "mini_batch_size",
        "update_rule",
        "max_policy_chars",
        "initial_policies",
    ),
    MODELS: ("llm", "actor_llm", "critic_llm", "optimizer_llm", "judge_llm"),
    LIMITS: ("max_cost_usd", "max_total_tokens", "max_workers", "code_timeout"),
    EVALUATION: ("eval_tasks", "eval_every"),
    PLACE: (
        "exp_name",
        "seed",
        "start_iteration",
        "experiment_dir",
        "checkpoint_dir",
        "prompts_dir",
        "log_level",
        "episode_generation_workers",
        "optimizer_workers",
    ),
}


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that stand together.

    Attributes:
        title: What they are about.
        fields: In the order in which they are drawn.
    """

    title: str
    fields: list[FormField]


def grouped(model: type[BaseConfig]) -> list[Group]:
    """Every field of a config class, in groups; empty groups are left out.

    A field that no group names goes by what it is: a model of its own to the models, a setting that an environment
    adds to the task, and a setting of every run to the last group. So a new field appears by itself.
    """
    fields = {field.name: field for field in form_fields(model)}
    titles = {name: title for title, names in _MEMBERS.items() for name in names}
    members: dict[str, list[FormField]] = {
        title: [fields[name] for name in names if name in fields] for title, names in _MEMBERS.items()
    }
    for name, field in fields.items():
        if name not in titles:
            members[_group_of(field)].append(field)
    return [Group(title, found) for title, found in members.items() if found]


def _group_of(field: FormField) -> str:
    if field.kind == "model":
        return MODELS
    return PLACE if field.name in BaseConfig.model_fields else TASK
