"""From a benchmark's own rows to tasks.

A format is recognised by its fields. Read are HotPotQA, MATH, GSM8K and HumanEval as published, and LangMARL's own
``tasks.jsonl``; docs/benchmarks.md shows each.
"""

from __future__ import annotations

import hashlib
import json
import keyword
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langmarl.config.paths import expanded
from langmarl.envs.language.math_answers import boxed_content
from langmarl.envs.language.sources import Row, Source, mistake, read_sources, shipped_source

Task = dict[str, Any]

EXPECTED = {
    "qa": "HotPotQA (question, answer, context [[title, [sentences]], …])",
    "math": "MATH (problem, answer, or a solution with \\boxed{}) or GSM8K (question, answer ending in '#### N')",
    "coding": "HumanEval (prompt, entry_point, test or tests, canonical_solution)",
    "writing": "tasks.jsonl (prompt, requirements [text, …])",
}
"""What a row of each task type looks like, for messages."""

ID_FIELDS = ("id", "_id", "unique_id", "task_id")
"""Where the published formats keep a row's name."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Tasks and the files that they came from.

    Attributes:
        tasks: In file order; each with a distinct ``id``.
        digests: SHA-256 by file name.
    """

    tasks: list[Task]
    digests: dict[str, str]


class _FieldError(Exception):
    """A field that is missing or is not what it should be; becomes a message with file and line."""


def load_benchmark(
    task_type: str, benchmark_path: str | None, data_limit: int | None = None, leave_out: Iterable[Path] = ()
) -> Benchmark:
    """Read a benchmark's tasks.

    Args:
        task_type: ``qa``, ``math``, ``writing`` or ``coding``.
        benchmark_path: A file or a directory; None for the set that comes with the package.
        data_limit: Keep the first so many, in file order; None keeps all.
        leave_out: Folders below a directory that are not looked into; those of runs are not in any case.

    Raises:
        UserMistake: Names the file, the line, the field and what is expected for this task type.
    """
    if benchmark_path is None:
        sources = [shipped_source(task_type)]
    else:
        sources = read_sources(expanded(benchmark_path), leave_out)
    tasks = _distinct(row for source in sources for row in _tasks(source, task_type))
    if not tasks:
        raise mistake(f"{benchmark_path or task_type} holds no task")
    return Benchmark(tasks[:data_limit], {source.name: source.sha256 for source in sources})


@dataclass(frozen=True, slots=True)
class _Placed:
    task: Task
    place: str


def _tasks(source: Source, task_type: str) -> Iterable[_Placed]:
    for row in source.rows:
        recognised = recognise(row.fields)
        if recognised not in (None, task_type):
            raise mistake(
                f"{row.place}: this is a {recognised} task, but task_type is {task_type!r}",
                f"Set task_type to {recognised!r}, or name a file of {task_type} tasks: {EXPECTED[task_type]}.",
            )
        try:
            task = _READERS[task_type](row.fields)
        except _FieldError as fault:
            raise mistake(
                f"{row.place}: {fault}", f"Expected for task_type {task_type!r}: {EXPECTED[task_type]}."
            ) from None
        yield _Placed({"id": _identity(row, task), "task_type": task_type, **task}, row.place)


def recognise(fields: dict[str, Any]) -> str | None:
    """The task type of a row, told by its fields; None where they fit none, or several."""
    names = fields.keys()
    if names & {"entry_point", "test", "tests", "canonical_solution"}:
        return "coding"
    if "problem" in names:
        return "math"
    if "context" in names:
        return "qa"
    if "question" in names:
        return "math" if "####" in str(fields.get("answer")) else None
    return "writing" if names & {"prompt", "requirements"} else None


def _identity(row: Row, task: Task) -> str:
    """The published name, else one made from the content, so that it does not depend on the order of the file."""
    published = next((row.fields[name] for name in ID_FIELDS if row.fields.get(name) not in (None, "")), None)
    if isinstance(published, str | int):
        return str(published)
    return hashlib.sha256(json.dumps(task, sort_keys=True).encode()).hexdigest()[:16]


def _distinct(placed: Iterable[_Placed]) -> list[Task]:
    """Keep one of each; two copies of a task could land on both sides of the split."""
    seen: dict[str, _Placed] = {}
    for one in placed:
        other = seen.setdefault(one.task["id"], one)
        if other.task != one.task:
            raise mistake(
                f"{one.place}: has the same id as another task ({other.place})", "Give each task an id of its own."
            )
    return [one.task for one in seen.values()]


# ---- one reader a task type


def _read_qa(fields: dict[str, Any]) -> Task:
    task = {
        "question": _text(fields, "question"),
        "answer": _answer(fields),
        "context": _context(_required(fields, "context")),
    }
    return task | {"type": fields["type"]} if isinstance(fields.get("type"), str) else task


def _context(value: Any) -> list[list[Any]]:
    if isinstance(value, dict):  # the same passages column by column, as dataset hubs hand them out
        titles, passages = value.get("title"), value.get("sentences")
        if not (isinstance(titles, list) and isinstance(passages, list) and len(titles) == len(passages)):
            raise _FieldError("field 'context' must hold as many 'sentences' as 'title's")
        value = list(zip(titles, passages, strict=True))
    if not (isinstance(value, list) and all(map(_is_passage, value))):
        raise _FieldError("field 'context' must be a list of [title, [sentences]]")
    return [[title, list(sentences)] for title, sentences in value]


def _is_passage(value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and isinstance(value[0], str)
        and isinstance(value[1], list)
        and all(isinstance(sentence, str) for sentence in value[1])
    )


def _read_math(fields: dict[str, Any]) -> Task:
    if "problem" not in fields and "question" in fields:
        return _read_gsm8k(fields)
    task = {"problem": _text(fields, "problem")}
    if "answer" in fields:
        task["answer"] = _answer(fields)
    else:
        boxed = boxed_content(_text(fields, "solution")) if "solution" in fields else None
        if not boxed:
            raise _FieldError("field 'answer' is missing, and there is no \\boxed{} in a 'solution' to take it from")
        task["answer"] = boxed
    for name in ("subject", "level", "solution"):
        if isinstance(fields.get(name), str | int):
            task[name] = fields[name]
    return task


def _read_gsm8k(fields: dict[str, Any]) -> Task:
    solution, mark, answer = _text(fields, "answer").rpartition("####")
    answer = answer.strip().replace(",", "")  # as in the benchmark's own evaluation
    if not mark or not answer:
        raise _FieldError("field 'answer' must end in '#### ' and the number")
    return {"problem": _text(fields, "question"), "answer": answer, "solution": solution.strip()}


def _read_coding(fields: dict[str, Any]) -> Task:
    tests = "tests" if "tests" in fields or "test" not in fields else "test"
    task = {name: _text(fields, name) for name in ("prompt", "entry_point")}
    task |= {"tests": _text(fields, tests), "canonical_solution": _text(fields, "canonical_solution")}
    if not task["entry_point"].isidentifier() or keyword.iskeyword(task["entry_point"]):
        raise _FieldError("field 'entry_point' must be the name of a function")
    return task


def _read_writing(fields: dict[str, Any]) -> Task:
    requirements = _required(fields, "requirements")
    if not (isinstance(requirements, list) and all(isinstance(item, str) for item in requirements)):
        raise _FieldError("field 'requirements' must be a list of texts")
    return {"prompt": _text(fields, "prompt"), "requirements": requirements}


def _required(fields: dict[str, Any], name: str) -> Any:
    if name not in fields:
        raise _FieldError(f"field {name!r} is missing")
    return fields[name]


def _answer(fields: dict[str, Any]) -> str:
    """The answer; a number passes, since answers are often written as such."""
    value = _required(fields, "answer")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if is_number else _text(fields, "answer")


def _text(fields: dict[str, Any], name: str) -> str:
    value = _required(fields, name)
    if not isinstance(value, str) or not value.strip():
        raise _FieldError(f"field {name!r} must be a text that is not empty")
    return value


_READERS: dict[str, Callable[[dict[str, Any]], Task]] = {
    "qa": _read_qa,
    "math": _read_math,
    "coding": _read_coding,
    "writing": _read_writing,
}
