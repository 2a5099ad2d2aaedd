"""What the store is told of tables that callers open, and what it still knows of them.

Where there is no store, tables are only numbered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from server.clock import wall
from server.keeper import Keeper
from server.past import Past
from server.receipt import Receipt
from server.served import LobbyState, LobbyTable, Opening, Spectators
from server.store import UNFINISHED, Item, Seat, ServedTable, Store, TableState
from server.store_journal import StoreJournal
from server.stored_tables import (
    STORED_STATES,
    Recalled,
    recall,
    result_json,
    rules_json,
    setup_json,
    stored_past,
)
from server.table import Table

FORGET_AFTER: Final = 1_000
"""Chunks of the log after which it is looked at for what may be forgotten."""


class Unfinished(NamedTuple):
    """A table that had not ended when an earlier process did."""

    row: ServedTable
    places: list[Seat]
    items: list[Item]
    """Of the log, in order."""


class Ledger:
    """The book of all tables that were opened."""

    def __init__(self, store: Store | None, keeper: Keeper) -> None:
        self._store = store
        self._keeper = keeper
        self._number = 0
        self._first_chunks: dict[int, int] = {}
        """Where the log of a table begins, by the number of tables not over yet."""
        self._forgotten_at = 0

    @property
    def lasts(self) -> bool:
        """Whether it outlives this process."""
        return self._store is not None

    # Written

    def opened(self, table: LobbyTable, wanted: Opening) -> int:
        """The number of the table from now on."""
        store = self._store
        if store is None:
            self._number += 1
            return self._number
        number = store.tables.create(
            table.id,
            now=int(wall()),
            rules=rules_json(wanted),
            players=len(table.seats),
            seed=table.seed,
            setup=setup_json(table),
            listed=table.spectators is not Spectators.OFF,
        )
        places = [seat.stored(place) for place, seat in enumerate(table.seats)]
        store.tables.add_seats(number, places)
        self._first_chunks[number] = store.log.next_chunk
        return number

    def received(self, receipt: Receipt) -> None:
        """A call that may be repeated has had its effect, as far as told before."""
        if self._store is not None:
            self._store.receipts.keep(receipt, now=int(wall()))

    def seat_changed(self, table: LobbyTable, seat: int) -> None:
        if self._store is not None:
            self._store.tables.change_seat(table.number, table.seats[seat].stored(seat))

    def started(self, table: LobbyTable) -> None:
        if self._store is not None:
            self._store.tables.run(table.number)

    def journal(self, table: LobbyTable) -> StoreJournal | None:
        """Where what happens in its match is to go."""
        if self._store is None:
            return None
        return StoreJournal(self._store, table.number)

    def cancelled(self, table: LobbyTable) -> None:
        """It never began."""
        if self._store is not None:
            self._store.tables.end(table.number, TableState.CANCELLED, now=int(wall()))
            self._first_chunks.pop(table.number)

    def ended(self, table: LobbyTable, played: Table) -> None:
        """Its match is over."""
        if self._store is None or played.outcome is None:
            return
        self._store.tables.end(
            table.number,
            STORED_STATES[table.state],
            now=int(wall()),
            result=result_json(played, played.outcome),
            entries=played.match.log.encoded_after(0),
        )
        self._first_chunks.pop(table.number)
        self._forget_in_time(self._store)

    def forget_ended(self, *, before: int, most: int) -> None:
        """So many tables that ended before this, in seconds since 1970."""
        if self._store is not None:
            # What the log has something of stays.
            self._shorten_log(self._store)
            self._store.tables.forget_ended(before=before, most=most)

    def _forget_in_time(self, store: Store) -> None:
        """Shortens the log now and then."""
        if store.log.next_chunk - self._forgotten_at >= FORGET_AFTER:
            self._shorten_log(store)

    def _shorten_log(self, store: Store) -> None:
        """By what only ended tables need."""
        self._forgotten_at = next_chunk = store.log.next_chunk
        needed = min(self._first_chunks.values(), default=next_chunk)
        store.log.forget_before(needed)

    # Read

    async def find(self, name: str) -> Recalled | None:
        """A table that has ended; StoreError."""
        if self._store is None:
            return None
        return await self._keeper.read(lambda store: recall(store, name))

    async def seat_of(self, digest: bytes) -> tuple[str, int] | None:
        """Table and seat of a token with this hash; StoreError."""
        if self._store is None:
            return None
        return await self._keeper.read(lambda store: store.tables.by_token(digest))

    async def newest_first(
        self, state: LobbyState | None, *, before: int, limit: int
    ) -> list[tuple[ServedTable, list[Seat]]]:
        """Listed tables with a lower number than `before` (0: all); StoreError."""
        wanted = tuple(TableState) if state is None else (STORED_STATES[state],)

        def page(store: Store) -> list[tuple[ServedTable, list[Seat]]]:
            rows = store.tables.newest(*wanted, before=before or None, limit=limit)
            places = store.tables.seats_of([row.id for row in rows])
            return [(row, places[row.id]) for row in rows]

        return await self._keeper.read(page)

    def unfinished(self) -> Iterator[Unfinished]:
        """Every table that had not ended; StoreError where the store is damaged."""
        store = self._store
        if store is None:
            return
        items = store.log.by_table(first_chunk=store.tables.oldest_needed_chunk())
        after = 0
        while rows := store.tables.in_states(*UNFINISHED, after=after):
            after = rows[-1].id
            places = store.tables.seats_of([row.id for row in rows])
            for row in rows:
                self._first_chunks[row.id] = row.first_chunk
                yield Unfinished(row, places[row.id], items.pop(row.id, []))
        self._forgotten_at = store.log.next_chunk

    def past(self, table: LobbyTable, items: list[Item]) -> Past:
        """What a running table knew; RecordError."""
        if self._store is None:
            raise LookupError("there is no store")
        return stored_past(self._store, table, items)
