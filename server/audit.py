"""Whether a store holds what it should: every chunk, every table, replayed."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.dealing import deal_out
from engine.errors import IllegalRules, RecordError
from engine.events import Dealt, joined
from engine.match import Match
from engine.plan import cards_dealt
from server.past import match_of_entries
from server.served import LobbyTable
from server.store import (
    UNFINISHED,
    Item,
    SeatKind,
    ServedTable,
    Store,
    StoreCorrupt,
    StoreError,
    TableState,
)
from server.stored_tables import lobby_table_of, stored_past


class Finding(NamedTuple):
    """Something that is wrong, and where."""

    where: str
    problem: str


@dataclass(slots=True)
class Audit:
    """What was looked at, and what was found."""

    chunks: int = 0
    tables: int = 0
    entries: int = 0
    findings: list[Finding] = field(default_factory=list)

    def find(self, where: str, problem: object) -> None:
        self.findings.append(Finding(where, str(problem)))


class _NoTwins:
    """Nothing here is being played."""

    def has_twin(self, table: LobbyTable) -> bool:
        return False


def audit(store: Store) -> Audit:
    """Looks at everything; what cannot be read at all is a finding, too."""
    done = Audit()
    for problem in store.problems():
        done.find("database", problem)
    try:
        items = _log(store, done)
        for row in _rows(store):
            done.tables += 1
            name = f"table {row.name}"
            try:
                _look_at(store, row, items.pop(row.id, []), done)
            except (RecordError, IllegalRules, StoreError, ValueError) as error:
                done.find(name, error)
            except (LookupError, TypeError) as error:
                # What is kept as JSON lacks something, or is something else.
                done.find(name, f"its row cannot be understood: {error!r}")
        for table_id, lost in items.items():
            done.find("event log", f"{len(lost)} items of an unknown table {table_id}")
    except StoreError as error:
        done.find("database", error)
    return done


def _log(store: Store, done: Audit) -> dict[int, list[Item]]:
    """Everything in the log, by the number of its table."""
    items: dict[int, list[Item]] = defaultdict(list)
    for found in store.log.examine():
        if isinstance(found, StoreCorrupt):
            done.find("event log", found)
            continue
        done.chunks += 1
        for item in found:
            items[item.table_id].append(item)
    return items


def _rows(store: Store) -> Iterator[ServedTable]:
    after = 0
    while rows := store.tables.in_states(*TableState, after=after):
        yield from rows
        after = rows[-1].id


def _look_at(store: Store, row: ServedTable, items: list[Item], done: Audit) -> None:
    places = store.tables.seats_of([row.id])[row.id]
    if [place.seat for place in places] != list(range(row.players)):
        raise ValueError(f"it has {len(places)} seats for {row.players} players")
    table = lobby_table_of(row, places, twins=_NoTwins())
    if row.state in UNFINISHED:
        if row.state is TableState.RUNNING and any(
            place.kind is SeatKind.FREE for place in places
        ):
            raise ValueError("it runs, and has a free seat")
        match = stored_past(store, table, items).match
    else:
        match = match_of_entries(table.setup, store.tables.entries(row.id))
        if row.state is TableState.FINISHED:
            told = json.loads(row.result or "{}").get("scores")
            if match.result is None or list(match.result.totals) != told:
                raise ValueError(f"its entries do not lead to its result {told}")
    _check_deals(table, match)
    done.entries += match.seq


def _check_deals(table: LobbyTable, match: Match) -> None:
    """Whether the cards on record are those that the table's seed gives."""
    decks = table.setup.decks
    for entry in match.entries():
        dealt = entry.event
        if isinstance(dealt, Dealt):
            hands = deal_out(
                decks(dealt.deal),
                dealer=dealt.dealer,
                players=match.players,
                size=cards_dealt(table.rules, dealt.size),
            ).hands
            if joined(hands) != (dealt.cards, dealt.counts):
                raise ValueError(f"deal {dealt.deal} is not of the table's seed")
