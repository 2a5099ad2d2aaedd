"""The host: what all tables of a process share.

One event loop, one clock, one set of alarms; the bots that may connect and those that
are there; the tables that run; the store that remembers. Adapters and the tournament
runner work through it.
"""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Protocol

from engine.match import Match
from engine.rules import Rules
from server.arena import Arena
from server.calls import Calls
from server.clock import Alarms, Clock, LoopDriver, monotonic
from server.journal import Journal
from server.keeper import Keeper
from server.limits import Buckets, Limits
from server.observe import Observer, Observers
from server.outcome import End, Outcome, State
from server.patience import PATIENCE, Patience
from server.players.local import BotFactory, Desk, LocalPlayer
from server.players.port import Player
from server.players.seat import Seat
from server.players.unary import UnaryPlayer
from server.registry import BotRegistry
from server.setup import TableSetup
from server.store import Store, StoreError
from server.table import Table
from server.watchdog import Watchdog

COLLECT_AFTER: Final = (10_000, 20, 10)
"""Garbage collector thresholds: a match makes many objects and next to no cycles. gRPC
leaves one for each call, which the young generation takes away.
"""


def settle() -> None:
    """All that is there now stays: the collector need not look at it again."""
    gc.collect()
    gc.freeze()


class Gallery(Protocol):
    """Where tables can be looked at by those who have no seat."""

    def look(self, table_id: str) -> Table | None:
        """The running table, if just anybody may look on."""


class Host:
    """Lives on one event loop; `start` and `close` are called there."""

    def __init__(  # noqa: PLR0913 - each part may be left out
        self,
        *,
        house_bots: Mapping[str, BotFactory] | None = None,
        observers: Iterable[Observer] = (),
        bots: BotRegistry | None = None,
        auth_required: bool = True,
        limits: Limits | None = None,
        store: Store | None = None,
        patience: Patience = PATIENCE,
        clock: Clock = monotonic,
    ) -> None:
        self.house_bots: Mapping[str, BotFactory] = house_bots or {}
        self.observer: Observer = Observers(observers)
        self.auth_required = auth_required
        self.store = store
        self.keeper = Keeper(store, failed=self._stand_still, recovered=self._go_on)
        self.commit = self.keeper.commit
        """Stores what tables have journalled; called before anything is sent."""
        self.patience = patience
        self.alarms = Alarms(clock)
        self.bots = bots or BotRegistry()
        self.limits = limits or Limits()
        """They may change while everything runs."""
        self.buckets = Buckets()
        self.watches: Counter[str] = Counter()
        """Open ones by caller."""
        self.calls = Calls(
            clock,
            longest_s=patience.call_ms / 1000,
            most=lambda: self.limits.calls_in_flight,
        )
        self.arena = Arena(self.alarms, self.observer, patience)
        self.gallery: Gallery | None = None
        self.desk = Desk(clock)
        self.tables: dict[str, Table] = {}
        """Running tables by id."""
        self.draining = False
        self._drain_ms = 0
        self._empty = asyncio.Event()
        self._empty.set()
        self._driver: LoopDriver | None = None

    def start(self) -> None:
        """Begins to watch the time, on the running loop."""
        gc.set_threshold(*COLLECT_AFTER)
        self._driver = LoopDriver(self.alarms, self._lagged)
        # Set from here on: its alarm repeats itself for as long as the host lives.
        self._watchdog = Watchdog(
            self.tables,
            self.alarms,
            self.observer,
            after=self.patience.stuck_ms / 1000,
        )

    def close(self) -> None:
        """Lets the time go by; what still runs is cancelled, unless it is stored."""
        if self.store is None:
            for table in tuple(self.tables.values()):
                table.cancel()
        if self._driver is not None:
            self._driver.close()
            self._driver = None
        self.desk.pause()
        self.keeper.close()

    def _stand_still(self, error: StoreError) -> None:
        """Nothing can be stored, so nothing happens: no clock, no house bot."""
        self.observer.store_failed(error)
        self.desk.pause()
        if self._driver is not None:
            self._driver.close()
            self._driver = None
        self.arena.close("", "STORE")

    def _go_on(self) -> None:
        """As after a restart: open decisions have all their time again."""
        now = self.alarms.clock()
        for table in tuple(self.tables.values()):
            table.restart_clocks(now)
        self.arena.excuse()
        self._driver = LoopDriver(self.alarms, self._lagged)
        self.desk.resume()
        self.observer.store_recovered()

    def drain(self, milliseconds: int = 0) -> None:
        """Admits nobody new; what runs goes on for so long, without clocks.

        Streams and watchers are told.
        """
        self.draining = True
        self._drain_ms = milliseconds
        self.arena.drain(milliseconds)
        for table in tuple(self.tables.values()):
            self._drain_table(table)

    def _drain_table(self, table: Table) -> None:
        table.stop_clocks(self.alarms.clock())
        table.board.drain(self._drain_ms)

    def suspend(self) -> None:
        """Ends what still runs: journalled tables go on from the store some day."""
        for table in tuple(self.tables.values()):
            if table.journalled:
                table.suspend()
                del self.tables[table.setup.table]
            else:
                table.cancel()

    def dismiss(self, bot: str) -> None:
        """Takes all seats of a bot away from it, on behalf of an operator."""
        for table in tuple(self.tables.values()):
            for seat, player in enumerate(table.players):
                if isinstance(player, Seat) and player.session.bot == bot:
                    table.dismiss(seat)

    def _lagged(self, seconds: float) -> None:
        self.observer.lagged(seconds)
        if seconds * 1000 > self.patience.lag_ms:
            now = self.alarms.clock()
            for table in tuple(self.tables.values()):
                table.stood_still(seconds, now)

    async def emptied(self) -> None:
        """Waits until no table runs."""
        await self._empty.wait()

    # Players

    async def ready(self, bot: str, lane: int = 0, seconds: float = 10.0) -> None:
        """Waits for a stream of the bot for this lane; BotNotReady."""
        await self.arena.ready(bot, lane, seconds)

    def player(self, bot: str, lane: int = 0, rules: Rules | None = None) -> Seat:
        """A player for one seat of one table, on the bot's stream.

        BotNotReady; with rules also BotDeclines.
        """
        return self.arena.player(bot, lane, rules)

    def house_player(self, name: str) -> LocalPlayer:
        """A player for one seat, by a house bot; KeyError for an unknown name."""
        return self.desk.player(self.house_bots[name])

    # Tables

    def open_table(
        self,
        setup: TableSetup,
        players: Sequence[Player],
        on_end: Callable[[Table], None],
    ) -> Table:
        """Starts a match; `on_end` is called once, when it is over for any reason."""
        table = self.make_table(setup, players, on_end)
        table.start()
        return table

    def make_table(
        self,
        setup: TableSetup,
        players: Sequence[Player],
        on_end: Callable[[Table], None],
        *,
        journal: Journal | None = None,
    ) -> Table:
        """As `open_table`, for callers who start it themselves."""
        if setup.table in self.tables:
            raise ValueError(f"a table {setup.table!r} is open already")
        loop = asyncio.get_running_loop()

        def ended(table: Table) -> None:
            self.tables.pop(table.setup.table, None)
            if not self.tables:
                self._empty.set()
            # Not from inside the table's last move: who opens the next table there
            # would grow the stack with every match that nobody is there to play.
            loop.call_soon(on_end, table)

        table = Table(
            setup,
            players,
            alarms=self.alarms,
            observer=self.observer,
            on_end=ended,
            journal=journal,
        )
        self.tables[setup.table] = table
        self._empty.clear()
        if self.draining:
            self._drain_table(table)
        return table

    def ended_table(self, setup: TableSetup, match: Match, outcome: Outcome) -> Table:
        """A table that ended in an earlier process, or long ago; it only shows."""
        nobody = [UnaryPlayer(self.alarms.clock)] * len(setup.players)
        table = Table(
            setup,
            nobody,
            alarms=self.alarms,
            observer=self.observer,
            on_end=lambda _table: None,
        )
        table.recall(match, outcome)
        return table

    def void(self, table: Table) -> None:
        """Ends a table that is to be played again."""
        if table.state is State.RUNNING:
            table.cancel(End.VOIDED)
