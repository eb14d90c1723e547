"""What each field of a pydantic model is, as far as a form must know."""

from __future__ import annotations

import enum
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types
from pydantic import BaseModel, SecretBytes, SecretStr
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from dashboard.forms.words import label_of, meaning_of_none, plain_description
from langmarl.config import LLMConfig
from langmarl.config.bounds import bound_in_words

Kind = Literal["text", "integer", "number", "switch", "choice", "texts", "model", "group", "secret", "json"]
"""text: a string. integer, number. switch: true or false. choice: one of some values. texts: an object whose values
are strings. model: an LLM. group: an object with fields of its own. secret: never shown or taken. json: all else."""

_LARGEST_SAFE_INTEGER = 2**53 - 1
"""Browsers count exactly as far as this."""


@dataclass(frozen=True, slots=True)
class FormField:
    """One field of a form.

    Attributes:
        name: In the file.
        label: For people.
        description: Its docstring, on one line; empty where it has none.
        kind: What it takes.
        nullable: Whether it may be unset (null in the file).
        unset_means: What being unset does, in words; may be empty.
        default: The value where the file has none, as JSON; None also where ``required``.
        required: Whether there is no default.
        minimum: Least value, inclusive; None: no limit.
        maximum: Greatest value, inclusive; None: no limit.
        limits: The limits in words; empty where there are none.
        max_length: Most characters of a text; None: no limit.
        options: What a choice offers.
        inner: The model of a group; None for every other kind.
    """

    name: str
    label: str
    description: str
    kind: Kind
    nullable: bool
    unset_means: str
    default: Any
    required: bool
    minimum: float | None = None
    maximum: float | None = None
    limits: str = ""
    max_length: int | None = None
    options: tuple[Any, ...] = ()
    inner: type[BaseModel] | None = None

    @property
    def help(self) -> str:
        """Everything to know, in one paragraph."""
        facts = [self.description, self.limits and f"{self.limits[0].upper()}{self.limits[1:]}."]
        if self.required:
            facts.append("Required.")
        elif self.default is not None and self.default not in ("", {}, []):
            facts.append(f"Default: {_shown_default(self.default)}.")
        facts.append(f"In the file: {self.name}")
        return " ".join(fact for fact in facts if fact)

    def takes(self, value: object) -> bool:
        """Whether the field's own widget can show ``value``, be it allowed or not."""
        if value is None:
            return self.nullable
        match self.kind:
            case "switch":
                return isinstance(value, bool)
            case "integer":
                return _is_number(value, int) and abs(value) <= _LARGEST_SAFE_INTEGER  # type: ignore[arg-type]
            case "number":
                return _is_number(value, int | float) and abs(value) < float("inf")  # type: ignore[arg-type]
            case "text":
                return isinstance(value, str)
            case "choice":
                return any(value == option and type(value) is type(option) for option in self.options)
            case "texts":
                return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())
            case "json":
                return True
            case _:
                return False

    def is_within(self, value: float) -> bool:
        """Whether a number keeps the limits that a widget can hold."""
        return (self.minimum is None or value >= self.minimum) and (self.maximum is None or value <= self.maximum)


def form_fields(model: type[BaseModel]) -> list[FormField]:
    """The fields of a model, in its own order; those that it never writes down (secrets) are left out."""
    described = (describe(name, info) for name, info in model.model_fields.items() if not info.exclude)
    return [field for field in described if field.kind != "secret"]


def describe(name: str, info: FieldInfo) -> FormField:
    """One field of a model."""
    found = _Unwrapped.of(info.annotation, info.metadata)
    kind = _kind(found.members)
    default = None if info.is_required() else info.get_default(call_default_factory=True, validated_data={})
    lower, upper = _limits(found.metadata, whole=kind == "integer")
    return FormField(
        name=name,
        label=info.title or label_of(name),
        description=plain_description(info.description),
        kind=kind,
        nullable=found.nullable,
        unset_means=meaning_of_none(info.description),
        default=to_jsonable_python(default, fallback=str),
        required=info.is_required(),
        minimum=lower,
        maximum=upper,
        limits=", ".join(words for item in found.metadata if (words := _limit_in_words(item))),
        max_length=next((item.max_length for item in found.metadata if isinstance(item, annotated_types.MaxLen)), None),
        options=_options(found.members) if kind == "choice" else (),
        inner=found.members[0] if kind == "group" else None,
    )


@dataclass(frozen=True, slots=True)
class _Unwrapped:
    """An annotation without ``Annotated`` and ``None``."""

    members: tuple[Any, ...]
    nullable: bool
    metadata: tuple[Any, ...]

    @classmethod
    def of(cls, annotation: Any, metadata: Iterable[Any]) -> _Unwrapped:
        members, collected = [], list(_flat(metadata))
        for member in _members(annotation):
            if get_origin(member) is Annotated:
                inner, *extra = get_args(member)
                collected.extend(_flat(extra))
                members.extend(_members(inner))
            else:
                members.append(member)
        kept = tuple(member for member in members if member is not type(None))
        return cls(kept, len(kept) < len(members), tuple(collected))


def _flat(metadata: Iterable[Any]) -> Iterator[Any]:
    for item in metadata:
        if isinstance(item, annotated_types.GroupedMetadata):
            yield from item
        elif isinstance(item, FieldInfo):
            yield from _flat(item.metadata)
        else:
            yield item


def _members(annotation: Any) -> list[Any]:
    """The members of a union, else the annotation alone."""
    if get_origin(annotation) in (Union, types.UnionType):
        return [member for option in get_args(annotation) for member in _members(option)]
    return [annotation]


def _kind(members: tuple[Any, ...]) -> Kind:
    plain: dict[frozenset[Any], Kind] = {
        frozenset({bool}): "switch",
        frozenset({int}): "integer",
        frozenset({float}): "number",
        frozenset({int, float}): "number",
        frozenset({str}): "text",
        frozenset({Path}): "text",
    }
    if members and all(_is_choice(member) for member in members):
        return "choice"
    if len(members) > 1 or not members:
        return plain.get(frozenset(members), "json")
    (member,) = members
    if isinstance(member, type) and issubclass(member, SecretStr | SecretBytes):
        return "secret"
    if isinstance(member, type) and issubclass(member, LLMConfig):
        return "model"
    if isinstance(member, type) and issubclass(member, BaseModel):
        return "group"
    if get_origin(member) is dict and get_args(member) == (str, str):
        return "texts"
    return plain.get(frozenset({member}), "json")


def _is_choice(member: Any) -> bool:
    return get_origin(member) is Literal or (isinstance(member, type) and issubclass(member, enum.Enum))


def _options(members: tuple[Any, ...]) -> tuple[Any, ...]:
    options: list[Any] = []
    for member in members:
        options.extend(get_args(member) if get_origin(member) is Literal else [option.value for option in member])
    return tuple(option for option in options if option is not None)


def _limits(metadata: Iterable[Any], *, whole: bool) -> tuple[float | None, float | None]:
    """Least and greatest value as a widget can hold them: it knows no "more than" save for whole numbers."""
    lower: float | None = None
    upper: float | None = None
    step = 1 if whole else 0
    for item in metadata:
        match item:
            case annotated_types.Ge(ge=limit):
                lower = _number(limit, whole)
            case annotated_types.Gt(gt=limit):
                lower = _number(limit, whole) + step
            case annotated_types.Le(le=limit):
                upper = _number(limit, whole)
            case annotated_types.Lt(lt=limit):
                upper = _number(limit, whole) - step
    if whole and upper is not None:
        upper = min(upper, _LARGEST_SAFE_INTEGER)
    return lower, upper


def _number(limit: Any, whole: bool) -> float:
    return int(limit) if whole else float(limit)


def _limit_in_words(item: Any) -> str:
    """A bound worth saying beside a box: not that it must hold something, nor a limit nobody will reach."""
    match item:
        case annotated_types.Lt(lt=limit) if not isinstance(limit, int | float) or limit >= _LARGEST_SAFE_INTEGER:
            return ""
        case annotated_types.MinLen(min_length=length) if length <= 1:
            return ""
        case _:
            return bound_in_words(item)


def _is_number(value: object, kind: Any) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _shown_default(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
