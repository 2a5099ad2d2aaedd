"""Opening the database of the store, and refusing one that is not fit for it."""

import fcntl
import os
import sqlite3
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError
from sqlalchemy.pool import StaticPool

from server.store.errors import (
    NotAStore,
    StoreInUse,
    StoreNeedsUpgrade,
    StoreTooNew,
    StoreUnavailable,
    explaining,
)
from server.store.schema import VERSIONS, metadata, version

_LOCK_WAIT_SECONDS = 0.25  # the event loop waits with it
_CLAIM_KEY = int.from_bytes(b"ohhell")


class Durability(Enum):
    """What a commit survives, as SQLite's `synchronous`; PostgreSQL has its own."""

    PROCESS = "NORMAL"
    """The end of the process, by whatever signal."""
    POWER = "FULL"
    """The end of the machine: every commit waits for the disk."""


class Database:
    """An open database; `name` is what messages call it."""

    def __init__(
        self, engine: Engine, *, name: str, release: Callable[[], None] | None = None
    ) -> None:
        self.engine = engine
        self.name = name
        self._release = release

    def close(self) -> None:
        """Close the connections and let another server have it."""
        self.engine.dispose()
        if self._release is not None:
            self._release()
            self._release = None


def open_database(
    where: str | Path, durability: Durability, *, references: bool = True
) -> Database:
    """Open an SQLite file by path, or any database by URL, as its only server.

    The connection belongs to the calling thread if it is SQLite. Without `references`
    it lets tables be replaced to which others refer.
    """
    url = url_of(where)
    if url.get_backend_name() != "sqlite":
        name = url.render_as_string(hide_password=True)
        engine = _engine(url, name)
        return Database(engine, name=name, release=_claim_database(engine, name))
    path = url.database
    if path in (None, "", ":memory:"):
        engine = _sqlite_engine(url, durability, references=references)
        return Database(engine, name="in memory")
    lock = _claim(Path(str(path)))
    engine = _sqlite_engine(url, durability, references=references)
    return Database(engine, name=str(path), release=lambda: os.close(lock))


def url_of(where: str | Path) -> URL:
    """Take a path or a URL; StoreUnavailable for what is neither."""
    if isinstance(where, Path) or "://" not in where:
        return URL.create("sqlite", database=str(where))
    try:
        url = make_url(where)
    except ArgumentError as error:
        # The text may hold a password, so it is not repeated.
        raise StoreUnavailable("by URL", "the URL cannot be read") from error
    if url.drivername == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    return url


def _engine(url: URL, name: str) -> Engine:
    if url.get_backend_name() != "postgresql":
        problem = "no store is kept there: name a file, or postgresql://..."
        raise StoreUnavailable(name, problem)
    try:
        return create_engine(url, pool_pre_ping=True)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        problem = f"its driver is not installed ({error}): add the extra `postgres`"
        raise StoreUnavailable(name, problem) from error


def _claim_database(engine: Engine, name: str) -> Callable[[], None] | None:
    """Lock a PostgreSQL database against other servers, until we end.

    The lock ends with a connection of its own. If that is lost while we go on, the
    numbers of chunks still let no two servers write.
    """
    if engine.dialect.name != "postgresql":
        return None
    with explaining(name):
        connection = engine.execution_options(isolation_level="AUTOCOMMIT").connect()
        connection.detach()
        # A server that was killed a moment ago has not been missed yet, perhaps.
        connection.exec_driver_sql("SET lock_timeout = '2s'")
        try:
            claim = text("SELECT pg_advisory_lock(:key)")
            connection.execute(claim, {"key": _CLAIM_KEY})
        except OperationalError as error:
            connection.close()
            engine.dispose()
            raise StoreInUse(name, "another server has it open") from error
    return connection.close


def _claim(path: Path) -> int:
    """Make the file private and lock it against other servers, until we end."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        # Beside the file: closing any descriptor of the file itself would drop the
        # locks that SQLite holds on it.
        lock_path = path.with_name(path.name + ".lock")
        lock = os.open(lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        problem = f"the file cannot be opened ({error.strerror})"
        raise StoreUnavailable(str(path), problem) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(lock)
        raise StoreInUse(str(path), "another server has it open") from error
    return lock


def _sqlite_engine(url: URL, durability: Durability, *, references: bool) -> Engine:
    # One connection for all: the log writes beside SQLAlchemy, and nothing may wait
    # for a lock that is held further down on the same thread.
    engine = create_engine(
        url,
        poolclass=StaticPool,
        connect_args={"timeout": _LOCK_WAIT_SECONDS, "check_same_thread": True},
    )

    @event.listens_for(engine, "connect")
    def _set_up(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions are begun below, or not at all
        for setting in (
            "journal_mode = WAL",
            f"synchronous = {durability.value}",
            f"foreign_keys = {'ON' if references else 'OFF'}",
            "journal_size_limit = 67108864",
        ):
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def prepare(database: Database) -> None:
    """Lay out an empty database; refuse one of another version or program."""
    name = database.name
    with explaining(name), database.engine.begin() as connection:
        found = version_of(connection, name)
        if not found:
            metadata.create_all(connection)
            version.create(connection)
            connection.execute(version.insert().values(version_num=VERSIONS[-1]))
        elif found != VERSIONS[-1]:
            problem = f"has version {found}; `ohhell db upgrade` brings it to "
            raise StoreNeedsUpgrade(name, problem + VERSIONS[-1])


def version_of(connection: Connection, name: str) -> str:
    """Give the version of a store, none if it is empty; NotAStore, StoreTooNew."""
    present = set(inspect(connection).get_table_names())
    if not present:
        return ""
    if version.name not in present or "log_chunks" not in present:
        raise NotAStore(name, "holds the tables of some other program")
    found: Any = connection.scalar(select(version.c.version_num))
    if found not in VERSIONS:
        problem = f"has version {found}; this program knows up to {VERSIONS[-1]}"
        raise StoreTooNew(name, problem)
    return str(found)
