"""What must be in order before a run starts, each with its remedy. Nothing here calls a model or spends anything."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from dashboard.context import experiments_dir
from dashboard.forecast import Forecast
from dashboard.formats import dollars
from dashboard.trust import KeyUse, PathQuestion, path_questions, unconfirmed_endpoints, unconfirmed_use
from langmarl.config import BaseConfig, LanguageTaskConfig, LLMConfig, missing_keys
from langmarl.config.base import ROLE_OF_FIELD
from langmarl.config.faults import shown
from langmarl.envs import make_env
from langmarl.envs.language.environment import folders_written_to
from langmarl.envs.language.formats import load_benchmark
from langmarl.envs.language.sources import benchmark_files
from langmarl.envs.sandbox import ensure_available
from langmarl.errors import LangMARLError
from langmarl.llm.probe import ProbeResult, probe

State = Literal["ok", "problem", "question", "open"]
"""ok: in order. problem: the run cannot start. question: the user must consent before it can. open: not known yet, or
to be thought about; the run can start."""

_LARGEST_READ = 50_000_000
"""In bytes; a larger benchmark is read when the run starts rather than while somebody waits for the page."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        key: Names the check, for the page.
        title: What it is about.
        state: How it is.
        detail: What was found.
        remedy: What to do; empty where nothing is to be done.
    """

    key: str
    title: str
    state: State
    detail: str
    remedy: str = ""

    @property
    def blocks(self) -> bool:
        """Whether the run cannot start."""
        return self.state in ("problem", "question")


@dataclass(frozen=True, slots=True)
class Preflight:
    """Everything that was looked at.

    Attributes:
        checks: In the order in which they are shown.
        endpoints: Keys that would be sent where the user has not yet confirmed it.
        paths: Paths that need the user's consent.
    """

    checks: tuple[Check, ...]
    endpoints: tuple[KeyUse, ...]
    paths: tuple[PathQuestion, ...]

    @property
    def is_ready(self) -> bool:
        """Whether the run can start."""
        return not any(check.blocks for check in self.checks)


@dataclass(frozen=True, slots=True)
class ModelInUse:
    """A model that a run calls.

    Attributes:
        model: The model.
        roles: For what, in words.
    """

    model: LLMConfig
    roles: tuple[str, ...]


def preflight(
    config: BaseConfig,
    *,
    imported: bool,
    forecast: Forecast | None = None,
    probes: Mapping[str, ProbeResult | str] | None = None,
    paths: Sequence[PathQuestion] | None = None,
) -> Preflight:
    """Look at everything that a run of ``config`` needs.

    Args:
        config: A sound config.
        imported: Whether somebody else may have written it; then its paths are looked at as well.
        forecast: What the run is expected to take, for the check of the budget.
        probes: Results of test calls by :func:`probe_key`: the answer, or in words why there was none.
        paths: The paths that need consent, where they are known already; None: found here.
    """
    asked = tuple((path_questions(config) if imported else ()) if paths is None else paths)
    endpoints = tuple(unconfirmed_endpoints(config))
    checks = [
        *_key_checks(config),
        *_trust_checks(endpoints),
        *_path_checks(asked),
        *_endpoint_checks(config, probes or {}),
        *_environment_checks(config, readable=not asked),
        _budget_check(config, forecast),
        _folder_check(),
    ]
    return Preflight(tuple(checks), endpoints, asked)


def models_in_use(config: BaseConfig) -> list[ModelInUse]:
    """The models that a run calls, each once, with what for."""
    found: dict[str, ModelInUse] = {}
    for field in config.roles_in_use():
        model = config.find_llm(field)
        if model is None:
            continue
        before = found.get(probe_key(model), ModelInUse(model, ()))
        found[probe_key(model)] = ModelInUse(model, (*before.roles, ROLE_OF_FIELD.get(field, field)))
    return list(found.values())


def probe_key(model: LLMConfig) -> str:
    """Under which the result of a model's test call is kept: another endpoint, model or variable is another call."""
    return f"{model.base_url} {model.model_string} {model.api_key_env_var} {bool(model.get_api_key())}"


def test_call(model: LLMConfig) -> ProbeResult | str:
    """Ask a model for one word, which costs a few tokens; in words why there was no answer, where there was none.

    Nothing is sent where a key would go to an endpoint that the user has not confirmed.
    """
    use = unconfirmed_use(model)
    if use is not None:
        return f"not tried: confirm first that the key in {use.key_variable} may go to {use.base_url}"
    try:
        return probe(model)
    except LangMARLError as error:
        return f"{error.message} {error.remedy}" if error.remedy else error.message


def _key_checks(config: BaseConfig) -> Iterator[Check]:
    faults = missing_keys(config, os.environ)
    for number, fault in enumerate(faults):
        remedy = "Then start the dashboard again: it reads the variables of the shell that starts it."
        yield Check(f"key-{number}", "Key", "problem", fault.message, remedy)
    if not faults:
        used = models_in_use(config)
        variables = dict.fromkeys(str(each.model.api_key_env_var) for each in used if each.model.needs_key)
        detail = f"set: {', '.join(variables)}" if variables else "none is needed"
        yield Check("key", "Key", "ok", detail)


def _trust_checks(endpoints: tuple[KeyUse, ...]) -> Iterator[Check]:
    for number, use in enumerate(endpoints):
        detail = f"The key in {use.key_variable} would be sent to {use.base_url} (host {use.host}): {use.why}."
        remedy = "Confirm it only if you know this endpoint and trust it with this key."
        yield Check(f"endpoint-{number}", "Where keys go", "question", detail, remedy)
    if not endpoints:
        yield Check("endpoint", "Where keys go", "ok", "only to endpoints that are known or confirmed, or nowhere")


def _path_checks(questions: tuple[PathQuestion, ...]) -> Iterator[Check]:
    for number, question in enumerate(questions):
        detail = f"{question.field} is {shown(question.text)}: it {question.reason}"
        if question.can_be_allowed:
            remedy = "Allow it only if you know what is there, or set another path on the Configure page."
            yield Check(f"path-{number}", "Files", "question", detail, remedy)
        else:
            yield Check(f"path-{number}", "Files", "problem", detail, "Set another path on the Configure page.")


def _endpoint_checks(config: BaseConfig, probes: Mapping[str, ProbeResult | str]) -> Iterator[Check]:
    for number, used in enumerate(models_in_use(config)):
        key, title = f"answers-{number}", f"{used.model.name} answers"
        result = probes.get(probe_key(used.model))
        if used.model.is_offline:
            yield Check(key, title, "ok", "it is built into this process")
        elif result is None:
            yield Check(key, title, "open", "not tried yet", "A test call of a few tokens shows it.")
        elif isinstance(result, str):
            yield Check(key, title, "problem", result, "Mend it, then try again.")
        else:
            detail = f"in {result.latency_s:.1f} s, for {dollars(result.usage.cost_usd)}"
            yield Check(key, title, "ok", detail)


def _environment_checks(config: BaseConfig, *, readable: bool) -> Iterator[Check]:
    if not readable:
        yield Check("benchmark", "Benchmark", "open", "not looked at before you have allowed its path")
    elif isinstance(config, LanguageTaskConfig):
        yield _benchmark_check(config)
    else:
        yield _other_environment_check(config)
    if isinstance(config, LanguageTaskConfig) and config.task_type == "coding" and not config.needs_judge:
        yield _sandbox_check()


def _benchmark_check(config: LanguageTaskConfig) -> Check:
    title, path = "Benchmark", config.benchmark_path
    if path is None:
        count = _tasks_in(config.task_type, None, config.data_limit, (), 0, 0)
        return Check("benchmark", title, "ok", f"the set that ships with the package, {count} tasks")
    try:
        place = Path(path).expanduser()
        stamp = place.stat()
        leave_out = tuple(folders_written_to(config))
        found = benchmark_files(place, leave_out) if place.is_dir() else [place]
        size = sum(file.stat().st_size for file in found)
        if size > _LARGEST_READ:
            return Check("benchmark", title, "open", "it is there, and too large to be read before the run starts")
        count = _tasks_in(config.task_type, path, config.data_limit, leave_out, stamp.st_mtime_ns, size)
    except LangMARLError as error:
        return Check("benchmark", title, "problem", error.message, error.remedy or "Correct the file.")
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be read"
        return Check("benchmark", title, "problem", f"{reason}", "Set benchmark_path on the Configure page.")
    return Check("benchmark", title, "ok", f"readable, {count} task{'' if count == 1 else 's'}")


@lru_cache(maxsize=32)
def _tasks_in(
    task_type: str, path: str | None, limit: int | None, leave_out: tuple[Path, ...], _changed_ns: int, _size: int
) -> int:
    """Number of tasks; read again only when the file has changed."""
    return len(load_benchmark(task_type, path, limit, leave_out).tasks)


def _other_environment_check(config: BaseConfig) -> Check:
    title = f"Environment {config.env}"
    try:
        make_env(config.env, config).close()
    except LangMARLError as error:
        return Check("environment", title, "problem", error.message, error.remedy or "")
    except Exception as error:  # a plugin's own fault, which would end the run as well
        detail = f"it cannot be built: {type(error).__name__}"
        return Check("environment", title, "problem", detail, "The package that provides it must be repaired.")
    return Check("environment", title, "ok", "can be built")


def _sandbox_check() -> Check:
    try:
        ensure_available()
    except LangMARLError as error:
        return Check("sandbox", "Sandbox", "problem", error.message, error.remedy or "")
    return Check("sandbox", "Sandbox", "ok", "model-written code runs apart from this system")


def _budget_check(config: BaseConfig, forecast: Forecast | None) -> Check:
    limits = []
    if config.max_cost_usd is not None:
        limits.append(dollars(config.max_cost_usd))
    if config.max_total_tokens is not None:
        limits.append(f"{config.max_total_tokens:,} tokens")
    if all(used.model.is_local for used in models_in_use(config)):
        also = f"; limit: {' and '.join(limits)}" if limits else ""
        return Check("budget", "Budget", "ok", f"the models cost nothing{also}")
    if not limits:
        remedy = "Set max_cost_usd (or max_total_tokens, where a price is unknown) on the Configure page."
        return Check("budget", "Budget", "open", f"no limit is set{_expected(forecast)}", remedy)
    if forecast is not None and _may_exceed(config, forecast):
        detail = f"limit: {' and '.join(limits)}{_expected(forecast)}"
        remedy = "The run may stop at its limit before it is done; it can be resumed with a higher one."
        return Check("budget", "Budget", "open", detail, remedy)
    return Check("budget", "Budget", "ok", f"limit: {' and '.join(limits)}{_expected(forecast)}")


def _may_exceed(config: BaseConfig, forecast: Forecast) -> bool:
    cost, most = forecast.cost_usd, config.max_cost_usd
    too_dear = most is not None and cost is not None and cost.high > most
    return too_dear or (config.max_total_tokens is not None and forecast.tokens.high > config.max_total_tokens)


def _expected(forecast: Forecast | None) -> str:
    if forecast is None:
        return ""
    if forecast.cost_usd is None:
        return f"; the cost is unknown, since the price of {', '.join(forecast.unpriced)} is"
    return f"; expected {dollars(forecast.cost_usd.low)} to {dollars(forecast.cost_usd.high)}"


def _folder_check() -> Check:
    folder = experiments_dir()
    nearest = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    if nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK):
        return Check("folder", "Folder of runs", "ok", str(folder))
    return Check("folder", "Folder of runs", "problem", f"{folder} cannot be written", "Check its permissions.")
