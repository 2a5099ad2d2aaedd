"""Served tables in the store: how they are written there, and made again from it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final, NamedTuple

from engine.rules import Rules
from server.clock import TimeControl
from server.outcome import End, Outcome
from server.past import Past, past_of
from server.served import (
    Ended,
    LobbySeat,
    LobbyState,
    LobbyTable,
    Opening,
    Spectators,
    Twins,
)
from server.store import (
    UNFINISHED,
    Charge,
    Entry,
    Item,
    Seat,
    ServedTable,
    Store,
    TableState,
)
from server.table import Table


class Recalled(NamedTuple):
    """What there is of a table that has ended."""

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


def stored_past(store: Store, table: LobbyTable, items: Sequence[Item]) -> Past:
    """What a running table knew; `items` are its own ones of the log. RecordError."""
    entries = [item.payload for item in items if isinstance(item, Entry)]
    return past_of(
        table.setup,
        entries,
        charges=[item for item in items if isinstance(item, Charge)],
        faults=store.tables.faults(table.number),
        sealed=store.tables.sealed(table.number, seq=len(entries)),
    )


def rules_json(wanted: Opening) -> str:
    return json.dumps({"preset": wanted.preset, "overrides": dict(wanted.overrides)})


def setup_json(table: LobbyTable) -> str:
    """What else a table is, for `lobby_table_of`."""
    return json.dumps(
        {
            "display_name": table.display_name,
            "clock": asdict(table.clock),
            "idle_ms": table.idle_ms,
            "amendments": table.amendments,
            "spectators": table.spectators,
            "owner": table.owner,
            "first_dealer": table.first_dealer,
        }
    )


def result_json(played: Table, outcome: Outcome) -> str:
    return json.dumps(
        {
            **outcome._asdict(),
            "seq": played.match.seq,
            "totals": list(played.match.scores),
        }
    )


def lobby_table_of(
    row: ServedTable, places: Sequence[Seat], *, twins: Twins
) -> LobbyTable:
    """The table without its match and its players; what is stored was legal once."""
    setup = json.loads(row.setup)
    wanted = json.loads(row.rules)
    rules = Rules.of(wanted["preset"], wanted["overrides"], players=row.players)
    if not setup["amendments"]:
        rules = rules.without_amending()
    return LobbyTable(
        id=row.name,
        number=row.id,
        display_name=setup["display_name"],
        rules=rules,
        rules_hash=rules.hash(row.players),
        preset=wanted["preset"],
        clock=TimeControl(**setup["clock"]),
        idle_ms=setup["idle_ms"],
        amendments=setup["amendments"],
        spectators=Spectators(setup["spectators"]),
        owner=setup["owner"],
        seed=row.seed,
        seats=[
            LobbySeat(
                place.kind,
                place.player,
                place.ticket_hash or b"",
                place.token_hash or b"",
            )
            for place in places
        ],
        first_dealer=setup["first_dealer"],
        state=_STATES[row.state],
        ended=_ended_of(row.result),
        twins=twins,
    )


_STATES: Final = {
    TableState.OPEN: LobbyState.OPEN,
    TableState.RUNNING: LobbyState.RUNNING,
    TableState.FINISHED: LobbyState.FINISHED,
    TableState.CANCELLED: LobbyState.CANCELLED,
}
STORED_STATES: Final = {lobby: stored for stored, lobby in _STATES.items()}


def _ended_of(text: str | None) -> Ended | None:
    if text is None:
        return None
    result = json.loads(text)
    outcome = Outcome(
        End(result["why"]),
        tuple(result["scores"]),
        tuple(result["winners"]),
        tuple(result["ranks"]),
        tuple(result["faults"]),
    )
    return Ended(result["seq"], tuple(result["totals"]), outcome)
