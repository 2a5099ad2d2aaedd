"""Callers that connect, play a little and vanish, without end: what the server keeps.

``python -m tests.chaos.churn SECONDS [BYTES]`` prints memory and descriptors at the
end; it raises AssertionError if callers leave memory or descriptors behind. With BYTES
the server is broken: it keeps so many of every caller.

gRPC itself keeps something of each call that is cut off. How much is seen in the same
run: after the service every caller does the same to a bare server, and what the service
keeps is judged by what that one does.
"""

from __future__ import annotations

import asyncio
import gc
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import linear_regression
from typing import Final, NamedTuple

import grpc
import grpc.aio

from ohhell.v1 import (
    arena_pb2,
    arena_pb2_grpc,
    frames_pb2,
    match_pb2,
    rules_pb2,
    tables_pb2,
    tables_pb2_grpc,
)
from tests.chaos.bare import Bare, bare
from tests.doubles.restarting import Server

AT_ONCE: Final = 8
WARM_UP: Final = 0.5
"""Of the time: caches fill, and memory that was freed is not given back."""
MARGIN: Final = 128
"""Bytes for each caller after the warm-up that the service may keep more than the bare
server, in minutes; a few seconds prove less. Where that one keeps nothing, it is what
is called flat.
"""
PATIENCE_S: Final = 120.0
TOO_LATE: Final = (
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.INVALID_ARGUMENT,
)
"""The fallback player was quicker, all places of the guest are taken, or the machine
has not brought the greeting in time.
"""
# Nobody waits long for those who have gone.
SETTINGS: Final = {
    "OHHELL_SERVER__PATIENCE__IDLE_MS": "200",
    "OHHELL_SERVER__PATIENCE__UNFILLED_MS": "2000",
}


# Every caller opens a table or a stream.
LEAKING: Final = """
from server.arena import Arena
from server.lobby import Lobby
kept = []
def leaking(method):
    def leak(*arguments, **options):
        kept.append(bytes({size}))
        return method(*arguments, **options)
    return leak
Arena.session = leaking(Arena.session)
Lobby.create = leaking(Lobby.create)
"""


class Look(NamedTuple):
    """The process at one moment."""

    seconds: float
    callers: int
    """Who had come and gone."""
    resident: int
    """Bytes."""
    bare: int
    """Those of the bare server."""


@dataclass
class Churn:
    """What happened, and how the process looked."""

    callers: int = 0
    looks: list[Look] = field(default_factory=list)
    """A few a second."""
    descriptors: tuple[int, int] = (0, 0)
    """Before the first caller and after the last."""

    @property
    def kept(self) -> float:
        """Bytes of memory for each caller after the warm-up."""
        return self._slope([look.resident for look in self.looks])

    @property
    def kept_by_bare(self) -> float:
        """The same of the bare server."""
        return self._slope([look.bare for look in self.looks])

    def _slope(self, sizes: list[int]) -> float:
        callers = [look.callers for look in self.looks]
        warm = slice(int(WARM_UP * len(sizes)), None)
        return linear_regression(callers[warm], sizes[warm]).slope

    def __str__(self) -> str:
        first, last = self.descriptors
        ours = self._by_minute([look.resident for look in self.looks])
        bare = self._by_minute([look.bare for look in self.looks])
        return (
            f"{self.callers} callers came and vanished: resident memory {ours}"
            f" ({self.kept:+.0f} bytes a caller after the warm-up); of the bare server"
            f" {bare} ({self.kept_by_bare:+.0f} bytes a caller);"
            f" descriptors {first}, then {last}"
        )

    def _by_minute(self, sizes: list[int]) -> str:
        minutes: dict[float, int] = {}
        for look, size in zip(self.looks, sizes, strict=True):
            minutes.setdefault(look.seconds // 60, size)
        listed = " ".join(f"{size / 2**20:.1f}" for size in minutes.values())
        return f"{listed} MB by minute, {sizes[-1] / 2**20:.1f} MB at the end"


def resident(pid: int) -> int:
    pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    return int(pages) * 4096


def descriptors(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


async def churn(server: Server, peer: Bare, seconds: float, least: int) -> Churn:
    """For so long and so many, some callers at a time."""
    seen = Churn()
    before = descriptors(server.pid)
    began = time.monotonic()
    until = began + seconds
    stop = asyncio.Event()

    async def come_and_go(number: int) -> None:
        chance = random.Random(number)  # noqa: S311  # repeatable, no secret
        while not stop.is_set():
            does = chance.getstate()
            await _one(server.address, chance)
            chance.setstate(does)
            await _one(peer.address, chance)
            seen.callers += 1

    async with asyncio.TaskGroup() as group:
        for number in range(AT_ONCE):
            group.create_task(come_and_go(number))
        while (now := time.monotonic()) < until or seen.callers < least:
            await asyncio.sleep(0.25)
            sizes = resident(server.pid), resident(peer.pid)
            seen.looks.append(Look(now - began, seen.callers, *sizes))
        stop.set()
    # Calls that were left lying hold their connections on our side.
    gc.collect()
    async with asyncio.timeout(PATIENCE_S):
        while descriptors(server.pid) > before:  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.1)
    seen.descriptors = (before, descriptors(server.pid))
    return seen


async def _one(address: str, chance: random.Random) -> None:
    """One caller: a person in the middle of a match, an onlooker, or a stream, which
    may not even say hello.
    """
    async with grpc.aio.insecure_channel(
        address, options=[("grpc.use_local_subchannel_pool", 1)]
    ) as channel:
        try:
            if chance.random() < 0.4:
                await _stream(channel, hello=chance.random() < 0.5)
            else:
                await _person(channel, chance)
        except grpc.aio.AioRpcError as error:
            if error.code() not in TOO_LATE:
                raise


async def _stream(channel: grpc.aio.Channel, *, hello: bool) -> None:
    call = arena_pb2_grpc.ArenaServiceStub(channel).Connect()
    await call.wait_for_connection()
    if hello:
        first = frames_pb2.Hello(revision=1, min_revision=1, workers=4)
        frame = frames_pb2.ClientFrame(hello=first)
        await call.write(arena_pb2.ConnectRequest(frames=[frame]))
        await call.read()


async def _person(channel: grpc.aio.Channel, chance: random.Random) -> None:
    tables = tables_pb2_grpc.TableServiceStub(channel)
    opened = await tables.CreateTable(
        tables_pb2.CreateTableRequest(
            rules=rules_pb2.RulesSpec(preset="simple_down_up"),
            players=3,
            house_bots=["greedy", "lowest"],
        )
    )
    table = opened.table.table
    if chance.random() < 0.2:
        return
    joined = await tables.JoinTable(tables_pb2.JoinTableRequest(table=table))
    metadata = (("authorization", f"Bearer {joined.seat_token}"),)
    wait = tables_pb2.GetViewRequest(table=table, seat=0, wait_ms=1_000)
    watch = tables.WatchTable(tables_pb2.WatchTableRequest(table=table))
    for _ in range(chance.randrange(8)):
        seen = (await tables.GetView(wait, metadata=metadata)).view
        await watch.read()
        decision = match_pb2.Decision(seq=seen.seq, seat=0)
        if seen.ask == match_pb2.ASK_BID:
            bid = tables_pb2.PlaceBidRequest(
                table=table, decision=decision, bid=seen.legal_bids[0]
            )
            await tables.PlaceBid(bid, metadata=metadata)
        elif seen.ask == match_pb2.ASK_PLAY:
            card = tables_pb2.PlayCardRequest(
                table=table, decision=decision, card=seen.legal_cards[0]
            )
            await tables.PlayCard(card, metadata=metadata)


async def churn_for(
    seconds: float,
    folder: Path,
    *,
    margin: float = MARGIN,
    leak: int = 0,
    least: int = 0,
) -> Churn:
    """On a server of its own; AssertionError where it keeps what it should not.

    With a leak it does, so many bytes of each caller. It goes on until there were at
    least so many callers.
    """
    server = Server(
        str(folder / "tables.db"),
        folder,
        flags=("--log-level", "warning"),
        environment=SETTINGS,
        before=LEAKING.format(size=leak) if leak else "",
    )
    server.start()
    try:
        with bare() as peer:
            seen = await churn(server, peer, seconds, least)
    finally:
        server.close()
    assert seen.kept < max(seen.kept_by_bare, 0.0) + margin, seen
    assert seen.descriptors[1] <= seen.descriptors[0], seen
    return seen


def main() -> None:
    seconds, leak = float(sys.argv[1]), int((*sys.argv[2:], "0")[0])
    with tempfile.TemporaryDirectory() as folder:
        print(asyncio.run(churn_for(seconds, Path(folder), leak=leak)))  # noqa: T201 - a command


if __name__ == "__main__":
    main()
