"""The event log: what all tables have to remember, a row for each group commit.

A chunk is a row; its body is a sequence of items, each an 8-byte head (number of the
table, kind and length, little-endian) and a payload. Chunks are numbered without gaps.
A row per entry would cost more than everything else that is done for a move.
"""

import sqlite3
import struct
import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, assert_never

from sqlalchemy import Executable, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from server.store.errors import StoreCorrupt, explained, explaining
from server.store.opening import Database
from server.store.schema import log_chunks

_HEAD = struct.Struct("<II")
_ENTRY, _CHARGE = 0, 1
_KIND_SHIFT = 30
_LENGTH_SHIFT: Final = 32
_LARGEST = (1 << _KIND_SHIFT) - 1
_CHARGE_BODY = struct.Struct("<IBBII")
_READ_AT_ONCE = 64
_INSERT = "INSERT INTO log_chunks (id, items, crc, body) VALUES (?, ?, ?, ?)"


class Entry(NamedTuple):
    """An entry of a table's match, as the engine encodes it."""

    table_id: int
    payload: bytes


class Charge(NamedTuple):
    """What the clock took for the decision whose answer is in entry `seq`."""

    table_id: int
    seq: int
    seat: int
    attempts: int
    milliseconds: int
    bank_ms: int
    """What is left of the seat's bank."""


Item = Entry | Charge


@dataclass(slots=True)
class _Chunk:
    id: int
    items: int
    body: bytes
    beside: list[Executable] = field(default_factory=list)

    @property
    def crc(self) -> int:
        return zlib.crc32(self.body)


class EventLog:
    """Collects what has happened and commits it, all tables together.

    Nothing may be acknowledged before the `commit` after it has returned. A commit
    that raised loses nothing: the next one writes the same again first.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        # What will be written: the heads and the payloads of items in turn.
        self._pending: list[bytes] = []
        self._beside: list[Executable] = []
        self._queue: deque[_Chunk] = deque()
        with explaining(database.name), database.engine.begin() as connection:
            last = connection.scalar(select(func.max(log_chunks.c.id)))
            driver = connection.connection.driver_connection
        self._next_chunk: int = (last or 0) + 1
        self.written = self._next_chunk - 1
        """The last chunk that is known to be stored."""
        self._sqlite = driver if isinstance(driver, sqlite3.Connection) else None

    @property
    def next_chunk(self) -> int:
        """The chunk that what is appended now will be in, at the earliest."""
        return self._next_chunk

    @property
    def last_chunk(self) -> int:
        """The chunk that holds what was appended last, cut or not."""
        return self._next_chunk - (not (self._pending or self._beside))

    @property
    def blocks(self) -> bool:
        """Whether a write is short enough for the event loop to wait for it."""
        return self._sqlite is not None

    def append(self, table_id: int, payload: bytes) -> None:
        """Remember an entry of a table, at the next commit."""
        pending = self._pending
        # As `_HEAD` packs it, which costs as much again as all the rest.
        pending.append((len(payload) << _LENGTH_SHIFT | table_id).to_bytes(8, "little"))
        pending.append(payload)

    def charge(self, charge: Charge) -> None:
        """Remember what the clock took."""
        head = _CHARGE << _KIND_SHIFT | _CHARGE_BODY.size
        table_id, seq, seat, attempts, milliseconds, bank = charge
        body = _CHARGE_BODY.pack(seq, seat, min(attempts, 255), milliseconds, bank)
        self._pending += (_HEAD.pack(table_id, head), body)

    def beside(self, change: Executable) -> None:
        """Change another table in the transaction of the next commit."""
        self._beside.append(change)

    def commit(self) -> None:
        """Write all that was appended; StoreUnavailable or StoreCorrupt if it fails."""
        # Most who ask come after another who has committed for them.
        if self._pending or self._beside or self._queue:
            self.cut()
            self.write()

    def cut(self) -> None:
        """End the current chunk: what is appended from now on goes into the next."""
        if self._pending or self._beside:
            parts = self._pending
            body = b"".join(parts)
            chunk = _Chunk(self._next_chunk, len(parts) // 2, body, self._beside)
            self._queue.append(chunk)
            self._next_chunk += 1
            self._pending, self._beside = [], []

    def write(self) -> None:
        """Write the chunks that were cut; from one thread at a time."""
        while self._queue:
            self._insert(self._queue[0])
            self.written = self._queue.popleft().id

    def _insert(self, chunk: _Chunk) -> None:
        try:
            if self._sqlite is None or chunk.beside:
                self._insert_with_changes(chunk)
            else:
                # One statement outside a transaction is a transaction, and the
                # shortest one: SQLAlchemy would add five times its cost.
                row = (chunk.id, chunk.items, chunk.crc, chunk.body)
                self._sqlite.execute(_INSERT, row)
        except (IntegrityError, sqlite3.IntegrityError) as error:
            if not self._is_written(chunk):
                problem = "is there already: somebody else writes this store"
                raise StoreCorrupt(
                    self._database.name, problem, chunk=chunk.id
                ) from error
        except sqlite3.Error as error:
            raise explained(self._database.name, error) from error

    def _insert_with_changes(self, chunk: _Chunk) -> None:
        with explaining(self._database.name), self._database.engine.begin() as writing:
            for change in chunk.beside:
                writing.execute(change)
            values = {
                "id": chunk.id,
                "items": chunk.items,
                "crc": chunk.crc,
                "body": chunk.body,
            }
            writing.execute(insert(log_chunks), [values])

    def _is_written(self, chunk: _Chunk) -> bool:
        """Say whether an earlier try, whose outcome was not told, had succeeded."""
        wanted = select(log_chunks).where(log_chunks.c.id == chunk.id)
        with explaining(self._database.name), self._database.engine.begin() as reading:
            row = reading.execute(wanted).one_or_none()
        return row is not None and bytes(row.body) == chunk.body

    def read(self, *, first_chunk: int = 0) -> Iterator[Item]:
        """Give everything committed, in order; StoreCorrupt at the first damage."""
        for found in self.examine(first_chunk=first_chunk):
            if isinstance(found, StoreCorrupt):
                raise found
            yield from found

    def examine(self, *, first_chunk: int = 0) -> Iterator[list[Item] | StoreCorrupt]:
        """Give what is in each chunk, or what is wrong with it, to the last."""
        expected: int | None = None
        after = first_chunk - 1
        while True:
            page = (
                select(log_chunks)
                .where(log_chunks.c.id > after)
                .order_by(log_chunks.c.id)
                .limit(_READ_AT_ONCE)
            )
            # No transaction stays open while the caller works: a commit of the log
            # would become a part of it.
            with (
                explaining(self._database.name),
                self._database.engine.begin() as reading,
            ):
                rows = reading.execute(page).all()
            if not rows:
                return
            for row in rows:
                if expected is not None and row.id != expected:
                    yield self._damaged(expected, "is missing")
                try:
                    items = self._items_of(row.id, row.items, row.crc, bytes(row.body))
                except StoreCorrupt as damage:
                    yield damage
                else:
                    yield items
                expected = row.id + 1
            after = rows[-1].id

    def _items_of(self, chunk: int, count: int, crc: int, body: bytes) -> list[Item]:
        if zlib.crc32(body) != crc:
            raise self._damaged(chunk, "is damaged: its checksum differs")
        items: list[Item] = []
        at = 0
        try:
            while at < len(body):
                table_id, kind_and_length = _HEAD.unpack_from(body, at)
                start = at + _HEAD.size
                at = start + (kind_and_length & _LARGEST)
                payload = body[start:at]
                if kind_and_length >> _KIND_SHIFT == _ENTRY:
                    items.append(Entry(table_id, payload))
                else:
                    items.append(Charge(table_id, *_CHARGE_BODY.unpack(payload)))
        except struct.error as error:
            raise self._damaged(chunk, "is damaged: an item is cut off") from error
        if at != len(body) or len(items) != count:
            raise self._damaged(chunk, "is damaged: items are missing")
        return items

    def _damaged(self, chunk: int, problem: str) -> StoreCorrupt:
        return StoreCorrupt(self._database.name, problem, chunk=chunk)

    def payloads(self, table_id: int, *, first_chunk: int = 0) -> list[bytes]:
        """Give all entries of one table in order."""
        return [
            item.payload
            for item in self.read(first_chunk=first_chunk)
            if isinstance(item, Entry) and item.table_id == table_id
        ]

    def by_table(self, *, first_chunk: int = 0) -> dict[int, list[Item]]:
        """Give everything at once, for taking up all tables after a start."""
        tables: dict[int, list[Item]] = {}
        for item in self.read(first_chunk=first_chunk):
            match item:
                case Entry(table_id) | Charge(table_id):
                    tables.setdefault(table_id, []).append(item)
                case _:
                    assert_never(item)
        return tables

    def forget_before(self, chunk: int) -> None:
        """Delete the chunks before this one, which no unfinished table needs, with
        the next commit.
        """
        # The newest always stays, so that numbers are never used again.
        bound = min(chunk, self.written)
        self.beside(delete(log_chunks).where(log_chunks.c.id < bound))
