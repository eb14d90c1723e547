"""The pages: their names, addresses and scripts."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

_HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One page.

    Attributes:
        name: How code names it; its view is ``dashboard.views.<name>``.
        title: How people name it.
        icon: Stands before the title; an emoji, since Streamlit fetches other icons from a font host.
        url_path: Its address; empty for the first page, whose named address Streamlit would not find.
    """

    name: str
    title: str
    icon: str
    url_path: str

    @property
    def is_default(self) -> bool:
        """Whether it is the page at ``/``."""
        return not self.url_path


PAGES = (
    PageEntry("runs", "Runs", "📋", ""),
    PageEntry("configure", "Configure", "🧩", "configure"),
    PageEntry("train", "Train", "🚀", "train"),
    PageEntry("live", "Live", "📈", "live"),
    PageEntry("policies", "Policies", "📜", "policies"),
    PageEntry("feedback", "Feedback", "💬", "feedback"),
    PageEntry("models", "Models", "🧠", "models"),
)
"""In the order of the menu."""


def page_entry(name: str) -> PageEntry:
    """The page called ``name``.

    Raises:
        KeyError: There is none.
    """
    return next(entry for entry in PAGES if entry.name == name) if _is_page(name) else _unknown(name)


def is_shown(name: str) -> bool:
    """Whether the page is there: its view has been written."""
    if not _is_page(name):
        return False
    found = importlib.util.find_spec(f"dashboard.views.{name}")
    return found is not None and found.origin is not None  # a mere folder has none


def page(name: str) -> StreamlitPage:
    """The page called ``name`` as Streamlit wants it for ``page_link`` and ``switch_page``.

    Raises:
        KeyError: There is none.
    """
    entry = page_entry(name)
    script = scripts_folder() / f"{entry.name}.py"
    if entry.is_default:
        return st.Page(script, title=entry.title, icon=entry.icon, default=True)
    return st.Page(script, title=entry.title, icon=entry.icon, url_path=entry.url_path)


def shown_pages() -> list[StreamlitPage]:
    """The pages of the menu, in order."""
    return [page(entry.name) for entry in PAGES if is_shown(entry.name)]


@cache
def scripts_folder() -> Path:
    """Where the page scripts are: ``pages/`` beside the package in a checkout, inside the package once installed.

    They cannot be in ``dashboard/pages`` itself: a folder of that name beside the entry script switches Streamlit's
    old discovery of pages on, which runs a page without its frame.
    """
    installed = _HERE / "page_scripts"
    return installed if installed.is_dir() else _HERE.parent / "pages"


def _is_page(name: str) -> bool:
    return any(entry.name == name for entry in PAGES)


def _unknown(name: str) -> PageEntry:
    raise KeyError(f"no page is called {name!r}; there are {', '.join(entry.name for entry in PAGES)}")
