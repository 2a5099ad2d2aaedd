"""The service with everything on, and tables that begin anew when a match is over.

``python -m benchmarks.arena_server seats 64`` gives every seat of 64 tables a stream of
its own, ``... bots 256`` has four bots at 256 tables, ``... idle 2000`` that many bots
without a table, ``... crowd 500`` four bots at 500 tables and 2,000 without one. With
``bare`` behind it nothing is stored, counted or logged. It prints its port, then a line
with the token and the lane of each stream, those at tables first, then an empty line;
it serves until its input ends.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from engine.rules import Rules
from engine.shuffle import SeededDecks, block_seed, bot_seed, first_dealer
from server import logs
from server.clock import TimeControl
from server.host import Host, settle
from server.metrics import Metrics
from server.rpc.serving import GameListener
from server.setup import TableSetup
from server.store import Store
from server.store_journal import StoreJournal
from server.table import Table

PLAYERS = 4
IDLE_BESIDE = 4
"""Bots without a table for each table, in a crowd."""
# Long enough for the time in which other cases are measured.
_CLOCK = TimeControl(per_decision_ms=600_000, bank_ms=10_000, grace_ms=50)


class Tables:
    """Keeps so many tables busy."""

    def __init__(
        self, host: Host, store: Store | None, seats: list[list[tuple[str, int]]]
    ) -> None:
        self._host = host
        self._store = store
        self._seats = seats
        self._rules = Rules.of("pagat_standard", players=PLAYERS)
        self._hash = self._rules.hash(PLAYERS)
        self._matches = 0

    def open_all(self) -> None:
        for table in range(len(self._seats)):
            self._open(table)

    def _open(self, number: int) -> None:
        self._matches += 1
        match = self._matches
        seed = block_seed(bytes(32), match, 0, b"")
        seats = self._seats[number]

        def ended(_table: Table) -> None:
            self._open(number)

        setup = TableSetup(
            table=f"table-{match}",
            rules=self._rules,
            players=tuple(name for name, _ in seats),
            first_dealer=first_dealer(seed, PLAYERS),
            decks=SeededDecks(seed, self._rules, PLAYERS),
            bot_seeds=tuple(bot_seed(seed, 0, seat) for seat in range(PLAYERS)),
            preset="pagat_standard",
            rules_hash=self._hash,
            clock=_CLOCK,
        )
        players = [self._host.player(name, lane) for name, lane in seats]
        journal = StoreJournal(self._store, match) if self._store else None
        table = self._host.make_table(setup, players, ended, journal=journal)
        table.start()


def seating(mode: str, tables: int) -> list[list[tuple[str, int]]]:
    """Bot and lane by table and seat."""
    if mode != "seats":
        return [[(f"bot-{seat}", 0) for seat in range(PLAYERS)]] * tables
    return [
        [(f"bot-{table}-{seat}", 0) for seat in range(PLAYERS)]
        for table in range(tables)
    ]


async def _serve(mode: str, count: int, store: Store | None) -> None:
    logs.configure("warning")
    metrics = Metrics()
    observers = (metrics, logs.FactLog()) if store else ()
    host = Host(observers=observers, store=store)
    host.start()
    listener = GameListener(host, metrics, address="127.0.0.1", port=0)
    await listener.start()
    settle()
    seats = [] if mode == "idle" else seating(mode, count)
    streams = sorted({stream for table in seats for stream in table})
    idle = {"idle": count, "crowd": IDLE_BESIDE * count}.get(mode, 0)
    registered = [*streams, *((f"idle-{number}", 0) for number in range(idle))]
    tokens = {name: host.bots.register(name) for name, _ in registered}
    print(listener.port)
    for name, lane in registered:
        print(tokens[name], lane)
    print(flush=True)
    end = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    if seats:
        for name, lane in streams:
            await host.ready(name, lane, 30.0)
        Tables(host, store, seats).open_all()
    await end
    host.close()
    await listener.stop(0)


def main(mode: str, count: str, *bare: str) -> None:
    """Serve, with a store of its own unless the service is to be bare."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        store = None
        if not bare:
            store = stack.enter_context(Store(Path(folder) / "ohhell.db"))
        asyncio.run(_serve(mode, int(count), store))


if __name__ == "__main__":
    main(*sys.argv[1:])
