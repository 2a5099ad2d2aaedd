"""Tables that ended long ago, as the store has them."""

from __future__ import annotations

from typing import NamedTuple

from server.store import UNFINISHED, Seat, ServedTable, Store


class Recalled(NamedTuple):
    """What there is of one."""

    row: ServedTable
    places: list[Seat]
    entries: list[bytes]


def recall(store: Store, name: str) -> Recalled | None:
    """None for one that has not ended, or never was; StoreError."""
    row = store.tables.by_name(name)
    if row is None or row.state in UNFINISHED:
        return None
    places = store.tables.seats_of([row.id])[row.id]
    return Recalled(row, places, store.tables.entries(row.id))
