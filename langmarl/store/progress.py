"""How many iterations of a run are finished, and how many were asked for."""

from __future__ import annotations

from langmarl.store.atomic import read_json
from langmarl.store.layout import RunLayout, iterations_in
from langmarl.store.metrics import MetricsFile


def iterations_done(layout: RunLayout) -> int:
    """How many iterations are finished, counted from the first without a gap: where a rerun goes on.

    Raises:
        UserMistake: ``metrics.json`` is damaged, or was written by a newer LangMARL.
    """
    rows, checkpoints = _rows(layout), set(iterations_in(layout.checkpoints))
    iteration = 0
    while iteration in rows and iteration + 1 in checkpoints:
        iteration += 1
    return iteration


def iteration_in_progress(layout: RunLayout) -> int:
    """The first iteration that was never committed: there are neither its figures nor the checkpoint it leads to.

    Other than :func:`iterations_done` this stays the same where one of the two was lost.

    Raises:
        UserMistake: As :func:`iterations_done`.
    """
    rows, checkpoints = _rows(layout), set(iterations_in(layout.checkpoints))
    iteration = 0
    while iteration in rows or iteration + 1 in checkpoints:
        iteration += 1
    return iteration


def has_all_iterations(layout: RunLayout) -> bool:
    """Whether as many iterations are finished as the run's config asks for.

    Raises:
        FileNotFoundError: There is no ``config.json``.
        UserMistake: As :func:`iterations_done`, or ``config.json`` is damaged.
    """
    asked_for = read_json(layout.config).get("num_iterations")
    return isinstance(asked_for, int) and 0 < asked_for <= iterations_done(layout)


def _rows(layout: RunLayout) -> set[int]:
    return {row["iteration"] for row in MetricsFile(layout.metrics).iterations()}
