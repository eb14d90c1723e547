"""The model files on this computer, and those that can be pulled."""

from __future__ import annotations

from dataclasses import dataclass

from langmarl.config.presets import LOCAL_PREFIX
from langmarl.llm.local.files import files_on_disk, not_on_disk
from langmarl.llm.local.speed import known_speed


@dataclass(frozen=True, slots=True)
class ModelFileRow:
    """One file.

    Attributes:
        file: Its name.
        preset: What a config calls it.
        size_bytes: Its size.
        reading: Tokens a second that it reads on this machine; None before it was loaded here.
        writing: The same for what it writes.
        pull: The command that fetches it; None where it is on disk.
    """

    file: str
    preset: str
    size_bytes: int
    reading: float | None = None
    writing: float | None = None
    pull: str | None = None


def model_file_rows() -> list[ModelFileRow]:
    """What is in the folder of models, then what could be.

    Raises:
        UserMistake: The folder cannot be listed.
    """
    here, rows = files_on_disk(), []
    for each in here:
        speed = known_speed(each.path.resolve())
        preset = each.model.preset if each.model else f"{LOCAL_PREFIX}{each.path}"
        rows.append(
            ModelFileRow(
                each.path.name,
                preset,
                each.size_bytes,
                reading=speed.reading if speed else None,
                writing=speed.writing if speed else None,
            )
        )
    return rows + [
        ModelFileRow(model.file, model.preset, model.size_bytes, pull=f"langmarl models pull {model.name}")
        for model in not_on_disk(here)
    ]
