"""What model calls took in earlier runs, for the forecast of a new one."""

from __future__ import annotations

import logging
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dashboard.forecast import FIELD_OF_ROLE, CallProfile, Range
from langmarl.config import BaseConfig
from langmarl.errors import LangMARLError
from langmarl.llm.endpoint import OPENAI_ADDRESS
from langmarl.store import Index, RunDirectory
from langmarl.store.journal import CallJournal
from langmarl.usage import Role

_MOST_RUNS = 5
_MOST_CANDIDATES = 40
_LARGEST_FILE = 8_000_000
"""In bytes; a larger file of calls is left out rather than read while somebody waits."""

_WIDER = 0.15
"""By how much a range is widened at either end: policies grow, and other tasks are drawn."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Measured:
    """The calls of one role, with one model, in one iteration of one run."""

    role: Role
    model: str
    endpoint: str
    calls: int
    input_tokens: float
    output_tokens: float
    seconds: float


def measured_profiles(index: Index, config: BaseConfig) -> dict[Role, CallProfile]:
    """What calls took in the newest runs of the same environment and kind of task, by role.

    Only calls of the role's own model at its own endpoint count. From each run the first and the last finished
    iteration are taken; the range goes from the lowest mean of an iteration to the highest, a little widened.

    Args:
        index: Knows the runs.
        config: Of the run to come.

    Returns:
        Roles for which there is nothing are left out.
    """
    found: dict[Role, list[_Measured]] = defaultdict(list)
    task_type = getattr(config, "task_type", None)
    used = 0
    for row in index.runs(limit=_MOST_CANDIDATES):
        if row.env != config.env or row.task_type != task_type or not row.iterations_done:
            continue
        of_run = [each for each in _calls_of(Path(row.path), row.iterations_done) if _is_of(each, config)]
        for each in of_run:
            found[each.role].append(each)
        used += bool(of_run)
        if used == _MOST_RUNS:
            break
    return {role: _profile(samples) for role, samples in found.items()}


def _is_of(measured: _Measured, config: BaseConfig) -> bool:
    model = config.find_llm(FIELD_OF_ROLE[measured.role])
    address = None if model is None else (model.base_url or OPENAI_ADDRESS)
    return model is not None and (measured.model, measured.endpoint) == (model.model_string, address)


def _calls_of(run: Path, iterations_done: int) -> list[_Measured]:
    try:
        journal = RunDirectory.open(run).journal
        finished = journal.iterations()[:iterations_done]
        chosen = sorted({*finished[:1], *finished[-1:]})
        return [each for iteration in chosen for each in _calls_in(journal.path(iteration), iteration)]
    except (LangMARLError, OSError) as error:
        _log.info("no calls were measured in %s: %s", run, error)
        return []


def _calls_in(path: Path, iteration: int) -> tuple[_Measured, ...]:
    stamp = path.stat()
    if stamp.st_size > _LARGEST_FILE:
        return ()
    return _summarized(path, iteration, stamp.st_mtime_ns, stamp.st_size)


@lru_cache(maxsize=256)
def _summarized(path: Path, iteration: int, _changed_ns: int, _size: int) -> tuple[_Measured, ...]:
    """The file's calls, summed up; read again only when it has changed."""
    groups: Mapping[tuple[Role, str, str], list[tuple[int, int, float]]] = defaultdict(list)
    for record in CallJournal(path.parent).read(iteration):
        if record.error is None:
            usage = record.usage
            taken = (usage.input_tokens, usage.output_tokens, record.duration_s)
            groups[record.key.role, record.model, record.endpoint].append(taken)
    return tuple(
        _Measured(*key, len(taken), *(statistics.fmean(column) for column in zip(*taken, strict=True)))
        for key, taken in groups.items()
    )


def _profile(samples: Iterable[_Measured]) -> CallProfile:
    samples = list(samples)
    return CallProfile(
        _span(each.input_tokens for each in samples),
        _span(each.output_tokens for each in samples),
        _span(each.seconds for each in samples),
        measured_calls=sum(each.calls for each in samples),
    )


def _span(means: Iterable[float]) -> Range:
    values = list(means)
    return Range(min(values) * (1 - _WIDER), max(values) * (1 + _WIDER))
