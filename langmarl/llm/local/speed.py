"""How quick a model file is on this machine: measured when it is loaded, remembered beside the pulled models."""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx2

from langmarl.errors import UserMistake
from langmarl.llm.local.files import models_dir
from langmarl.store.atomic import read_json, write_json

_FILE = "speeds.json"
_TEXT = "The quick brown fox jumps over the lazy dog, and the dog does not mind it at all. " * 8
_TOKENS = 12
_TIMEOUT_S = 300.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Speed:
    """Tokens a second of one call that has the machine for itself.

    Attributes:
        reading: Of the request.
        writing: Of the reply.
    """

    reading: float
    writing: float


def measured(address: str, key: str) -> Speed | None:
    """One short call to a server of ours; None where it does not report its timings.

    Args:
        address: The API's address, with its path.
        key: The server's key.

    Raises:
        httpx2.HTTPError: It does not answer.
    """
    body = {
        "messages": [{"role": "user", "content": f"{_TEXT}\nCount from one to twenty."}],
        "max_tokens": _TOKENS,
        "temperature": 0,
    }
    headers = {"Authorization": f"Bearer {key}"}
    with httpx2.Client(trust_env=False, timeout=_TIMEOUT_S) as client:
        answer = client.post(f"{address}/chat/completions", json=body, headers=headers)
        answer.raise_for_status()
    return _read(answer.json().get("timings"), "prompt_per_second", "predicted_per_second")


def remember(file: Path, speed: Speed) -> None:
    """Keep it for forecasts, beside the pulled models; where that cannot be written, a warning is all."""
    try:
        models_dir().mkdir(parents=True, exist_ok=True)
        write_json(models_dir() / _FILE, {**_all(), str(file): asdict(speed)})
    except OSError as error:
        _log.warning("the speed of %s cannot be kept: %s", file.name, error)


def known_speed(file: Path) -> Speed | None:
    """As measured when it was last loaded on this machine; None where it never was."""
    return _read(_all().get(str(file)), "reading", "writing")


def _all() -> dict[str, Any]:
    try:
        found = read_json(models_dir() / _FILE)
    except (OSError, UserMistake):  # none yet, or damaged: it is measured again
        return {}
    return found if isinstance(found, dict) else {}


def _read(entry: object, reading: str, writing: str) -> Speed | None:
    if not isinstance(entry, dict):
        return None
    values = [entry.get(name) for name in (reading, writing)]
    numbers = [float(value) for value in values if isinstance(value, int | float) and value > 0]
    return Speed(*numbers) if len(numbers) == len(values) else None
