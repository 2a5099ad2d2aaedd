"""Served tables, their seats, and what is kept beside their entries."""

from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import func, insert, select, update

from server.store.errors import explaining
from server.store.log import EventLog
from server.store.opening import Database
from server.store.schema import faults, sealed, seats, served_tables
from server.store.tokens import new_token, token_hash


class TableState(StrEnum):
    """How far a table is."""

    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


UNFINISHED = (TableState.OPEN, TableState.RUNNING)


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
    ended_at: int | None
    result: str | None


@dataclass(frozen=True, slots=True)
class Seat:
    """A taken seat."""

    table_id: int
    seat: int
    player: str
    bot: str | None


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


_ROW = [
    column for column in served_tables.c if column.name != "record"
]  # records are large and read one at a time


class Tables:
    """The tables of the store; `now` is in seconds since 1970 everywhere."""

    def __init__(self, database: Database, log: EventLog) -> None:
        self._database = database
        self._log = log

    def create(
        self,
        name: str,
        *,
        now: int,
        rules: str,
        players: int,
        seed: bytes,
        setup: str = "{}",
    ) -> int:
        """Keep a new, open table; its number for the log."""
        row = {
            "name": name,
            "created_at": now,
            "state": TableState.OPEN,
            "rules": rules,
            "players": players,
            "setup": setup,
            "seed": seed,
            "first_chunk": self._log.next_chunk,
        }
        statement = insert(served_tables).values(row).returning(served_tables.c.id)
        with explaining(self._database.name), self._database.engine.begin() as writing:
            return int(writing.execute(statement).scalar_one())

    def take_seat(
        self, table_id: int, seat: int, *, player: str, bot: str | None = None
    ) -> str:
        """Keep who sits there; the seat's token, which is told only here."""
        token = new_token("ohs")
        row = {
            "table_id": table_id,
            "seat": seat,
            "player": player,
            "bot": bot,
            "token_hash": token.hash,
        }
        with explaining(self._database.name), self._database.engine.begin() as writing:
            writing.execute(insert(seats), [row])
        return token.text

    def seat_of_token(self, text: str) -> Seat | None:
        """Give the seat that a token is for."""
        wanted = select(seats).where(seats.c.token_hash == token_hash(text))
        with explaining(self._database.name), self._database.engine.begin() as reading:
            row = reading.execute(wanted).one_or_none()
        return (
            None if row is None else Seat(row.table_id, row.seat, row.player, row.bot)
        )

    def seats(self, table_id: int) -> list[Seat]:
        """List the taken seats of a table."""
        wanted = (
            select(seats).where(seats.c.table_id == table_id).order_by(seats.c.seat)
        )
        with explaining(self._database.name), self._database.engine.begin() as reading:
            rows = reading.execute(wanted).all()
        return [Seat(row.table_id, row.seat, row.player, row.bot) for row in rows]

    def run(self, table_id: int) -> None:
        """Note that the match has begun."""
        self._change(table_id, {"state": TableState.RUNNING})

    def finish(self, table_id: int, *, now: int, result: str, record: bytes) -> None:
        """Note that the match is over, with all its entries and its result as JSON."""
        ending = {"state": TableState.FINISHED, "ended_at": now}
        self._change(table_id, {**ending, "result": result, "record": record})

    def cancel(self, table_id: int, *, now: int) -> None:
        """Note that the match will not be played to its end."""
        self._change(table_id, {"state": TableState.CANCELLED, "ended_at": now})

    def _change(self, table_id: int, values: dict[str, object]) -> None:
        change = update(served_tables).where(served_tables.c.id == table_id)
        with explaining(self._database.name), self._database.engine.begin() as writing:
            writing.execute(change.values(values))

    def by_name(self, name: str) -> ServedTable | None:
        """Give the table of a name."""
        wanted = select(*_ROW).where(served_tables.c.name == name)
        with explaining(self._database.name), self._database.engine.begin() as reading:
            row = reading.execute(wanted).mappings().one_or_none()
        return None if row is None else _table(dict(row))

    def in_states(
        self, *states: TableState, after: int = 0, limit: int = 1000
    ) -> list[ServedTable]:
        """List tables by number, from the one behind `after`."""
        page = (
            select(*_ROW)
            .where(served_tables.c.state.in_(states), served_tables.c.id > after)
            .order_by(served_tables.c.id)
            .limit(limit)
        )
        with explaining(self._database.name), self._database.engine.begin() as reading:
            rows = reading.execute(page).mappings().all()
        return [_table(dict(row)) for row in rows]

    def record(self, table_id: int) -> bytes | None:
        """Give the entries of a finished table, as they were handed to `finish`."""
        wanted = select(served_tables.c.record).where(served_tables.c.id == table_id)
        with explaining(self._database.name), self._database.engine.begin() as reading:
            found: bytes | None = reading.scalar(wanted)
        return found

    def oldest_needed_chunk(self) -> int:
        """Give the first chunk of the log that an unfinished table may be in."""
        wanted = select(func.min(served_tables.c.first_chunk)).where(
            served_tables.c.state.in_(UNFINISHED)
        )
        with explaining(self._database.name), self._database.engine.begin() as reading:
            return reading.scalar(wanted) or self._log.next_chunk

    def seal(self, table_id: int, answer: SealedAnswer) -> None:
        """Keep a secret answer from the next commit of the log on."""
        row = {
            "table_id": table_id,
            "seq": answer.seq,
            "seat": answer.seat,
            "attempt": answer.attempt,
            "payload": answer.payload,
        }
        self._log.insert_beside(sealed, row)

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

    def fault(self, table_id: int, fault: StoredFault) -> None:
        """Keep a fault from the next commit of the log on."""
        row = {
            "table_id": table_id,
            "seq": fault.seq,
            "seat": fault.seat,
            "attempt": fault.attempt,
            "fault": fault.fault,
            "milliseconds": fault.milliseconds,
            "detail": fault.detail,
        }
        self._log.insert_beside(faults, row)

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


def _table(row: dict[str, object]) -> ServedTable:
    return ServedTable(**{**row, "state": TableState(str(row["state"]))})  # type: ignore[arg-type]  # the columns are the fields
