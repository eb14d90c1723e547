"""The index of runs: answers in one query what would take a look into every run directory."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from sqlalchemy import ColumnElement, and_, func, insert, or_
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlmodel import Session, col, delete, select
from sqlmodel.sql.expression import SelectOfScalar

from langmarl.errors import UnknownNameError, UserMistake
from langmarl.store.creation import run_folders
from langmarl.store.index.database import Database
from langmarl.store.index.rows import RunRows, rows_of, stamp_of
from langmarl.store.index.tables import IterationRow, RunRow
from langmarl.store.run_directory import RunDirectory

DATABASE_URL_VARIABLE = "LANGMARL_DATABASE_URL"

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Reconciled:
    """What a reconciliation changed, in run ids; each list is sorted.

    Attributes:
        added: Runs that the index did not know.
        updated: Runs that had changed.
        removed: Runs that are gone, or can no longer be read.
        unreadable: Runs that are left out, with the reason: those on disk that cannot be read.
    """

    added: list[str]
    updated: list[str]
    removed: list[str]
    unreadable: dict[str, str] = field(default_factory=dict)


class IndexUnusableError(UserMistake):
    """The database cannot be read or written; the runs are not affected."""


@dataclass(frozen=True, slots=True)
class _Known:
    stamp: str
    path: str
    state: str


class Index:
    """The runs of one experiment folder in a database.

    It is made from the run directories and holds nothing of its own: deleting it loses nothing. Safe from any
    thread and process; each operation is one short session. The rows returned are detached copies.

    Args:
        experiment_dir: The folder of the runs; the database is ``index.db`` in it, unless the environment variable
            ``LANGMARL_DATABASE_URL`` names another one. Several folders may share that one.
        in_memory: Keep the database in this object instead, where neither can be used.

    Raises:
        UserMistake: ``LANGMARL_DATABASE_URL`` cannot be used.
    """

    def __init__(self, experiment_dir: Path | str, *, in_memory: bool = False) -> None:
        self._folder = Path(experiment_dir)
        url = None if in_memory else os.environ.get(DATABASE_URL_VARIABLE) or None
        self._scope = "" if url is None else str(self._folder.resolve())
        self._database = Database(None if in_memory else self._folder / "index.db", url)
        self._has_failed = False

    def update_run(self, run: RunDirectory) -> None:
        """Read one run anew, its iterations included.

        Raises:
            UserMistake: The run cannot be read, or (IndexUnusableError) the database cannot be used.
        """
        rows = rows_of(run, self._scope)
        self._operate(lambda: self._store([rows], gone=[]))

    def try_update_run(self, run: RunDirectory) -> None:
        """As :meth:`update_run`, but an error is only logged, the first time: it never fails a run."""
        try:
            self.update_run(run)
        except Exception as error:
            if not self._has_failed:
                _log.warning("the index of runs could not be updated (the run itself is not affected): %s", error)
            self._has_failed = True

    def reconcile(self, *, quiet: bool = False) -> Reconciled:
        """Bring the index up to date with the run directories, reading only those that changed.

        Args:
            quiet: Leave it to the caller to tell of runs that cannot be read; else each is logged.

        Raises:
            IndexUnusableError: The database cannot be used.
        """
        changes = self._operate(self._reconcile)
        return changes if quiet else _logged(changes)

    def rebuild(self) -> Reconciled:
        """Empty the index and read every run directory anew.

        Raises:
            IndexUnusableError: The database cannot be used.
        """

        def operation() -> Reconciled:
            with self._database.writing() as session:
                session.exec(delete(IterationRow).where(col(IterationRow.scope) == self._scope))
                session.exec(delete(RunRow).where(col(RunRow.scope) == self._scope))
            return self._reconcile()

        return _logged(self._operate(operation))

    def runs(
        self,
        *,
        state: str | Iterable[str] | None = None,
        exp_name: str | None = None,
        order: str = "-created_ns",
        limit: int | None = None,
        offset: int = 0,
    ) -> list[RunRow]:
        """Runs as the index knows them; call :meth:`reconcile` before for the present state.

        Args:
            state: Only runs in this state, or in one of these; None for all.
            exp_name: Only runs of this experiment; None for all.
            order: A column's name, with ``-`` in front for descending; unknown values come last.
            limit: At most so many; None for all.
            offset: Leave out so many first.

        Raises:
            UnknownNameError: ``order`` is no column.
            IndexUnusableError: The database cannot be used.
        """
        query = select(RunRow).where(*self._conditions(state, exp_name))
        name = order.removeprefix("-")
        if name not in RunRow.model_fields:
            raise UnknownNameError("column", name, RunRow.model_fields)
        column = getattr(RunRow, name)
        query = query.order_by(
            column.is_(None), column.desc() if order.startswith("-") else column.asc(), col(RunRow.run_id)
        )
        return self._operate(lambda: self._read(query.offset(offset).limit(limit)))

    def count(self, *, state: str | Iterable[str] | None = None, exp_name: str | None = None) -> int:
        """How many runs :meth:`runs` would give without a limit.

        Raises:
            IndexUnusableError: The database cannot be used.
        """
        query = select(func.count()).select_from(RunRow).where(*self._conditions(state, exp_name))
        return self._operate(lambda: self._read(query)[0])

    def iterations(self, run_id: str) -> list[IterationRow]:
        """The finished iterations of one run, ascending; empty where the index does not know it.

        Raises:
            IndexUnusableError: The database cannot be used.
        """
        query = select(IterationRow).where(col(IterationRow.scope) == self._scope, col(IterationRow.run_id) == run_id)
        return self._operate(lambda: self._read(query.order_by(col(IterationRow.iteration))))

    def reward_curves(self, points: int = 30) -> dict[str, list[float]]:
        """The mean rewards of every run's iterations, thinned evenly; one query for all runs.

        Args:
            points: About so many a run; the last one is always among them.

        Returns:
            Run → mean rewards, ascending by iteration; runs without a finished iteration are absent.

        Raises:
            IndexUnusableError: The database cannot be used.
        """
        step = col(RunRow.iterations_done) // points + 1
        query = (
            select(IterationRow.run_id, IterationRow.avg_reward)
            .join(RunRow, and_(col(RunRow.scope) == IterationRow.scope, col(RunRow.run_id) == IterationRow.run_id))
            .where(col(IterationRow.scope) == self._scope, col(IterationRow.avg_reward).is_not(None))
            .where(
                or_(
                    (col(RunRow.iterations_done) - 1 - IterationRow.iteration) % step == 0,
                    col(IterationRow.iteration) == 0,
                )
            )
            .order_by(col(IterationRow.run_id), col(IterationRow.iteration))
        )

        def operation() -> dict[str, list[float]]:
            curves: dict[str, list[float]] = {}
            with self._database.reading() as session:
                for run_id, reward in session.exec(query):
                    curves.setdefault(run_id, []).append(float(reward or 0.0))
            return curves

        return self._operate(operation)

    def version(self) -> str:
        """Changes whenever the index does: a run came, went or changed. Cheaper than reading the runs.

        Raises:
            IndexUnusableError: The database cannot be used.
        """
        known = self._operate(self._known)
        text = "\n".join(f"{run_id} {seen.state} {seen.stamp}" for run_id, seen in sorted(known.items()))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def close(self) -> None:
        """Close every connection; the index can be used again afterwards."""
        self._database.close()

    def _operate(self, operation: Callable[[], _Result]) -> _Result:
        """Do ``operation``; where the file turns out damaged, make it again and do it once more."""
        try:
            try:
                return operation()
            except DBAPIError as error:
                if not self._database.move_aside_if_damaged(error):
                    raise
            self._reconcile()
            return operation()
        except (SQLAlchemyError, OSError) as error:
            cause = getattr(error, "orig", None) or error
            raise IndexUnusableError(
                f"the index of the runs in {self._folder} cannot be used: {cause}",
                "The runs themselves are not affected. See that the folder can be written and the disk has space.",
            ) from error

    def _reconcile(self) -> Reconciled:
        known = self._known()
        folders = {folder.name: folder for folder in run_folders(self._folder)}
        home = self._folder.resolve()
        stale = [folder for name, folder in folders.items() if not _is_current(folder, known.get(name), home)]
        readable: list[RunRows] = []
        unreadable: dict[str, str] = {}
        gone = known.keys() - folders.keys()
        for folder in stale:
            try:
                readable.append(rows_of(RunDirectory.open(folder), self._scope))
            except (UserMistake, OSError) as error:
                unreadable[folder.name] = str(error)
                gone |= {folder.name} & known.keys()
        if readable or gone:
            self._store(readable, gone)
        names = {rows.run.run_id for rows in readable}
        return Reconciled(sorted(names - known.keys()), sorted(names & known.keys()), sorted(gone), unreadable)

    def _known(self) -> dict[str, _Known]:
        query = select(RunRow.run_id, RunRow.stamp, RunRow.path, RunRow.state).where(col(RunRow.scope) == self._scope)
        with self._database.reading() as session:
            return {run_id: _Known(stamp, path, state) for run_id, stamp, path, state in session.exec(query)}

    def _store(self, runs: Iterable[RunRows], gone: Iterable[str]) -> None:
        with self._database.writing() as session:
            for run_id in gone:
                self._forget(session, run_id)
            for rows in runs:
                self._forget(session, rows.run.run_id)
                session.execute(insert(RunRow), [rows.run.model_dump()])
                if rows.iterations:
                    session.execute(insert(IterationRow), [row.model_dump() for row in rows.iterations])

    def _forget(self, session: Session, run_id: str) -> None:
        for table in (IterationRow, RunRow):
            session.exec(delete(table).where(col(table.scope) == self._scope, col(table.run_id) == run_id))

    def _conditions(self, state: str | Iterable[str] | None, exp_name: str | None) -> list[ColumnElement[bool]]:
        conditions = [col(RunRow.scope) == self._scope]
        if state is not None:
            conditions.append(col(RunRow.state).in_([state] if isinstance(state, str) else list(state)))
        if exp_name is not None:
            conditions.append(col(RunRow.exp_name) == exp_name)
        return conditions

    def _read(self, query: SelectOfScalar[_Result]) -> list[_Result]:
        with self._database.reading() as session:
            return list(session.exec(query))


def _logged(changes: Reconciled) -> Reconciled:
    for reason in changes.unreadable.values():
        _log.warning("a run is left out of the index: %s", reason)
    return changes


def _is_current(folder: Path, known: _Known | None, home: Path) -> bool:
    """Whether the index knows the run in ``folder``, which lies in ``home``, as it is now."""
    if known is None or known.stamp != stamp_of(folder):
        return False
    # Only where the folder is a link, or all of them were moved, does it take a look at the disk to tell.
    if known.path != str(home / folder.name) and known.path != str(folder.resolve()):
        return False
    # A process that dies changes no file.
    return known.state != "running" or RunDirectory.open(folder).owner is not None
