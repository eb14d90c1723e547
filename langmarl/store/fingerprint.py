"""What makes two commands the same run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langmarl.store.atomic import dump_json

if TYPE_CHECKING:
    from langmarl.config import BaseConfig

_LONGEST_PLAIN_VALUE = 200


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Everything that can change a run's result, by name.

    Two commands with equal fingerprints mean the same run, and the second goes on where the first ended.

    Attributes:
        parts: Name → value. Config fields under their dotted names (``actor_llm.temperature``) as JSON, long ones
            as a digest; contents under ``kind:name`` (``benchmark:qa.jsonl``, ``prompts:critic.txt``).
    """

    parts: dict[str, str]

    @classmethod
    def of(cls, config: BaseConfig, contents: Mapping[str, str] | None = None) -> Fingerprint:
        """The fingerprint of a run with ``config`` that reads ``contents``.

        Args:
            config: The run's config; fields that cannot change the result are left out.
            contents: Digests of what the run reads besides its config, by name.
        """
        from langmarl.config import fingerprint_fields

        parts: dict[str, str] = {}
        _flatten("", fingerprint_fields(config), parts)
        return cls({**parts, **(contents or {})})

    @property
    def digest(self) -> str:
        """SHA-256 over all parts, in hexadecimal."""
        return _sha256(dump_json(dict(sorted(self.parts.items()))))

    def differing(self, other: Fingerprint) -> list[str]:
        """The names, sorted, whose values differ or that only one of the two has."""
        names = self.parts.keys() | other.parts.keys()
        return sorted(name for name in names if self.parts.get(name) != other.parts.get(name))


def _flatten(name: str, value: Any, parts: dict[str, str]) -> None:
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            _flatten(f"{name}.{key}" if name else str(key), inner, parts)
        return
    text = dump_json(value)
    parts[name] = text if len(text) <= _LONGEST_PLAIN_VALUE else f"sha256:{_sha256(text)}"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
