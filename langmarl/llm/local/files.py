"""Model files on this computer: where they are, and whether they can be such."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from langmarl.config.faults import shown_path
from langmarl.config.paths import expanded, kind_of
from langmarl.errors import UserMistake, nearest
from langmarl.llm.local import catalog

FOLDER_VARIABLE = "LANGMARL_MODELS_DIR"

_MAGIC = b"GGUF"
_SUFFIX = ".gguf"
_INSTEAD = {
    "directory": "it is a directory",
    "special": "it is neither a file nor a directory",
    "unreadable": "it cannot be looked at (its name, or a permission on the way)",
}


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model file in the folder of models.

    Attributes:
        path: Where it is.
        size_bytes: Its size.
        model: What it is in the catalogue; None where that has no file of this name and size.
    """

    path: Path
    size_bytes: int
    model: catalog.Downloadable | None

    @property
    def name(self) -> str | None:
        """The catalogue's name for it, if any."""
        return self.model.name if self.model else None


def models_dir() -> Path:
    """The folder of pulled models, absolute: ``LANGMARL_MODELS_DIR``, else ``~/.cache/langmarl/models``.

    It need not exist.
    """
    return expanded(os.environ.get(FOLDER_VARIABLE) or "~/.cache/langmarl/models").absolute()


def located(model_string: str) -> Path:
    """The file that a local model's ``model_string`` names.

    Args:
        model_string: A bare file name, which is looked up in :func:`models_dir`, or else (with a ``/`` in it, or a
            ``~`` at its beginning) a path.

    Raises:
        UserMistake: There is no such file, or it is no GGUF file; the message says how to get one.
    """
    is_bare = not is_path(model_string)
    path = models_dir() / model_string if is_bare else expanded(model_string)
    kind = kind_of(path)
    if kind == "absent":
        raise UserMistake(f"There is no model file {shown_path(path)}.", _how_to_get(model_string, is_bare))
    if kind != "file":
        raise UserMistake(f"{shown_path(path)} is no model file: {_INSTEAD[kind]}.", _allowed())
    try:
        is_model = _is_gguf(path)
    except OSError as error:
        raise UserMistake(f"{shown_path(path)} cannot be read: {error.strerror}.", _allowed()) from error
    if not is_model:
        raise UserMistake(
            f"{shown_path(path)} is no GGUF file: it does not start with the letters GGUF.",
            _how_to_get(model_string, is_bare, " --force"),
        )
    return path


def is_path(model_string: str) -> bool:
    """Whether a local model is named by the path of its file, and not by a name in :func:`models_dir`."""
    return "/" in model_string or model_string.startswith("~")


def files_on_disk() -> list[ModelFile]:
    """Every GGUF file in :func:`models_dir`, by name; empty where there is no such folder.

    A file that cannot be read, or does not start as a GGUF file does, is left out.

    Raises:
        UserMistake: The folder cannot be listed.
    """
    folder = models_dir()
    try:
        entries = sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UserMistake(
            f"The folder of models, {shown_path(folder)}, cannot be listed: {error.strerror}.",
            f"{FOLDER_VARIABLE} names another folder.",
        ) from error
    found = []
    for path in entries:
        # A file may go, or be out of reach, between being listed and being looked at.
        with contextlib.suppress(OSError):
            if path.suffix.lower() == _SUFFIX and path.is_file() and _is_gguf(path):
                found.append(_described(path))
    return found


def not_on_disk(here: Iterable[ModelFile]) -> list[catalog.Downloadable]:
    """The models of the catalogue that are not among the files that are here."""
    there = {file.model for file in here}
    return [model for model in catalog.downloadables() if model not in there]


def _described(path: Path) -> ModelFile:
    size = path.stat().st_size
    model = catalog.with_file(path.name)
    return ModelFile(path, size, model if model is not None and model.size_bytes == size else None)


def _is_gguf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _how_to_get(model_string: str, is_bare: bool, option: str = "") -> str:
    model = catalog.with_file(model_string) if is_bare else None
    if model is not None:
        return f"To fetch it: langmarl models pull {model.name}{option}"
    suggestion = nearest(model_string, _known_files()) if is_bare else None
    return f"Did you mean {suggestion!r}? {_allowed()}" if suggestion else _allowed()


def _known_files() -> list[str]:
    return [*(file.path.name for file in files_on_disk()), *(model.file for model in catalog.downloadables())]


def _allowed() -> str:
    return (
        f"A local model is named by a GGUF file in {models_dir()}, or by the path of one anywhere. "
        "`langmarl models list` shows what is there and what can be pulled."
    )
