"""A served host where a test says every frame of some bots, at tables it knows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from bots.local import LOCAL_FACTORIES
from engine.match import Match
from ohhell.v1 import frames_pb2, match_pb2
from server.clock import NO_CLOCK, TimeControl
from server.host import Host
from server.lobby import Lobby
from server.metrics import Metrics
from server.patience import Patience
from server.players.port import Player
from server.registry import Scope
from server.rpc.serving import GameListener
from server.table import Table
from tests.doubles.frames import FrameClient, frame_client
from tests.doubles.patience import PATIENCE_S
from tests.doubles.tables import setup


@dataclass
class Stage:
    """Bots by name, their streams, and the tables that ended."""

    host: Host
    port: int
    metrics: Metrics
    tokens: dict[str, str] = field(default_factory=dict)
    ended: list[Table] = field(default_factory=list)
    _ends: AsyncExitStack = field(default_factory=AsyncExitStack)
    _tables: int = 0
    _one_more: asyncio.Event = field(default_factory=asyncio.Event)

    async def connect(self, bot: str, **hello: object) -> FrameClient:
        """A stream of the bot, which is registered when it first comes."""
        token = self.tokens.get(bot)
        if token is None:
            scopes = (Scope.PLAY, Scope.READ, Scope.WRITE)
            token = self.tokens[bot] = self.host.bots.register(bot, scopes=scopes)
        client = await self._ends.enter_async_context(frame_client(self.port, token))
        await client.hello(**{"instance_id": bot, **hello})
        return client

    async def seats(self, *bots: str, **hello: object) -> list[FrameClient]:
        """A stream that hears everything for each of these bots."""
        return [await self.connect(bot, entries=True, **hello) for bot in bots]

    def open_table(
        self,
        *names: str,
        preset: str = "pagat_standard",
        clock: TimeControl = NO_CLOCK,
        amendments: bool = False,
        block: int = 0,
        overrides: dict[str, object] | None = None,
    ) -> Table:
        """Bots and house bots by seat; seat 0 bids first."""
        self._tables += 1
        players: list[Player] = [
            self.host.player(name)
            if name in self.tokens
            else self.host.house_player(name)
            for name in names
        ]
        return self.host.open_table(
            setup(
                preset,
                seats=len(names),
                table=f"t{self._tables}",
                clock=clock,
                amendments=amendments,
                block=block,
                overrides=overrides,
            ),
            players,
            self._note_end,
        )

    def _note_end(self, table: Table) -> None:
        self.ended.append(table)
        self._one_more.set()

    async def until_ended(self, count: int = 1) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while len(self.ended) < count:
                self._one_more.clear()
                await self._one_more.wait()


@asynccontextmanager
async def staged(**patience: int) -> AsyncIterator[Stage]:
    """Patience in milliseconds, by name."""
    metrics = Metrics()
    host = Host(
        house_bots=LOCAL_FACTORIES, observers=[metrics], patience=Patience(**patience)
    )
    host.start()
    listener = GameListener(
        host, metrics, address="127.0.0.1", port=0, lobby=Lobby(host)
    )
    await listener.start()
    stage = Stage(host, listener.port, metrics)
    async with stage._ends:
        yield stage
    host.close()
    await listener.stop(0)


async def entry_of(client: FrameClient, body: str) -> match_pb2.Entry:
    """The next entry of this kind that the client is told of."""
    while True:
        while client.entries:
            entry = client.entries.pop(0)
            if entry.WhichOneof("body") == body:
                return entry
        await client.next("entries")


async def notice_of(client: FrameClient, kind: int) -> frames_pb2.Notice:
    """The next notice of this kind."""
    while (notice := (await client.next("notice")).notice).kind != kind:
        pass
    return notice


def block_where(
    holds: Callable[[Match], bool],
    preset: str,
    seats: int,
    overrides: dict[str, object] | None = None,
) -> int:
    """The first block whose first deal is as a test needs it, just after dealing."""
    for block in range(10_000):
        prepared = setup(preset, seats=seats, block=block, overrides=overrides)
        match = Match(
            prepared.rules,
            seats,
            first_dealer=prepared.first_dealer,
            decks=prepared.decks,
        )
        match.start()
        if holds(match):
            return block
    raise AssertionError("no block is like that")
