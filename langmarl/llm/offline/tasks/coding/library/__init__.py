"""The pieces of code that the offline model knows."""

from __future__ import annotations

from langmarl.llm.offline.tasks.coding.library.lists import LISTS
from langmarl.llm.offline.tasks.coding.library.numbers import NUMBERS
from langmarl.llm.offline.tasks.coding.library.statistics import STATISTICS
from langmarl.llm.offline.tasks.coding.library.texts import TEXTS
from langmarl.llm.offline.tasks.coding.snippet import Snippet

LIBRARY: tuple[Snippet, ...] = (*STATISTICS, *LISTS, *TEXTS, *NUMBERS)
"""Every single piece; of those that a name calls for equally, the first is the one that comes to mind."""
