"""The bounds of a setting, in words."""

from __future__ import annotations

import annotated_types


def bound_in_words(item: object) -> str:
    """One constraint of a pydantic field for people, such as "at least 1"; empty for what is no bound."""
    match item:
        case annotated_types.Ge(ge=limit):
            return f"at least {limit}"
        case annotated_types.Gt(gt=limit):
            return f"more than {limit}"
        case annotated_types.Le(le=limit):
            return f"at most {limit}"
        case annotated_types.Lt(lt=limit):
            return f"less than {limit}"
        case annotated_types.MinLen(min_length=length):
            return "not empty" if length == 1 else f"at least {length} characters"
        case annotated_types.MaxLen(max_length=length):
            return f"at most {length} characters"
        case _:
            return ""
