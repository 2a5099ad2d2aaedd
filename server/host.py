"""The host: what all tables of a process share.

One event loop, one clock, one set of alarms; the bots that may connect and those that
are there; the tables that run; the store that remembers. Adapters and the tournament
runner work through it.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from server.arena import Arena
from server.clock import Alarms, Clock, LoopDriver, monotonic
from server.observe import Observer, Observers
from server.outcome import End, State
from server.players.local import BotFactory, Desk, LocalPlayer
from server.players.port import Player
from server.players.stream import Seat
from server.registry import BotRegistry
from server.setup import TableSetup
from server.table import Journal, Table

Commit = Callable[[], None]

COLLECT_AFTER: Final = (10_000, 20, 50)
"""Garbage collector thresholds: a match makes many objects and next to no cycles."""


def _nothing_to_commit() -> None:
    """For a host without a store."""


class Host:
    """Lives on one event loop; `start` and `close` are called there."""

    GUEST: Final = "guest"
    """Bots without a token, where tokens are not asked for."""

    def __init__(
        self,
        *,
        house_bots: Mapping[str, BotFactory] | None = None,
        observers: Iterable[Observer] = (),
        auth_required: bool = True,
        commit: Commit = _nothing_to_commit,
        clock: Clock = monotonic,
    ) -> None:
        self.house_bots: Mapping[str, BotFactory] = house_bots or {}
        self.observer: Observer = Observers(observers)
        self.auth_required = auth_required
        self.commit = commit
        """Writes what tables have journalled; called before anything is sent."""
        self.alarms = Alarms(clock)
        self.bots = BotRegistry()
        self.arena = Arena(self.alarms, self.observer)
        self.desk = Desk(clock)
        self.tables: dict[str, Table] = {}
        """Running tables by id."""
        self.draining = False
        self._empty = asyncio.Event()
        self._empty.set()
        self._driver: LoopDriver | None = None

    def start(self) -> None:
        """Begins to watch the time, on the running loop."""
        gc.set_threshold(*COLLECT_AFTER)
        self._driver = LoopDriver(self.alarms, self.observer.lagged)

    def close(self) -> None:
        """Cancels what still runs and lets the time go by."""
        for table in tuple(self.tables.values()):
            table.cancel()
        if self._driver is not None:
            self._driver.close()
            self._driver = None

    def drain(self) -> None:
        """Admits nobody new; streams are told, and what runs goes on."""
        self.draining = True

    async def emptied(self) -> None:
        """Waits until no table runs."""
        await self._empty.wait()

    # Players

    async def ready(self, bot: str, lane: int = 0, seconds: float = 10.0) -> None:
        """Waits for a stream of the bot for this lane; BotNotReady."""
        await self.arena.ready(bot, lane, seconds)

    def player(self, bot: str, lane: int = 0) -> Seat:
        """A player for one seat of one table, on the bot's stream; BotNotReady."""
        return self.arena.player(bot, lane)

    def house_player(self, name: str) -> LocalPlayer:
        """A player for one seat, by a house bot; KeyError for an unknown name."""
        return self.desk.player(self.house_bots[name])

    def local_player(self, factory: BotFactory) -> LocalPlayer:
        return self.desk.player(factory)

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
        return table

    def void(self, table: Table) -> None:
        """Ends a table that is to be played again."""
        if table.state is State.RUNNING:
            table.cancel(End.VOIDED)
