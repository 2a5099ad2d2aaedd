"""Served tables, their seats, and what is kept beside their entries.

Whatever is written here is written by the next commit of the log, in its transaction:
what a table is and what happens at it can never be told apart by a crash.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Select, delete, func, insert, select, update

from server.store.errors import StoreCorrupt, explaining
from server.store.log import EventLog
from server.store.opening import Database
from server.store.schema import faults, log_chunks, sealed, seats, served_tables

_LENGTH = struct.Struct("<I")


class TableState(StrEnum):
    """How far a table is."""

    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


UNFINISHED = (TableState.OPEN, TableState.RUNNING)


class SeatKind(StrEnum):
    """Who acts for a seat."""

    FREE = "free"
    PERSON = "person"
    BOT = "bot"
    HOUSE = "house"


@dataclass(frozen=True, slots=True)
class ServedTable:
    """A table as it is kept: `id` is its number in the log, `name` is for the wire."""

    id: int
    name: str
    created_at: int
    state: TableState
    rules: str
    """JSON of the preset and its overrides."""
    players: int
    setup: str
    """JSON of what else was asked for: clock, visibility."""
    seed: bytes
    first_chunk: int
    listed: bool
    ended_at: int | None
    result: str | None


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat, taken or free; hashes are of the secrets that are good for it now."""

    seat: int
    kind: SeatKind = SeatKind.FREE
    player: str = ""
    bot: str | None = None
    ticket_hash: bytes | None = None
    token_hash: bytes | None = None


@dataclass(frozen=True, slots=True)
class SealedAnswer:
    """A bid or bid cards that only their seat may know yet."""

    seq: int
    seat: int
    attempt: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class StoredFault:
    """A fault of a seat, at the decision that follows entry `seq`."""

    seq: int
    seat: int
    attempt: int
    fault: str
    milliseconds: int
    detail: str = ""


# Entries are many and read for one table at a time.
_ROW = [
    column for column in served_tables.c if column.name not in ("entries", "last_chunk")
]


class Tables:
    """The tables of the store; `now` is in seconds since 1970 everywhere."""

    def __init__(self, database: Database, log: EventLog) -> None:
        self._database = database
        self._log = log
        with explaining(database.name), database.engine.begin() as reading:
            last = reading.scalar(select(func.max(served_tables.c.id)))
        # Numbers are given here, because the log needs them before the next commit.
        self._next_id = int(last or 0) + 1

    # Writing

    def create(
        self,
        name: str,
        *,
        now: int,
        rules: str,
        players: int,
        seed: bytes,
        setup: str = "{}",
        listed: bool = True,
    ) -> int:
        """Keep a new, open table; its number for the log."""
        number = self._next_id
        self._next_id += 1
        row = {
            "id": number,
            "name": name,
            "created_at": now,
            "state": TableState.OPEN,
            "rules": rules,
            "players": players,
            "setup": setup,
            "seed": seed,
            "listed": listed,
            "first_chunk": self._log.next_chunk,
        }
        self._log.beside(insert(served_tables).values(row))
        return number

    def add_seats(self, table_id: int, places: Iterable[Seat]) -> None:
        """Keep the seats of a new table."""
        for place in places:
            row = {"table_id": table_id, "seat": place.seat, **_seat_values(place)}
            self._log.beside(insert(seats).values(row))

    def change_seat(self, table_id: int, place: Seat) -> None:
        """Keep who has the seat now."""
        change = update(seats).where(
            seats.c.table_id == table_id, seats.c.seat == place.seat
        )
        self._log.beside(change.values(_seat_values(place)))

    def run(self, table_id: int) -> None:
        """Note that the match has begun."""
        self._change(table_id, {"state": TableState.RUNNING})

    def end(
        self,
        table_id: int,
        state: TableState,
        *,
        now: int,
        result: str | None = None,
        entries: Sequence[bytes] = (),
    ) -> None:
        """Note that the table is over, with its result as JSON and all its entries."""
        ending = {
            "state": state,
            "ended_at": now,
            "last_chunk": self._log.next_chunk,
            "result": result,
            "entries": b"".join([_LENGTH.pack(len(one)) + one for one in entries]),
        }
        self._change(table_id, ending)

    def _change(self, table_id: int, values: dict[str, object]) -> None:
        change = update(served_tables).where(served_tables.c.id == table_id)
        self._log.beside(change.values(values))

    def forget_ended(self, *, before: int, most: int) -> None:
        """Remove tables that ended before this, the oldest first, with all they had.

        Those stay of which the log still has something, and the newest, so that its
        number is never given to another.
        """
        first_chunk = select(func.min(log_chunks.c.id)).scalar_subquery()
        newest = select(func.max(served_tables.c.id)).scalar_subquery()
        old = (
            select(served_tables.c.id)
            .where(
                served_tables.c.ended_at < before,
                served_tables.c.state.not_in(UNFINISHED),
                served_tables.c.last_chunk < first_chunk,
                served_tables.c.id < newest,
            )
            .order_by(served_tables.c.ended_at, served_tables.c.id)
            .limit(most)
        )
        for part in (sealed, faults, seats):
            self._log.beside(delete(part).where(part.c.table_id.in_(old)))
        self._log.beside(delete(served_tables).where(served_tables.c.id.in_(old)))

    def seal(self, table_id: int, answer: SealedAnswer) -> None:
        """Keep a secret answer."""
        row = {
            "table_id": table_id,
            "seq": answer.seq,
            "seat": answer.seat,
            "attempt": answer.attempt,
            "payload": answer.payload,
        }
        self._log.beside(insert(sealed).values(row))

    def fault(self, table_id: int, fault: StoredFault) -> None:
        """Keep a fault."""
        row = {
            "table_id": table_id,
            "seq": fault.seq,
            "seat": fault.seat,
            "attempt": fault.attempt,
            "fault": fault.fault,
            "milliseconds": fault.milliseconds,
            "detail": fault.detail,
        }
        self._log.beside(insert(faults).values(row))

    # Reading

    def by_name(self, name: str) -> ServedTable | None:
        """Give the table of a name."""
        found = self._tables(select(*_ROW).where(served_tables.c.name == name))
        return found[0] if found else None

    def by_token(self, token_hash: bytes) -> tuple[str, int] | None:
        """Give the name of the table and the seat that a token is for."""
        wanted = (
            select(served_tables.c.name, seats.c.seat)
            .join(seats)
            .where(seats.c.token_hash == token_hash)
        )
        with explaining(self._database.name), self._database.engine.begin() as reading:
            row = reading.execute(wanted).one_or_none()
        return None if row is None else (row.name, row.seat)

    def seats_of(self, table_ids: Sequence[int]) -> dict[int, list[Seat]]:
        """List the seats of tables, by the number of the table."""
        wanted = (
            select(seats)
            .where(seats.c.table_id.in_(table_ids))
            .order_by(seats.c.table_id, seats.c.seat)
        )
        with explaining(self._database.name), self._database.engine.begin() as reading:
            rows = reading.execute(wanted).all()
        found: dict[int, list[Seat]] = {number: [] for number in table_ids}
        for row in rows:
            found[row.table_id].append(
                Seat(
                    row.seat,
                    SeatKind(row.kind),
                    row.player,
                    row.bot,
                    _bytes(row.ticket_hash),
                    _bytes(row.token_hash),
                )
            )
        return found

    def in_states(
        self, *states: TableState, after: int = 0, limit: int = 1000
    ) -> list[ServedTable]:
        """List tables by number, from the one behind `after`."""
        return self._tables(
            select(*_ROW)
            .where(served_tables.c.state.in_(states), served_tables.c.id > after)
            .order_by(served_tables.c.id)
            .limit(limit)
        )

    def newest(
        self, *states: TableState, before: int | None = None, limit: int
    ) -> list[ServedTable]:
        """List listed tables, newest first, from the one before `before`."""
        wanted = select(*_ROW).where(
            served_tables.c.listed, served_tables.c.state.in_(states)
        )
        if before is not None:
            wanted = wanted.where(served_tables.c.id < before)
        return self._tables(wanted.order_by(served_tables.c.id.desc()).limit(limit))

    def _tables(self, wanted: Select[tuple[object, ...]]) -> list[ServedTable]:
        with explaining(self._database.name), self._database.engine.begin() as reading:
            rows = reading.execute(wanted).mappings().all()
        return [
            ServedTable(**{**row, "state": TableState(row["state"])}) for row in rows
        ]

    def entries(self, table_id: int) -> list[bytes]:
        """Give the entries of an ended table, as they were handed to `end`."""
        wanted = select(served_tables.c.entries).where(served_tables.c.id == table_id)
        with explaining(self._database.name), self._database.engine.begin() as reading:
            found = reading.scalar(wanted)
        return self._taken_apart(table_id, bytes(found or b""))

    def _taken_apart(self, table_id: int, data: bytes) -> list[bytes]:
        entries = []
        at = 0
        while at < len(data):
            start = at + _LENGTH.size
            if start > len(data):
                break
            at = start + _LENGTH.unpack_from(data, start - _LENGTH.size)[0]
            entries.append(data[start:at])
        if at != len(data):
            problem = f"table {table_id} is damaged: its last entry is cut off"
            raise StoreCorrupt(self._database.name, problem)
        return entries

    def oldest_needed_chunk(self) -> int:
        """Give the first chunk of the log that an unfinished table may be in."""
        wanted = select(func.min(served_tables.c.first_chunk)).where(
            served_tables.c.state.in_(UNFINISHED)
        )
        with explaining(self._database.name), self._database.engine.begin() as reading:
            return reading.scalar(wanted) or self._log.next_chunk

    def sealed(self, table_id: int, *, seq: int) -> dict[int, SealedAnswer]:
        """Give what each seat has handed in after entry `seq`: its last word."""
        wanted = (
            select(sealed)
            .where(sealed.c.table_id == table_id, sealed.c.seq == seq)
            .order_by(sealed.c.attempt)
        )
        with explaining(self._database.name), self._database.engine.begin() as reading:
            rows = reading.execute(wanted).all()
        return {
            row.seat: SealedAnswer(row.seq, row.seat, row.attempt, bytes(row.payload))
            for row in rows
        }

    def faults(self, table_id: int) -> list[StoredFault]:
        """List the faults at a table in the order they were counted."""
        wanted = (
            select(faults).where(faults.c.table_id == table_id).order_by(faults.c.id)
        )
        with explaining(self._database.name), self._database.engine.begin() as reading:
            rows = reading.execute(wanted).all()
        return [
            StoredFault(
                seq=row.seq,
                seat=row.seat,
                attempt=row.attempt,
                fault=row.fault,
                milliseconds=row.milliseconds,
                detail=row.detail,
            )
            for row in rows
        ]


def _seat_values(place: Seat) -> dict[str, object]:
    return {
        "kind": place.kind,
        "player": place.player,
        "bot": place.bot,
        "ticket_hash": place.ticket_hash,
        "token_hash": place.token_hash,
    }


def _bytes(value: bytes | memoryview | None) -> bytes | None:
    return None if value is None else bytes(value)
