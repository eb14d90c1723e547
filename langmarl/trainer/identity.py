"""Which run a command means: the newest one with the same fingerprint, or a new one."""

from __future__ import annotations

from dataclasses import dataclass

from langmarl.config import BaseConfig
from langmarl.envs import BaseEnvironment
from langmarl.errors import UserMistake
from langmarl.prompts import load_templates
from langmarl.store import Fingerprint, LocalStore, RunDirectory


@dataclass(frozen=True, slots=True)
class ChosenRun:
    """The run to work on.

    Attributes:
        run: The run.
        notice: Why this one, for the log; None where there is nothing to say.
    """

    run: RunDirectory
    notice: str | None = None


def choose_run(
    store: LocalStore, config: BaseConfig, env: BaseEnvironment, *, fresh: bool = False, run_id: str | None = None
) -> ChosenRun:
    """The run that a command means.

    Args:
        store: Where runs are kept.
        config: The command's config.
        env: Knows the contents of the benchmark.
        fresh: A new run in any case.
        run_id: Exactly this run; None: the newest with the same ``exp_name`` and fingerprint, else a new one.

    Raises:
        UserMistake: There is no run ``run_id``, it does not fit the config, or ``start_iteration`` asks for a
            checkpoint of a run that does not exist.
    """
    fingerprint = fingerprint_of(config, env)
    if run_id is not None:
        return ChosenRun(_same_settings(store.run(run_id), fingerprint, config))
    if config.start_iteration and (fresh or store.newest(config.exp_name, fingerprint) is None):
        raise UserMistake(
            f"start_iteration is {config.start_iteration}, but there is no run of {config.exp_name!r} with these "
            f"settings in {store.base_dir} to start from.",
            "Leave start_iteration out, or use the settings of the run that has this checkpoint.",
        )
    found = store.find_or_create(config, fingerprint, fresh=fresh)
    if not found.created:
        return ChosenRun(found.run, "the same settings as before: going on with this run")
    if found.differing:
        return ChosenRun(found.run, f"a new run; it differs from the last one in {', '.join(found.differing)}")
    return ChosenRun(found.run)


def fingerprint_of(config: BaseConfig, env: BaseEnvironment) -> Fingerprint:
    """What a rerun must have in common with a run: settings that matter, and the contents behind the others."""
    benchmark = {f"benchmark:{name}": digest for name, digest in env.content_digests().items()}
    prompts = {f"prompts:{name}": digest for name, digest in load_templates(config.prompts_dir).digests().items()}
    return Fingerprint.of(config, {**benchmark, **prompts})


def _same_settings(run: RunDirectory, fingerprint: Fingerprint, config: BaseConfig) -> RunDirectory:
    differing = [_with_source(name, config) for name in run.manifest.fingerprint.differing(fingerprint)]
    if differing:
        raise UserMistake(
            f"{run.run_id} cannot go on with other settings; these differ: {', '.join(differing)}.",
            "Undo the change, or start a new run.",
        )
    return run


def _with_source(name: str, config: BaseConfig) -> str:
    """A differing setting; one of a role's model also tells which setting the model comes from."""
    role = name.partition(".")[0]
    source = config.llm_source(role) if role in config.roles_in_use() else role
    return name if source in (None, role) else f"{name} (from {source})"
