"""Putting away what lies beyond a forced starting point.

Every move is a rename or an atomic write, in an order that can be broken off anywhere and done again: the
manifest announces the operation first and closes it last, and each step leaves alone what is already done.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from langmarl.store.atomic import dump_json, write_text
from langmarl.store.clock import now_iso
from langmarl.store.jsonl import read_lines
from langmarl.store.layout import RunLayout, iteration_name, iterations_in
from langmarl.store.manifest import SetAside, read_manifest, write_manifest
from langmarl.store.metrics import MetricsFile
from langmarl.store.schema import stamped


def set_aside(layout: RunLayout, iteration: int) -> SetAside:
    """Move everything at and after the start of ``iteration`` to ``set_aside/<n>``, and record it.

    What is moved: tasks, episodes, evaluations, gradients and training calls of this iteration and later ones;
    checkpoints, evaluation episodes and evaluation calls of checkpoints after this one; their metrics. A broken
    off operation is completed first; where it was the same one, nothing more is done.
    """
    unfinished = complete_set_aside(layout)
    if unfinished is not None and unfinished.iteration == iteration:
        return unfinished
    manifest = read_manifest(layout.manifest)
    entry = SetAside(len(manifest.set_aside) + 1, iteration, now_iso(), complete=False)
    write_manifest(layout.manifest, replace(manifest, set_aside=(*manifest.set_aside, entry)))
    _move_all(layout, entry)
    return _close(layout, entry)


def complete_set_aside(layout: RunLayout) -> SetAside | None:
    """Complete an operation that a crash broke off; None where there is none."""
    entry = read_manifest(layout.manifest).unfinished_set_aside
    if entry is None:
        return None
    _move_all(layout, entry)
    return _close(layout, entry)


def _close(layout: RunLayout, entry: SetAside) -> SetAside:
    manifest = read_manifest(layout.manifest)
    closed = replace(entry, complete=True)
    entries = tuple(closed if other.number == entry.number else other for other in manifest.set_aside)
    write_manifest(layout.manifest, replace(manifest, set_aside=entries))
    return closed


def _move_all(layout: RunLayout, entry: SetAside) -> None:
    start, away = entry.iteration, layout.set_aside / str(entry.number)
    for folder in (layout.tasks, layout.trajectories, layout.evaluations, layout.gradients):
        _move(folder, away / folder.name, start)
    _move(layout.held_out, away / "held_out", start + 1)
    _move(layout.calls, away / "calls", start + 1)
    _split_calls(layout.calls / f"{iteration_name(start)}.jsonl", away / "calls" / f"{iteration_name(start)}.jsonl")
    _cut_metrics(layout.metrics, away / "metrics.json", start)
    _move(layout.checkpoints, _checkpoints_away(layout, entry), start + 1)


def _checkpoints_away(layout: RunLayout, entry: SetAside) -> Path:
    """Where checkpoints are put: beside them, since a rename cannot cross file systems."""
    if layout.checkpoints.parent == layout.root:
        return layout.set_aside / str(entry.number) / "checkpoints"
    return layout.checkpoints / "set_aside" / str(entry.number)


def _move(folder: Path, away: Path, first: int) -> None:
    """Move the entries of ``folder`` from iteration ``first`` on, the last one first.

    In this order a crash leaves an unbroken beginning, never a hole.
    """
    for iteration in reversed(iterations_in(folder)):
        if iteration < first:
            break
        away.mkdir(parents=True, exist_ok=True)
        for entry in folder.glob(f"{iteration_name(iteration)}*"):
            entry.rename(away / entry.name)


def _split_calls(path: Path, away: Path) -> None:
    """Put the training calls of ``path`` away; the evaluation calls of its checkpoint remain."""
    lines = read_lines(path)
    training = [line for line in lines if line["key"]["phase"] == "train"]
    if not training:
        return
    remaining = [line for line in lines if line["key"]["phase"] != "train"]
    write_text(away, _jsonl(training), durable=True)
    write_text(path, _jsonl(remaining), durable=True)


def _jsonl(lines: Iterable[dict[str, Any]]) -> str:
    return "".join(f"{dump_json(stamped(line))}\n" for line in lines)


def _cut_metrics(path: Path, away: Path, start: int) -> None:
    """Keep the metrics as they were, then take out the rows that no longer hold."""
    if path.exists() and not away.exists():
        away.parent.mkdir(parents=True, exist_ok=True)
        write_text(away, path.read_text(encoding="utf-8"), durable=True)
    metrics = MetricsFile(path)
    present = metrics.read()
    kept = present.before(start)
    if kept != present:
        metrics.replace(kept)
