"""The database behind the index: its connection, its sessions, and what to do when its file is damaged."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool, StaticPool
from sqlmodel import Session, SQLModel

from langmarl.errors import UserMistake
from langmarl.store.index.tables import IterationRow, RunRow

BUSY_TIMEOUT_S = 10.0
"""How long an operation waits for another process's, in seconds."""

INDEX_VERSION = 1
"""Raised whenever the tables change; an index of another version is emptied and filled again."""

_TABLES = [SQLModel.metadata.tables[str(row.__tablename__)] for row in (RunRow, IterationRow)]
_SQLITE_CORRUPT, _SQLITE_NOTADB = 11, 26
_WRITES = "langmarl_writes"

_log = logging.getLogger(__name__)


class Database:
    """Sessions on one database; safe from several threads and processes.

    Args:
        file: A SQLite file of our own, made where missing; it may be moved aside when damaged. None without a URL:
            in this object's memory.
        url: A SQLAlchemy URL instead; such a database is never emptied or moved.

    Raises:
        UserMistake: The URL cannot be used.
    """

    def __init__(self, file: Path | None, url: str | None = None) -> None:
        self._file = file if url is None else None
        self._engine = _own_engine(file) if url is None else _given_engine(url)
        self._prepared = False
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that only reads; its objects stay usable afterwards."""
        self._prepare()
        with Session(self._engine, expire_on_commit=False) as session:
            yield session

    @contextlib.contextmanager
    def writing(self) -> Iterator[Session]:
        """A session that writes and is committed at the end of the block, or rolled back on an error."""
        self._prepare()
        with Session(self._engine.execution_options(**{_WRITES: True}), expire_on_commit=False) as session:
            yield session
            session.commit()

    def move_aside_if_damaged(self, error: DBAPIError) -> bool:
        """Whether ``error`` says that our own file is damaged; if so it has been moved out of the way."""
        code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
        if self._file is None or code not in (_SQLITE_CORRUPT, _SQLITE_NOTADB):
            return False
        with self._lock:
            self._engine.dispose()
            stamp = time.strftime("%Y%m%d_%H%M%S")
            for suffix in ("", "-wal", "-shm"):
                part = self._file.with_name(self._file.name + suffix)
                with contextlib.suppress(FileNotFoundError):
                    part.rename(part.with_name(f"{part.name}.damaged-{stamp}"))
            self._prepared = False
        _log.warning("the index %s was damaged; it was moved aside and is made again", self._file)
        return True

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def _prepare(self) -> None:
        """Make the tables where they are missing or of another version; once."""
        with self._lock:
            if self._prepared and (self._file is None or self._file.exists()):
                return
            if self._file is not None:
                self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._engine.execution_options(**{_WRITES: True}).begin() as connection:
                self._make_tables(connection)
            self._prepared = True

    def _make_tables(self, connection: Connection) -> None:
        if self._file is not None:
            version = connection.execute(text("PRAGMA user_version")).scalar_one()
            if version != INDEX_VERSION:
                for name in inspect(connection).get_table_names():
                    connection.execute(text(f'DROP TABLE "{name}"'))
            connection.execute(text(f"PRAGMA user_version = {INDEX_VERSION}"))
        SQLModel.metadata.create_all(connection, tables=_TABLES)


def _own_engine(file: Path | None) -> Engine:
    if file is None:  # one connection for all, since the database ends with it
        engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
        _tune_sqlite(engine)
        return engine
    # A connection an operation: none is left open on a file that somebody deletes, or in a process that forks.
    engine = create_engine(
        f"sqlite:///{file}", poolclass=NullPool, connect_args={"timeout": BUSY_TIMEOUT_S, "check_same_thread": False}
    )
    _tune_sqlite(engine)
    return engine


def _given_engine(url: str) -> Engine:
    try:
        engine = create_engine(url, pool_pre_ping=True)
    except (ArgumentError, ImportError) as error:
        # The URL itself may hold a password and is not repeated.
        raise UserMistake(
            f"LANGMARL_DATABASE_URL cannot be used: {type(error).__name__}.",
            "Give a SQLAlchemy URL whose driver is installed, or unset it to use SQLite.",
        ) from None
    if engine.dialect.name == "sqlite":
        _tune_sqlite(engine)
    return engine


def _tune_sqlite(engine: Engine) -> None:
    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves, below
        connection.execute(f"PRAGMA busy_timeout = {int(BUSY_TIMEOUT_S * 1000)}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that first reads and then writes is refused at once, without the busy time-out, when another
        # one wrote in between. One that will write takes the lock at its start.
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
