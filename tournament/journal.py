"""The truth about a run: its secret, what it promised, what began and what ended.

One SQLite file, `run.db`, readable by its owner only. Every public method is one
transaction, so a run that is killed at any instant is found with whole blocks only. A
finished block is stored at once; it counts as committed when all before it are stored,
which is a question to the rows and needs no further write.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVarTuple

import sqlalchemy as sa

from tournament.commitments import Promise, Secret
from tournament.outcome import BlockResult, MalformedResult

FORMAT = 2

Ts = TypeVarTuple("Ts")

_metadata = sa.MetaData()

_run = sa.Table(
    "run",
    _metadata,
    sa.Column("format", sa.Integer, nullable=False),
    sa.Column("tournament", sa.String, nullable=False),
    sa.Column("spec", sa.Text, nullable=False),
    sa.Column("secret", sa.LargeBinary, nullable=False),
    sa.Column("nonces", sa.LargeBinary, nullable=False),
)
_attempts = sa.Table(
    "attempts",
    _metadata,
    sa.Column("block", sa.Integer, primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
)
_promises = sa.Table(
    "promises",
    _metadata,
    sa.Column("first", sa.Integer, primary_key=True),
    sa.Column("attempt", sa.Integer, primary_key=True),
    sa.Column("blocks", sa.Integer, nullable=False),
    sa.Column("root", sa.LargeBinary, nullable=False),
)
_blocks = sa.Table(
    "blocks",
    _metadata,
    sa.Column("block", sa.Integer, primary_key=True),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("result", sa.Text, nullable=False),
    sa.Column("records", sa.LargeBinary, nullable=False),
)


class JournalUnreadable(Exception):
    """A file that is no journal of this version, or a damaged one."""


class JournalUnwritable(Exception):
    """The file system refuses (a full disk, ...); what was stored stays."""


_REFUSALS = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
"""Primary result codes of SQLite."""


@dataclass(frozen=True, slots=True)
class Charter:
    """What a run is, fixed before its first prompt.

    `spec` is the expanded spec; `secret` and `nonces` (S and N of the seeds) stay in
    this file until the run has ended.
    """

    tournament: str
    spec: str
    secret: bytes
    nonces: bytes

    @property
    def seeds(self) -> Secret:
        """Give what all seeds of the run follow from."""
        return Secret(self.secret, self.nonces)


class Journal:
    """An open `run.db`; use it as a context manager."""

    def __init__(self, engine: sa.Engine, charter: Charter) -> None:
        self._engine = engine
        self._connection = engine.connect()
        self.charter = charter
        self.on_stored: Callable[[float], None] | None = None
        """Told how many seconds it took to store a block."""

    @classmethod
    def create(cls, path: Path, charter: Charter) -> Journal:
        """Start a journal; the file is its owner's alone before anything is in it.

        Raises `JournalUnwritable`.
        """
        path.touch(mode=0o600, exist_ok=False)
        engine = _engine(path)
        with _writing(path), engine.begin() as connection:
            _metadata.create_all(connection)
            connection.execute(
                _run.insert().values(
                    format=FORMAT,
                    tournament=charter.tournament,
                    spec=charter.spec,
                    secret=charter.secret,
                    nonces=charter.nonces,
                )
            )
        _sync_folder(path.parent)
        return cls(engine, charter)

    @classmethod
    def open(cls, path: Path) -> Journal:
        """Go on with a journal.

        Raises `JournalUnreadable`, and `JournalUnwritable` where the file system
        refuses, which says nothing about the journal.
        """
        engine = _engine(path)
        try:
            with engine.connect() as connection:
                row = next(_rows(connection, sa.select(_run)), None)
        except sa.exc.DatabaseError as error:
            engine.dispose()
            if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF in _REFUSALS:
                msg = (
                    f"{path} cannot be opened: {error.orig} (reading it needs to write)"
                )
                raise JournalUnwritable(msg) from error
            msg = f"{path} is not the journal of a run ({error.orig})"
            raise JournalUnreadable(msg) from error
        except _WrongValue as error:
            engine.dispose()
            msg = f"{path} is damaged ({error})"
            raise JournalUnreadable(msg) from error
        if row is None or row.format != FORMAT:
            engine.dispose()
            found = "empty" if row is None else f"of format {row.format}"
            msg = f"{path} is {found}; this version reads format {FORMAT}"
            raise JournalUnreadable(msg)
        charter = Charter(row.tournament, row.spec, row.secret, row.nonces)
        return cls(engine, charter)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was stored stays."""
        self._connection.close()
        self._engine.dispose()

    @property
    def untouched(self) -> bool:
        """True before the first attempt of a block: nobody has seen a card."""
        with self._reading():
            return self._connection.execute(sa.select(_attempts)).first() is None

    def promise(self, promise: Promise) -> None:
        """Note what is about to be published; before the attempts that it covers.

        Raises `JournalUnwritable`.
        """
        with _writing(self._path), self._connection.begin():
            self._connection.execute(_promises.insert().values(promise._asdict()))

    def promises(self) -> list[Promise]:
        """Give every promise, by first block and attempt."""
        rows = sa.select(
            _promises.c.first,
            _promises.c.blocks,
            _promises.c.attempt,
            _promises.c.root,
        ).order_by(_promises.c.first, _promises.c.attempt)
        with self._reading():
            return [Promise(*row) for row in _rows(self._connection, rows)]

    def attempts(self) -> list[tuple[int, int]]:
        """Give every attempt that began, by block."""
        rows = sa.select(_attempts).order_by(_attempts.c.block, _attempts.c.attempt)
        with self._reading():
            return [(row[0], row[1]) for row in _rows(self._connection, rows)]

    def begin(self, block: int, attempt: int) -> None:
        """Note that prompts of this attempt may go out from now on; repeatable.

        Raises `JournalUnwritable`.
        """
        with _writing(self._path), self._connection.begin():
            known = sa.select(_attempts).where(
                _attempts.c.block == block, _attempts.c.attempt == attempt
            )
            if self._connection.execute(known).first() is None:
                self._connection.execute(
                    _attempts.insert().values(block=block, attempt=attempt)
                )

    def finish(self, result: BlockResult, records: bytes) -> None:
        """Store a block that was played to its end, with its (compressed) records.

        Raises `JournalUnwritable`.
        """
        text = json.dumps(result.to_plain(), separators=(",", ":"))
        began = time.monotonic()
        with _writing(self._path), self._connection.begin():
            self._connection.execute(
                _blocks.insert().values(
                    block=result.block,
                    attempt=result.attempt,
                    result=text,
                    records=records,
                )
            )
        if self.on_stored is not None:
            self.on_stored(time.monotonic() - began)

    @property
    def _path(self) -> str:
        return str(self._engine.url.database)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """One transaction; raises `JournalUnreadable` for what is damaged."""
        try:
            with self._connection.begin():
                yield
        except sa.exc.DatabaseError as error:
            msg = f"{self._path} is damaged ({error.orig})"
            raise JournalUnreadable(msg) from error
        except _WrongValue as error:
            msg = f"{self._path} is damaged ({error})"
            raise JournalUnreadable(msg) from error

    def results(self) -> Iterator[BlockResult]:
        """Give every stored block, in schedule order; gaps are possible.

        Raises `JournalUnreadable`.
        """
        rows = sa.select(_blocks.c.block, _blocks.c.attempt, _blocks.c.result).order_by(
            _blocks.c.block
        )
        with self._reading():
            seats, bots = self._field()
            for block, attempt, text in _rows(self._connection, rows):
                try:
                    result = BlockResult.from_plain(json.loads(text))
                    result.check(seats=seats, bots=bots)
                    if (result.block, result.attempt) != (block, attempt):
                        told = f"block {result.block}, attempt {result.attempt}"
                        msg = f"its result is of {told}"
                        raise MalformedResult(msg)
                except (ValueError, RecursionError) as error:
                    msg = f"{self._path} is damaged (block {block}: {error})"
                    raise JournalUnreadable(msg) from error
                yield result

    def _field(self) -> tuple[int, int]:
        """Give the seats of a table and the number of bots; raises `_WrongValue`."""
        try:
            keys = tomllib.loads(self.charter.spec)
            return int(keys["seats"]), len(keys["bots"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            msg = "its spec cannot be read"
            raise _WrongValue(msg) from error

    def committed(self) -> list[BlockResult]:
        """Give the stored blocks up to the first gap."""
        prefix: list[BlockResult] = []
        for result in self.results():
            if result.block != len(prefix):
                break
            prefix.append(result)
        return prefix

    def records(self, block: int) -> bytes | None:
        """Give the compressed records of a block, or None if it is not stored."""
        rows = sa.select(_blocks.c.records).where(_blocks.c.block == block)
        with self._reading():
            return next((row[0] for row in _rows(self._connection, rows)), None)

    def unfinished(self) -> dict[int, int]:
        """Give the highest attempt that began, by block, of blocks without an end."""
        begun = (
            sa.select(_attempts.c.block, sa.func.max(_attempts.c.attempt))
            .where(_attempts.c.block.not_in(sa.select(_blocks.c.block)))
            .group_by(_attempts.c.block)
        )
        with self._reading():
            return {row[0]: row[1] for row in _rows(self._connection, begun)}


_MOST = 2**31 - 1


class _WrongValue(Exception):
    """A value that was never stored in its column; the message names it."""


def _rows(
    connection: sa.Connection, statement: sa.Select[*Ts]
) -> Iterator[sa.Row[*Ts]]:
    """Give the rows, each value such as is stored in its column; raises `_WrongValue`.

    SQLite keeps any value in any column: a damaged or edited file may hold any.
    """
    columns = tuple(statement.selected_columns)
    for row in connection.execute(statement):
        values: tuple[object, ...] = tuple(row)
        for column, value in zip(columns, values, strict=True):
            if not isinstance(value, column.type.python_type):
                msg = f"{column.name} holds a {type(value).__name__}"
                raise _WrongValue(msg)
            if isinstance(value, int) and not 0 <= value <= _MOST:
                msg = f"{column.name} holds {value}"
                raise _WrongValue(msg)
        yield row


@contextmanager
def _writing(path: object) -> Iterator[None]:
    try:
        yield
    except sa.exc.OperationalError as error:
        msg = f"{path} cannot be written: {error.orig}"
        raise JournalUnwritable(msg) from error


def _engine(path: Path) -> sa.Engine:
    engine = sa.create_engine(f"sqlite:///{path}")

    @sa.event.listens_for(engine, "connect")
    def configure(connection: sa.engine.interfaces.DBAPIConnection, _: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        # Survives a killed process; a lost power supply can cost the last blocks.
        cursor.execute("PRAGMA synchronous=NORMAL")
        cursor.close()

    return engine


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
