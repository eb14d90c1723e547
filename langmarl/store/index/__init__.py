"""An index of runs in a database: made from the run directories, and at any time again."""

from __future__ import annotations

from langmarl.store.index.index import Index, IndexUnusableError, Reconciled
from langmarl.store.index.tables import IterationRow, RunRow

__all__ = ["Index", "IndexUnusableError", "IterationRow", "Reconciled", "RunRow"]
