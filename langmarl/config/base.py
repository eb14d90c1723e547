"""The settings that every environment's runs have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from pydantic import Field, field_validator

from langmarl.config.faults import Combination, refused, shown
from langmarl.config.llm import LLMConfig
from langmarl.config.paths import check_path, no_directory, no_place_for_directory
from langmarl.config.settings import Settings
from langmarl.errors import ConfigError, Fault

if TYPE_CHECKING:
    from langmarl.config.overrides import Overrides

# Names that Windows keeps for devices, whatever stands behind a dot.
_RESERVED_NAMES = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\..*)?", re.IGNORECASE)

# File systems allow 255 bytes; the time of the start and a suffix are put behind the name.
_LONGEST_NAME_BYTES = 200

ROLE_OF_FIELD: Mapping[str, str] = {
    "actor_llm": "the agents (actor)",
    "critic_llm": "the critic",
    "optimizer_llm": "the optimizer",
    "judge_llm": "the judge",
}


class BaseConfig(Settings):
    """A run: the method, its size, its models, its limits and where it is written.

    Environments subclass this; ``env`` in a file says which class reads it.
    """

    LLM_FALLBACKS: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "actor_llm": ("llm",),
        "critic_llm": ("llm",),
        "optimizer_llm": ("llm",),
        "judge_llm": ("critic_llm", "llm"),
    }
    """Role's field → the fields that stand in for it, in order. A field that a class lacks counts as unset."""

    NO_EFFECT_ON_RESULT: ClassVar[frozenset[str]] = frozenset(
        {
            "exp_name",
            "num_iterations",
            "start_iteration",
            "max_workers",
            "log_level",
            "experiment_dir",
            "checkpoint_dir",
            "max_cost_usd",
            "max_total_tokens",
            "eval_tasks",
            "eval_every",
            "prompts_dir",
        }
    )
    """Fields that a rerun may change and still be the same run; subclasses add theirs. Paths are among them, since
    what the files contain is compared instead."""

    KNOWN_AS: ClassVar[Mapping[str, str]] = {"model": "llm"}

    env: str = Field(default="language", min_length=1, max_length=100)
    """Name of the environment. It decides which settings the file may hold."""

    exp_name: str = Field(default="experiment", min_length=1, max_length=100, coerce_numbers_to_str=True)
    """Name of the experiment, and of its run directories (with the time of the start behind it). A rerun under the
    same name goes on with the newest run of the same settings."""

    paradigm: Literal["central_credit", "central_global"] = "central_credit"
    """central_credit: the critic assesses each agent's part by itself. central_global: it assesses the team as one,
    and all agents learn from the same notes."""

    num_agents: int = Field(default=2, ge=1, le=100)
    """Number of agents in the team, N."""

    num_iterations: int = Field(default=5, ge=1, le=100_000)
    """Iterations in all, those of earlier, interrupted starts included. Raise it to go on with a finished run."""

    trajectories_per_iteration: int = Field(default=10, ge=1, le=10_000)
    """Episodes played in each iteration, K."""

    mini_batch_size: int | None = Field(default=None, ge=1, le=10_000)
    """How many of an iteration's episodes the critic judges and the update learns from, drawn at random.
    None: all of them."""

    start_iteration: int = Field(default=0, ge=0, le=100_000)
    """Start again from this iteration's checkpoint; what came after is set aside, once. 0: go on where the run
    stopped."""

    max_workers: int = Field(default=5, ge=1, le=1000)
    """Most model calls in flight at once, over all roles together."""

    seed: int = Field(default=0, ge=0, lt=2**63)
    """Seed of everything random in a run: which tasks, the environment's chance, mini-batches. The same seed draws
    the same; what a model answers can still differ."""

    llm: LLMConfig | None = None
    """Model of every role that names none of its own. A preset's name, an object, or an object with preset and
    overrides. None: each role must name its own."""

    actor_llm: LLMConfig | None = None
    """Model that the agents act with. None: llm."""

    critic_llm: LLMConfig | None = None
    """Model that judges episodes and assigns credit. None: llm."""

    optimizer_llm: LLMConfig | None = None
    """Model that writes gradients, merges them and rewrites policies. None: llm."""

    max_cost_usd: float | None = Field(default=None, gt=0)
    """Stop the run when its calls have cost this many US dollars; calls already in flight (up to max_workers) still
    finish. Needs models of known price. None: no limit."""

    max_total_tokens: int | None = Field(default=None, gt=0, lt=2**63)
    """Stop the run when its calls have used this many tokens, input and output together; calls already in flight
    still finish. None: no limit."""

    eval_tasks: int = Field(default=0, ge=0, le=1_000_000)
    """Held-out tasks, the same ones each time, that the policies are evaluated on. Where fewer are held out, all of
    them, and a warning says so. 0: no evaluation."""

    eval_every: int = Field(default=1, ge=1, le=100_000)
    """Evaluate every so many iterations, and at the end."""

    max_policy_chars: int = Field(default=4000, ge=1, le=1_000_000)
    """Longest learned part of a policy, in characters. A longer rewrite is asked for once more, then refused."""

    update_rule: Literal["guarded", "always"] = "guarded"
    """guarded: where the mean reward of an iteration fell below that of an earlier checkpoint by more than noise
    explains, go back to that checkpoint's policies instead of updating. always: keep every usable rewrite."""

    initial_policies: dict[str, str] | None = None
    """Agent → the text it starts with: the learned part of its policy, or, with the line "# Learned instructions" in
    it (as in a checkpoint's file), the whole policy. Agents that are not named start with no learned part.
    None: nobody starts with any."""

    prompts_dir: str | None = Field(default=None, min_length=1)
    """Directory with prompt templates that replace the shipped ones of the same file name. None: the shipped ones."""

    experiment_dir: str = Field(default="./experiments", min_length=1)
    """Directory that run directories are made in."""

    checkpoint_dir: str | None = Field(default=None, min_length=1)
    """Directory to keep checkpoints in, as <checkpoint_dir>/<run id>/. None: inside the run's own directory."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """Least severe messages that are logged."""

    @field_validator("exp_name")
    @classmethod
    def _plain_directory_name(cls, value: str) -> str:
        return check_directory_name(value)

    @field_validator("prompts_dir", "experiment_dir", "checkpoint_dir")
    @classmethod
    def _possible_path(cls, value: str | None) -> str | None:
        return value if value is None else check_path(value)

    @field_validator("log_level", mode="before")
    @classmethod
    def _any_case(cls, value: Any) -> Any:
        return value.upper() if isinstance(value, str) else value

    @property
    def agent_ids(self) -> list[str]:
        """The agents' names, ``agent_1`` … ``agent_N``."""
        return [f"agent_{number}" for number in range(1, self.num_agents + 1)]

    def get_actor_llm(self) -> LLMConfig:
        """The model that the agents act with.

        Raises:
            ConfigError: No model is named for it; so for the other roles.
        """
        return self.require_llm("actor_llm")

    def get_critic_llm(self) -> LLMConfig:
        """The model that judges episodes."""
        return self.require_llm("critic_llm")

    def get_optimizer_llm(self) -> LLMConfig:
        """The model that writes gradients and policies."""
        return self.require_llm("optimizer_llm")

    def get_judge_llm(self) -> LLMConfig:
        """The model that scores texts where no program can."""
        return self.require_llm("judge_llm")

    def roles_in_use(self) -> tuple[str, ...]:
        """The roles that a run of this configuration calls, by field; each needs a model before the run can start."""
        return ("actor_llm", "critic_llm", "optimizer_llm")

    @classmethod
    def llm_candidates(cls, field: str) -> tuple[str, ...]:
        """The fields that a role's model is looked for in, in order: its own, then those that stand in."""
        return (field, *cls.LLM_FALLBACKS.get(field, ("llm",)))

    def llm_source(self, field: str) -> str | None:
        """The field that a role's model comes from: its own, or the first set one that stands in; None: none."""
        return next((name for name in self.llm_candidates(field) if getattr(self, name, None) is not None), None)

    def find_llm(self, field: str) -> LLMConfig | None:
        """The model of a role, named by its field; None where none is named."""
        source = self.llm_source(field)
        return None if source is None else getattr(self, source)

    def require_llm(self, field: str) -> LLMConfig:
        """As ``find_llm``; raises ``ConfigError`` where there is none."""
        found = self.find_llm(field)
        if found is None:
            raise ConfigError([self.no_model(field)])
        return found

    def no_model(self, field: str) -> Fault:
        """The fault of a role without a model."""
        role = ROLE_OF_FIELD.get(field, field)
        names = " or ".join(self.llm_candidates(field))
        return Fault(field, f'no model is named for {role}; set {names}, for example to the preset "offline".')

    def impossible_combinations(self) -> list[Combination]:
        """Settings of this class that cannot work together."""
        found = super().impossible_combinations()
        episodes = self.trajectories_per_iteration
        if self.mini_batch_size is not None and self.mini_batch_size > episodes:
            message = f"is {self.mini_batch_size}; must be at most trajectories_per_iteration, which is {episodes}."
            found.append(
                Combination(Fault("mini_batch_size", message), ("mini_batch_size", "trajectories_per_iteration"))
            )
        if self.start_iteration >= self.num_iterations:
            message = (
                f"is {self.start_iteration}; must be less than num_iterations, which is {self.num_iterations} "
                "(iterations count from 0)."
            )
            found.append(Combination(Fault("start_iteration", message), ("start_iteration", "num_iterations")))
        return found

    def unusable_paths(self) -> list[Fault]:
        """What a run would read and cannot, for want of it, and where it would write and cannot, for what is there."""
        found = [
            no_directory("prompts_dir", self.prompts_dir) if self.prompts_dir is not None else None,
            no_place_for_directory("experiment_dir", self.experiment_dir),
            no_place_for_directory("checkpoint_dir", self.checkpoint_dir) if self.checkpoint_dir is not None else None,
        ]
        return [fault for fault in found if fault is not None]

    @classmethod
    def from_json(cls, path: str | Path, overrides: Overrides | None = None) -> Self:
        """Read a JSON file as this class.

        Args:
            path: The file.
            overrides: Settings that replace the file's; see ``langmarl.config.overrides.apply_overrides``.

        Raises:
            ConfigError: With every fault found.
        """
        from langmarl.config.loading import read_config  # loading knows every config class, this one included

        return read_config(path, overrides, cls)

    def to_json(self, path: str | Path) -> None:
        """Write the settings as JSON (no secret among them), replacing the file in one step."""
        from langmarl.config.loading import write_json

        write_json(path, self.to_dict())


def check_directory_name(value: str) -> str:
    """Return ``value`` where it can name a directory on every common system, else raise a validator's error."""
    if re.search(r'[/\\<>:"|?*\x00-\x1f\x7f]', value) or not value.isprintable():
        raise refused(f'is {shown(value)}; must not hold / \\ < > : " | ? * or control characters.')
    if value[0] in ".-~ " or value[-1] in ". ":
        raise refused(
            f"is {shown(value)}; must not begin with a dot, dash, tilde or space, or end with a dot or space."
        )
    if _RESERVED_NAMES.fullmatch(value):
        raise refused(f"is {shown(value)}; Windows keeps this name for a device, so no directory can have it there.")
    if len(value.encode("utf-8")) > _LONGEST_NAME_BYTES:
        raise refused(f"is {shown(value)}; must be at most {_LONGEST_NAME_BYTES} bytes long in UTF-8.")
    return value
