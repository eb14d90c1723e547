"""The reference tables of docs/configuration.md and docs/models.md, rendered from the models and presets.

``python -m langmarl.config.reference`` rewrites what stands between the markers ``<!-- begin NAME -->`` and
``<!-- end NAME -->`` in both pages; the prose around them is written by hand.
"""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from langmarl.config.base import BaseConfig
from langmarl.config.bounds import bound_in_words
from langmarl.config.language import LanguageTaskConfig
from langmarl.config.llm import LLMConfig
from langmarl.config.presets import endpoints

DOCS = Path(__file__).resolve().parents[2] / "docs"

_TYPE_NAMES: Mapping[Any, str] = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "true or false",
    type(None): "null",
    SecretStr: "text",
    LLMConfig: "[model](models.md)",
}


def settings_table(model: type[BaseModel], leave_out: Iterable[str] = ()) -> str:
    """A Markdown table of a model's fields: name, type with bounds, default, meaning."""
    rows = [
        (f"`{name}`", _type_and_bounds(field), _default(field), _meaning(field))
        for name, field in model.model_fields.items()
        if name not in leave_out
    ]
    return _table(("Setting", "Takes", "Default", "Meaning"), rows)


def presets_table() -> str:
    """A Markdown table of the presets: name, model, endpoint, key variable, note."""
    rows = [
        (f"`{name}`", f"`{fields['model_string']}`", group.title, _key(fields), str(fields["description"]))
        for group in endpoints()
        for name, fields in group.models.items()
    ]
    return _table(("Preset", "Model", "Endpoint", "Key variable", "Note"), rows)


def endpoints_table() -> str:
    """A Markdown table of where each group of presets is served."""
    rows = [
        (
            group.title,
            ", ".join(f"`{address}`" for address in dict.fromkeys(_address(m) for m in group.models.values())),
        )
        for group in endpoints()
    ]
    return _table(("Endpoint", "Address"), rows)


BLOCKS: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "configuration.md": {
        "settings of every run": lambda: settings_table(BaseConfig),
        "settings of language tasks": lambda: settings_table(LanguageTaskConfig, BaseConfig.model_fields),
    },
    "models.md": {
        "settings of a model": lambda: settings_table(LLMConfig),
        "endpoints": endpoints_table,
        "presets": presets_table,
    },
}
"""Page → marker → what belongs between its markers."""


def rendered(page: str, text: str) -> str:
    """A page's text with its generated blocks brought up to date.

    Raises:
        ValueError: The page lacks a block's markers.
    """
    for name, render in BLOCKS[page].items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
        block = f"{begin}\n{render()}\n{end}"
        text, replaced = pattern.subn(lambda _, block=block: block, text)  # type: ignore[misc]
        if replaced != 1:
            raise ValueError(f"{page} must hold {begin} and {end} once")
    return text


def main() -> int:
    """Rewrite the pages that are out of date, and name them."""
    for page in BLOCKS:
        path = DOCS / page
        before = path.read_text(encoding="utf-8")
        after = rendered(page, before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(f"rewrote {path}")
    return 0


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def _meaning(field: FieldInfo) -> str:
    """The field's docstring on one line, with JSON's word for Python's None."""
    return re.sub(r"\bNone\b", "null", " ".join((field.description or "").split()))


def _type_and_bounds(field: FieldInfo) -> str:
    bounds = [words for item in field.metadata if (words := bound_in_words(item))]
    return ", ".join([_type_name(field.annotation), *bounds])


def _type_name(annotation: Any) -> str:
    origin = get_origin(annotation)
    if origin in (Union, types.UnionType):
        return " or ".join(_type_name(member) for member in get_args(annotation))
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in get_args(annotation))
    if origin is dict:
        return "object"
    return _TYPE_NAMES[annotation]


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True, validated_data={})
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            return f'"{value}"'
        case _:
            return str(value)


def _key(fields: Mapping[str, Any]) -> str:
    variable = fields["api_key_env_var"]
    return "none" if variable is None else f"`{variable}`"


def _address(fields: Mapping[str, Any]) -> str:
    return str(fields.get("base_url", "https://api.openai.com/v1"))


if __name__ == "__main__":
    sys.exit(main())
