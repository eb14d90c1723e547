"""From pydantic's errors to ours: each names the field, the value and what is allowed; none shows a secret."""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from langmarl.errors import Fault, nearest

_LONGEST_SHOWN = 80
_LONGEST_PATH = 1000
# Fields whose value is never shown, whatever it is: a key that landed in the wrong one stays hidden too.
_HIDDEN_FIELDS = frozenset({"api_key", "api_key_env_var"})
# How the keys of the known providers begin.
_LOOKS_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|rk|gsk|tgp|xai|hf|ghp|key)[-_][A-Za-z0-9_-]{8,}|\bAIza[\w-]{10,}|\bBearer\s", re.I
)


@dataclass(frozen=True, slots=True)
class Combination:
    """Settings that are sound one by one and cannot work together.

    Attributes:
        fault: What to tell the user.
        fields: The top-level fields it rests on; where one of them is itself faulty, nothing can be said.
    """

    fault: Fault
    fields: tuple[str, ...]


def refused(message: str, suggestion: str | None = None) -> PydanticCustomError:
    """The error that a validator of ours raises; the message must say what is allowed and show no secret."""
    return PydanticCustomError("setting_refused", "{message}", {"message": message, "suggestion": suggestion})


def shown(value: object) -> str:
    """A value as it may appear in a message: short, one line, without anything that looks like a key."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, Mapping | BaseModel):
        return "an object"
    if isinstance(value, list | tuple | set):
        return "a list"
    if not isinstance(value, str | int | float):
        return f"a value of type {type(value).__name__}"
    if isinstance(value, str) and _LOOKS_LIKE_A_KEY.search(value):
        return "a value that looks like a key (hidden)"
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}… ({len(text)} characters)"


def shown_path(path: str | Path) -> str:
    """A path as it may appear in a message: whole, since its end says most, unless it is endless."""
    text = repr(str(path))
    hidden = _LOOKS_LIKE_A_KEY.search(text) is not None or len(text) > _LONGEST_PATH
    return shown(str(path)) if hidden else text


def shown_name(name: int | str) -> str:
    """A field's name as it may appear in a message: one that looks like a key is hidden."""
    return "(hidden)" if _LOOKS_LIKE_A_KEY.search(str(name)) else str(name)[:_LONGEST_SHOWN]


def other_json_type(annotation: Any, value: object) -> str | None:
    """What a field of this type takes, in words, where ``value`` is of a JSON type that pydantic would only convert.

    Text is no number and no boolean, and these two are not each other.
    """
    options = {option for option in _options(annotation) if option is not type(None)}
    plain = options <= {bool, int, float}
    takes_number = bool(options & {int, float})
    converted = (
        (isinstance(value, str) and plain)
        or (isinstance(value, bool) and takes_number and not options & {bool, Any})
        or (isinstance(value, int | float) and not isinstance(value, bool) and options == {bool})
    )
    if not converted:
        return None
    if not takes_number:
        return "true or false"
    return "a number" if float in options else "a whole number"


def faults_of(model: type[BaseModel], error: ValidationError) -> list[Fault]:
    """One ``Fault`` for each thing pydantic found wrong with a ``model``."""
    return [_fault(model, entry) for entry in error.errors(include_url=False)]


def types_at(model: type[BaseModel], location: Iterable[int | str]) -> list[Any]:
    """The types that the place at ``location`` (counted from ``model``) takes; none where there is no such place."""
    options: list[Any] = [model]
    for part in location:
        inner: list[Any] = []
        for option in options:
            if isinstance(option, type) and issubclass(option, BaseModel):
                field = option.model_fields.get(str(part))
                inner.extend(_options(field.annotation) if field is not None else ())
            elif get_origin(option) is dict:
                inner.extend(_options(get_args(option)[1]))
        options = inner
    return options


def model_at(model: type[BaseModel], location: Iterable[int | str]) -> type[BaseModel] | None:
    """The model that the place at ``location`` takes; None where it takes none."""
    found = types_at(model, location)
    return next((item for item in found if isinstance(item, type) and issubclass(item, BaseModel)), None)


def _options(annotation: Any) -> list[Any]:
    """The members of a union, else the annotation alone; without what ``Annotated`` adds."""
    if get_origin(annotation) is Annotated:
        return _options(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return [option for member in get_args(annotation) for option in _options(member)]
    return [annotation]


def _fault(model: type[BaseModel], entry: ErrorDetails) -> Fault:
    location = entry["loc"]
    field = ".".join(shown_name(part) for part in location)
    context = entry.get("ctx", {})
    if entry["type"] == "setting_refused":
        return Fault(field, context["message"], context["suggestion"])
    if entry["type"] == "missing":
        hint = _words_of(model, location, "IF_MISSING")
        return Fault(field, f"is required and missing{f'; {hint}' if hint else ''}.")
    if entry["type"] == "extra_forbidden":
        holder = model_at(model, location[:-1])
        known = _words_of(model, location, "KNOWN_AS")
        suggestion = known or nearest(str(location[-1]), holder.model_fields if holder is not None else ())
        return Fault(field, "there is no setting of this name.", suggestion)
    if _HIDDEN_FIELDS.intersection(location):
        return Fault(field, f"is refused; it must be {_allowed(entry)}.")
    suggestion = None
    if entry["type"] == "literal_error" and isinstance(entry["input"], str):
        suggestion = nearest(entry["input"], _quoted(context["expected"]))
    return Fault(field, f"is {shown(entry['input'])}; must be {_allowed(entry)}.", suggestion)


def _words_of(model: type[BaseModel], location: tuple[int | str, ...], table: str) -> str | None:
    """What the model that holds the place at ``location`` says about the name there, in one of its tables."""
    words: Mapping[str, str] = getattr(model_at(model, location[:-1]), table, {})
    return words.get(str(location[-1]))


_ALLOWED: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "greater_than_equal": lambda context: f"at least {context['ge']}",
    "greater_than": lambda context: f"more than {context['gt']}",
    "less_than_equal": lambda context: f"at most {context['le']}",
    "less_than": lambda context: f"less than {context['lt']}",
    "literal_error": lambda context: f"one of {', '.join(_quoted(context['expected']))}",
    "string_too_short": lambda context: f"at least {context['min_length']} character(s) long",
    "string_too_long": lambda context: f"at most {context['max_length']} characters long",
    "string_type": lambda _: "text",
    "finite_number": lambda _: "a finite number",
    "dict_type": lambda _: "an object",
    "list_type": lambda _: "a list",
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float", "int_parsing_size"), lambda _: "a whole number"),
    **dict.fromkeys(("float_type", "float_parsing"), lambda _: "a number"),
    **dict.fromkeys(("bool_type", "bool_parsing"), lambda _: "true or false"),
    **dict.fromkeys(("model_type", "model_attributes_type"), lambda _: "an object"),
}


def _allowed(entry: ErrorDetails) -> str:
    """What the field takes, in words."""
    describe = _ALLOWED.get(entry["type"])
    return describe(entry.get("ctx", {})) if describe else f"something else ({entry['type'].replace('_', ' ')})"


def _quoted(expected: str) -> list[str]:
    """The names in pydantic's ``'a', 'b' or 'c'``."""
    return re.findall(r"'([^']*)'", expected)
