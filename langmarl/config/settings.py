"""What every configuration model has in common: strictness, and errors that list every fault at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, ValidationInfo, field_validator

from langmarl.config.faults import Combination, faults_of, other_json_type, refused, shown
from langmarl.errors import ConfigError, Fault

AnySettings = TypeVar("AnySettings", bound="Settings")


@dataclass(frozen=True, slots=True)
class Reading(Generic[AnySettings]):
    """What input for a model comes to.

    Attributes:
        settings: The model; None where anything is wrong.
        sound: The model as far as the input is sound, defaults in place of refused fields; None where too much is
            wrong for that.
        refused: Top-level names of the refused fields.
        faults: Everything that is wrong.
    """

    settings: AnySettings | None
    sound: AnySettings | None
    refused: frozenset[str]
    faults: tuple[Fault, ...]

    def unaffected(self, combinations: Iterable[Combination]) -> list[Fault]:
        """The faults among ``combinations`` of ``sound`` that rest on no refused field."""
        return [item.fault for item in combinations if not self.refused.intersection(item.fields)]


class Settings(BaseModel):
    """A pydantic model that refuses unknown fields and explains itself.

    Building one by its constructor or by ``from_dict`` raises ``ConfigError`` with *all* faults: those of single
    fields and, as far as the sound fields allow it, combinations that cannot work. No message shows a secret.
    """

    model_config = ConfigDict(
        extra="forbid",
        validate_assignment=True,
        use_attribute_docstrings=True,
        hide_input_in_errors=True,
        allow_inf_nan=False,
    )

    KNOWN_AS: ClassVar[Mapping[str, str]] = {}
    """Names that other programs have for a setting → its name here, for suggestions."""

    IF_MISSING: ClassVar[Mapping[str, str]] = {}
    """Required setting → what to do where it is missing; put behind the message."""

    def __init__(self, /, **data: Any) -> None:
        """Build from keyword arguments; raises ``ConfigError`` with every fault found."""
        refusal = None
        try:
            super().__init__(**data)
        except ValidationError as error:
            refusal = error
        reading = _reading(type(self), data, self if refusal is None else None, refusal)
        if reading.faults:  # raised outside the handler, so that no error holding the input is chained to it
            raise ConfigError(reading.faults, source=type(self).__name__)

    # pydantic builds nested models without a call of __init__ only where it is marked so.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @field_validator("*", mode="before")
    @classmethod
    def _of_its_json_type(cls, value: Any, info: ValidationInfo) -> Any:
        """Refuse ``"3"``, true or ``"yes"`` where a number or a boolean belongs (pydantic would convert them)."""
        field = cls.model_fields[str(info.field_name)]
        takes = other_json_type(field.annotation, value)
        if takes is not None:
            raise refused(f"is {shown(value)}; must be {takes}.")
        return value

    def impossible_combinations(self) -> list[Combination]:
        """Sound settings that cannot work together, nested models included; subclasses add theirs to ``super()``'s."""
        return [
            Combination(replace(nested.fault, field=f"{name}.{nested.fault.field}"), (name,))
            for name in type(self).model_fields
            if isinstance(value := getattr(self, name), Settings)
            for nested in value.impossible_combinations()
        ]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Reading[Self]:
        """What plain JSON values come to; raises nothing, however wrong they are."""
        try:
            settings = cls.model_validate(data)
        except ValidationError as error:
            return _reading(cls, data, None, error)
        return _reading(cls, data, settings, None)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], source: str | None = None) -> Self:
        """Build from plain JSON values.

        Args:
            data: The fields.
            source: Where they come from, for the error message.

        Raises:
            ConfigError: With every fault found.
        """
        reading = cls.read(data)
        if reading.settings is None:
            raise ConfigError(reading.faults, source=source)
        return reading.settings

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values that ``from_dict`` reads back; secrets are left out."""
        return self.model_dump(mode="json")


def _reading(
    model: type[AnySettings], data: Any, settings: AnySettings | None, error: ValidationError | None
) -> Reading[AnySettings]:
    """What input comes to: its faults are those of single fields, then combinations of the sound ones."""
    if error is None:
        sound, faulty, faults = settings, frozenset[str](), []
    else:
        faults = faults_of(model, error)
        faulty = frozenset(str(entry["loc"][0]) if entry["loc"] else "" for entry in error.errors())
        sound = _without(model, data, faulty)
    reading = Reading(None, sound, faulty, ())
    combinations = reading.unaffected(sound.impossible_combinations()) if sound is not None else []
    faults = [*faults, *combinations]
    return Reading(settings if not faults else None, sound, faulty, tuple(faults))


def _without(model: type[AnySettings], data: Any, faulty: frozenset[str]) -> AnySettings | None:
    """The settings with defaults in place of the refused fields; None where that cannot be."""
    if not isinstance(data, Mapping) or "" in faulty:
        return None
    try:
        return model.model_validate({name: value for name, value in data.items() if name not in faulty})
    except ValidationError:  # a required field is among the refused ones
        return None
