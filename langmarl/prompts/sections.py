"""Sections of a request: material between tags, so that a model can tell instructions from what it is to read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Section:
    """One tagged piece of a request.

    Attributes:
        text: What stood between the tags, without the line breaks next to them.
        attributes: The opening tag's attributes.
    """

    text: str
    attributes: dict[str, str] = field(default_factory=dict)


def wrap(tag: str, text: str, **attributes: object) -> str:
    """``text`` between ``<tag …>`` and ``</tag>``, each on its own line.

    A closing tag of the same name inside ``text`` is defused (``<\\/tag>``), so that nothing a model wrote can
    end its own section early.
    """
    rendered = "".join(f' {name}="{str(value).replace(chr(34), chr(39))}"' for name, value in attributes.items())
    safe = text.replace(f"</{tag}>", f"<\\/{tag}>")
    return f"<{tag}{rendered}>\n{safe}\n</{tag}>"


def find(text: str, tag: str) -> list[Section]:
    """Every ``<tag>`` section of ``text``, in order; nothing where there is none."""
    pattern = re.compile(rf"<{re.escape(tag)}((?: [\w-]+=\"[^\"]*\")*)>\n?(.*?)\n?</{re.escape(tag)}>", re.DOTALL)
    return [
        Section(text=match.group(2), attributes=dict(_ATTRIBUTE.findall(match.group(1))))
        for match in pattern.finditer(text)
    ]
