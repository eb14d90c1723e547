"""Text that a model or somebody else wrote, shown as text.

Streamlit reads Markdown in nearly every label and message: ``$…$`` becomes a formula, ``![](url)`` loads a remote
image, ``:material/…:`` an icon. A policy, a name or an error message must do none of this, so it goes through here:
:func:`label` where Streamlit wants a label, the ``show_…`` functions where it is content.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import Literal

import streamlit as st

from langmarl.errors import LangMARLError

Kind = Literal["info", "success", "warning", "error"]

_LABEL_LENGTH = 80
_BREAK = "\u2060"  # word joiner: no width, and no pattern of an icon, emoji or link goes across it
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_LINK_STARTS = re.compile(r"(:(?=\S)|@(?=\S)|\bwww(?=\\?\.)|[<\-](?=\\?[->]))", re.IGNORECASE)
_KEPT_CONTROLS = "\n\t"
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
_JOINERS = {"\u200c", "\u200d"}  # scripts such as Persian, and emoji, are written with them
_WORDS = {"info": "Note", "success": "Done", "warning": "Attention", "error": "Problem"}
_MARKS = {"info": "ℹ", "success": "✓", "warning": "⚠", "error": "✕"}
_COLORS = {"info": "#0072B2", "success": "#009E73", "warning": "#B97F00", "error": "#D55E00"}


def label(text: object, max_chars: int = _LABEL_LENGTH) -> str:
    """``text`` for a place where Streamlit reads Markdown (label, option, title, caption, toast): one plain line.

    Control characters and changes of writing direction are left out, line breaks become blanks, what is too long is
    cut with an ellipsis, and everything that means something in Markdown is escaped.

    Args:
        text: Any text, or any object's ``str``.
        max_chars: The longest result, before escaping.
    """
    line = plain_line(text, max_chars)
    escaped = _PUNCTUATION.sub(r"\\\1", line)
    return _LINK_STARTS.sub(rf"\1{_BREAK}", escaped)


def plain_line(text: object, max_chars: int = _LABEL_LENGTH) -> str:
    """``text`` as one line for a place that reads no Markdown (a table's cell, a link's address is not such a place).

    As :func:`label`, without the escapes.
    """
    line = " ".join(_visible(str(text)[: 20 * max_chars + 1000]).split())
    return line if len(line) <= max_chars else line[: max_chars - 1].rstrip() + "…"


def plot_text(text: object, max_chars: int = _LABEL_LENGTH) -> str:
    """``text`` for a figure (trace name, axis, hover): Plotly reads tags such as ``<a href>`` there."""
    return html.escape(plain_line(text, max_chars), quote=False)


def markup(text: object) -> str:
    """``text`` for the inside of an element that is handed to ``st.html``."""
    return html.escape(_visible(str(text)))


def show_text(text: object, *, height: int | None = None) -> None:
    """Running text, wrapped, with its line breaks; copies as it was written.

    Args:
        text: What to show; a megabyte is no problem.
        height: In pixels; longer text scrolls inside. None: as high as the text.
    """
    style = "white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5;"
    if height is not None:
        style += f"max-height:{height}px;overflow-y:auto;"
    focus = ' tabindex="0"' if height is not None else ""  # what scrolls must be reachable by keyboard
    st.html(f'<div class="langmarl-text" style="{style}"{focus}>{markup(text)}</div>')


def show_code(text: object, *, height: int | None = None) -> None:
    """Text in a box with a fixed-width font and a button that copies it.

    Args:
        text: What to show.
        height: In pixels; longer text scrolls inside. None: as high as the text.
    """
    st.code(_visible(str(text)), language=None, wrap_lines=True, height="content" if height is None else height)


def show_message(message: object, kind: Kind = "info", *, remedy: object = None) -> None:
    """A message in a box, as ``st.info`` and the like would show it, but as text.

    Args:
        message: What happened.
        kind: Decides colour, mark and how a screen reader announces it.
        remedy: What to do next; a second paragraph.
    """
    color = _COLORS[kind]
    style = f"border-left:4px solid {color};background:{color}1f;border-radius:6px;padding:0.7rem 1rem;"
    style += "white-space:pre-wrap;overflow-wrap:anywhere;"
    role = "alert" if kind == "error" else "status"
    second = f'<div style="margin-top:0.4rem;">{markup(remedy)}</div>' if remedy else ""
    mark = f'<span title="{_WORDS[kind]}" aria-label="{_WORDS[kind]}" style="color:{color};">{_MARKS[kind]}</span>'
    st.html(f'<div class="langmarl-message" role="{role}" style="{style}">{mark} {markup(message)}{second}</div>')


def show_error(message: object) -> None:
    """An error: its message, and what to do where it is one of ours."""
    if isinstance(message, LangMARLError):
        show_message(message.message, "error", remedy=message.remedy)
    else:
        show_message(message, "error")


def _visible(text: str) -> str:
    """Without control characters, marks that turn the writing direction, and halves of characters."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char for char in text if _stays(char))


def _stays(char: str) -> bool:
    return char in _KEPT_CONTROLS or char in _JOINERS or unicodedata.category(char) not in _INVISIBLE
