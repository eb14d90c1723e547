"""Reading the JSON that a model was asked for: tolerant of form, never inventing what is not there."""

from __future__ import annotations

import json
import math
from typing import Any

import json_repair


def parse_object(text: str) -> dict[str, Any] | None:
    """The JSON object in a reply that may have a fence or words around it, or be slightly broken.

    Returns:
        The object; None where there is none, or where it was not closed: a reply that was cut off must not be
        mended into half an answer.
    """
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None
    body = text[start : end + 1]
    try:
        data = json.loads(body)
    except ValueError:
        if body.count("}") < body.count("{"):
            return None
        data = json_repair.loads(body)
    return data if isinstance(data, dict) else None


def finite_number(value: Any) -> float | None:
    """A number, also one that came as text; None for anything else, truth values and infinities included."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
