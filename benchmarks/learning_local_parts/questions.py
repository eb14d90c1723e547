"""HotPotQA with fewer passages a question, as two files: questions to train on, and questions held out.

The project's own split draws the held-out part by the run's seed, so no setting can hold out the same questions for
every seed. Two files can.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langmarl import UserMistake
from langmarl.seeds import derive_seed
from langmarl.store.atomic import write_text

Row = dict[str, Any]

_REMEDY = "Name HotPotQA's own JSON file: a list of questions with context and supporting_facts."


@dataclass(frozen=True, slots=True)
class QuestionFiles:
    """Where the questions are."""

    training: Path
    held_out: Path


def write_questions(data: Path, folder: Path, *, held_out: int, distractors: int, seed: int) -> QuestionFiles:
    """Write both files into ``folder``; the same content every time.

    Raises:
        UserMistake: ``data`` is not there, is not HotPotQA's file, or holds too few questions.
    """
    rows = [shortened(row, distractors, seed) for row in _read(data)]
    if len(rows) <= held_out:
        raise UserMistake(f"{data} holds {len(rows)} questions; more than {held_out} are needed.", _REMEDY)
    files = QuestionFiles(folder / "training.json", folder / "held_out.json")
    folder.mkdir(parents=True, exist_ok=True)
    for file, part in ((files.training, rows[held_out:]), (files.held_out, rows[:held_out])):
        write_text(file, json.dumps(part, ensure_ascii=False, indent=1) + "\n")
    return files


def shortened(row: Row, distractors: int, seed: int) -> Row:
    """The question with its gold passages and a few others, in an order drawn by ``seed`` and the question's id."""
    gold = {title for title, _ in row["supporting_facts"]}
    draw = random.Random(derive_seed(seed, row["_id"]))
    others = [passage for passage in row["context"] if passage[0] not in gold]
    kept = [passage for passage in row["context"] if passage[0] in gold]
    kept += draw.sample(others, min(distractors, len(others)))
    draw.shuffle(kept)
    return {**row, "context": kept}


def _read(data: Path) -> Sequence[Row]:
    try:
        rows = json.loads(data.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserMistake(f"{data} cannot be read: {error.strerror}.", _REMEDY) from error
    except ValueError as error:
        raise UserMistake(f"{data} is no JSON file.", _REMEDY) from error
    wanted = {"_id", "question", "answer", "context", "supporting_facts"}
    if not isinstance(rows, list) or not all(isinstance(row, dict) and wanted <= row.keys() for row in rows):
        raise UserMistake(f"{data} is not HotPotQA's file.", _REMEDY)
    return rows
