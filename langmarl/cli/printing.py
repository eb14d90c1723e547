"""Text, tables and JSON on standard output; complaints on standard error."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

# Control characters but tab and line feed, marks that turn the direction of writing, halves of characters. What a
# model wrote must neither steer the terminal nor show anything but what it is.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

_WIDTH = 10_000
"""Columns of the widest table. A narrow terminal breaks long lines by itself, and so keeps every name whole."""


def plain(text: str) -> str:
    """``text`` as it may go to a terminal: what could steer it is replaced, tabs and line feeds stay."""
    return _UNPRINTABLE.sub("�", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """As :func:`plain`, on a single line."""
    return " ".join(plain(text).split())


def say(text: str = "", style: str = "") -> None:
    """One piece of text to standard output; ``style`` (Rich's) shows in a terminal only."""
    Console(soft_wrap=True, highlight=False).print(Text(plain(text), style=style))


def complain(text: str) -> None:
    """One piece of text to standard error."""
    Console(stderr=True, soft_wrap=True, highlight=False).print(Text(plain(text), style="red"))


def say_json(value: Any) -> None:
    """``value`` as one line of JSON to standard output, readable by any JSON parser in any encoding."""
    unicode = sys.stdout.encoding.casefold().replace("-", "") == "utf8"
    text = json.dumps(value, ensure_ascii=not unicode)
    print(_UNPRINTABLE.sub(lambda match: f"\\u{ord(match.group()):04x}", text), flush=True)


def show_table(headers: Sequence[str], rows: Iterable[Sequence[str]], *, numbers_from: int | None = None) -> None:
    """A table in a terminal; tab-separated lines where the output goes elsewhere. Nothing is ever cut short.

    Args:
        headers: One a column.
        rows: The cells, as text, each on one line.
        numbers_from: Columns from here on are aligned to the right; None: none.
    """
    if not sys.stdout.isatty():
        for row in (headers, *rows):
            print("\t".join(one_line(cell) for cell in row))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, header in enumerate(headers):
        right = numbers_from is not None and number >= numbers_from
        table.add_column(header, justify="right" if right else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    Console(highlight=False, width=_WIDTH).print(table)


def dollars(cost: float | None) -> str:
    """A cost for people; an unknown one is called that, and a small one is not shown as nothing."""
    if cost is None:
        return "unknown"
    return f"${cost:.4f}" if cost == 0 or cost >= 0.0001 else "<$0.0001"


def reward(value: float | None) -> str:
    """A reward for people; a dash where there is none."""
    return "–" if value is None else f"{value:.3f}"


def seconds(duration_s: float) -> str:
    """A duration for people."""
    if duration_s < 60:
        return f"{duration_s:.1f} s"
    minutes, rest = divmod(round(duration_s), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
