"""Prompt templates: readable text files that a user can replace.

A template is one file with two parts, ``[system]`` and ``[user]``, in which ``$name`` stands for material that
LangMARL fills in. ``prompts_dir`` in a config names a folder whose files replace the shipped ones of the same name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from string import Template

from langmarl.config.paths import no_directory
from langmarl.errors import ConfigError, Fault, nearest

PLACEHOLDERS: Mapping[str, frozenset[str]] = {
    "critic_credit": frozenset({"task", "reference", "outcome", "policies", "episode", "answer_format"}),
    "critic_global": frozenset({"task", "reference", "outcome", "policies", "episode", "answer_format"}),
    "critic_repair": frozenset({"request", "reply", "problem", "answer_format"}),
    "gradient": frozenset({"agent", "policies", "assessment", "task", "outcome", "episode"}),
    "aggregate": frozenset({"notes"}),
    "update": frozenset({"agent", "policy", "learned", "merged_note", "limit"}),
    "update_retry": frozenset({"request", "reply", "problem", "limit"}),
    "judge": frozenset({"brief", "text", "answer_format"}),
}
"""Each template's name and what it may fill in."""

_PARTS = re.compile(r"\A\s*\[system\]\n(?P<system>.*?)\n\[user\]\n(?P<user>.*)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A filled-in template, ready to send."""

    system: str
    user: str


@dataclass(frozen=True, slots=True)
class PromptTemplates:
    """All templates of a run, by name.

    Attributes:
        sources: Template name to the file's text.
    """

    sources: Mapping[str, str]

    def fill(self, name: str, **material: object) -> Prompt:
        """The prompt ``name`` with ``$placeholders`` replaced by ``material``.

        Material that the template does not mention is left out; that is the template author's choice.
        """
        parts = _PARTS.match(self.sources[name])
        assert parts is not None, f"template {name!r} was not checked when loaded"
        values = {key: str(value) for key, value in material.items()}
        return Prompt(
            system=Template(parts["system"].strip()).substitute(values),
            user=Template(parts["user"].strip()).substitute(values),
        )

    def digests(self) -> dict[str, str]:
        """SHA-256 of each template's text, for the fingerprint of a run."""
        return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in sorted(self.sources.items())}


def load_templates(prompts_dir: str | Path | None = None) -> PromptTemplates:
    """The shipped templates, with those in ``prompts_dir`` in place of theirs.

    Raises:
        ConfigError: ``prompts_dir`` is no directory, or every fault of every file: an unknown template name, no
            text, a missing part, an unknown placeholder.
    """
    shipped = resources.files("langmarl.prompts")
    sources = {name: shipped.joinpath(f"{name}.txt").read_text(encoding="utf-8") for name in PLACEHOLDERS}
    if prompts_dir is not None:
        sources.update(_replacements(Path(prompts_dir)))
    return PromptTemplates(sources)


def _replacements(folder: Path) -> dict[str, str]:
    """The user's templates by name; raises as :func:`load_templates`."""
    unusable = no_directory("prompts_dir", folder)
    if unusable is not None:
        raise ConfigError([unusable])
    texts: dict[str, str] = {}
    faults: list[Fault] = []
    for path in sorted(folder.glob("*.txt")):
        try:
            texts[path.stem] = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            faults.append(Fault(f"prompts_dir/{path.name}", _unreadable(error)))
        else:
            faults.extend(_faults(path.stem, texts[path.stem]))
    if not texts and not faults:
        faults = [Fault("prompts_dir", f"{str(folder)!r} holds no template; allowed: {_allowed_files()}")]
    if faults:
        raise ConfigError(faults)
    return texts


def _unreadable(error: OSError | UnicodeDecodeError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8 text (byte {error.start})."
    if isinstance(error, IsADirectoryError):
        return "is a directory; a template is a file."
    return f"cannot be read: {error.strerror or error}."


def _faults(name: str, text: str) -> list[Fault]:
    field = f"prompts_dir/{name}.txt"
    if name not in PLACEHOLDERS:
        return [Fault(field, f"is not a template; allowed: {_allowed_files()}.", nearest(name, PLACEHOLDERS))]
    if _PARTS.match(text) is None:
        return [Fault(field, "needs a line '[system]', the instructions, a line '[user]', and the material")]
    template = Template(text)
    if not template.is_valid():
        return [Fault(field, "has a '$' that is not followed by a name; write '$$' for a dollar sign")]
    unknown = sorted(set(template.get_identifiers()) - PLACEHOLDERS[name])
    allowed = ", ".join(f"${placeholder}" for placeholder in sorted(PLACEHOLDERS[name]))
    return [
        Fault(
            field,
            f"unknown placeholder '${placeholder}'; allowed: {allowed}.",
            nearest(placeholder, PLACEHOLDERS[name]),
        )
        for placeholder in unknown
    ]


def _allowed_files() -> str:
    return ", ".join(f"{name}.txt" for name in PLACEHOLDERS)
