"""The peer of callers who vanish: a bare grpc.aio server that keeps nothing of them.

It has the options of the service and the methods that those callers use, answers each
at once with the same message, and knows no table, no store and no bot. What it keeps of
a caller, gRPC keeps. ``python -m tests.chaos.bare`` prints its address and serves until
its input ends.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import grpc.aio

from ohhell.v1 import (
    arena_pb2,
    arena_pb2_grpc,
    cards_pb2,
    frames_pb2,
    match_pb2,
    tables_pb2,
    tables_pb2_grpc,
)
from server.limits import Limits
from server.rpc.options import listening
from tests.doubles.restarting import ROOT

TABLE: Final = "t-0123456789ab"
VIEW: Final = match_pb2.View(
    seq=30,
    seat=0,
    deal=1,
    hand=cards_pb2.Card.values()[20:23],
    bids=[1] * 3,
    tricks=[1] * 3,
    plays=cards_pb2.Card.values()[1:13],
    leaders=[1] * 4,
    scores=[33] * 3,
    ask=match_pb2.ASK_BID,
    legal_bids=[0, 1, 2, 3],
)


class Tables(tables_pb2_grpc.TableServiceServicer):
    """One table, at which it is always everybody's turn."""

    async def CreateTable(
        self, request: tables_pb2.CreateTableRequest, context: object
    ) -> tables_pb2.CreateTableResponse:
        return tables_pb2.CreateTableResponse(table=tables_pb2.Table(table=TABLE))

    async def JoinTable(
        self, request: tables_pb2.JoinTableRequest, context: object
    ) -> tables_pb2.JoinTableResponse:
        return tables_pb2.JoinTableResponse(seat_token="any")  # noqa: S106 - opens nothing

    async def GetView(
        self, request: tables_pb2.GetViewRequest, context: object
    ) -> tables_pb2.GetViewResponse:
        return tables_pb2.GetViewResponse(view=VIEW)

    async def PlaceBid(
        self, request: tables_pb2.PlaceBidRequest, context: object
    ) -> tables_pb2.PlaceBidResponse:
        return tables_pb2.PlaceBidResponse(entry=30, view=VIEW)

    async def WatchTable(
        self, request: tables_pb2.WatchTableRequest, context: object
    ) -> AsyncIterator[tables_pb2.WatchTableResponse]:
        for _ in range(8):
            yield tables_pb2.WatchTableResponse(snapshot=VIEW)
        await asyncio.Event().wait()


class Arena(arena_pb2_grpc.ArenaServiceServicer):
    """Welcomes every message."""

    async def Connect(
        self, request_iterator: AsyncIterator[arena_pb2.ConnectRequest], context: object
    ) -> AsyncIterator[arena_pb2.ConnectResponse]:
        async for _ in request_iterator:
            welcome = frames_pb2.Welcome(revision=1, session_id=TABLE)
            frame = frames_pb2.ServerFrame(welcome=welcome)
            yield arena_pb2.ConnectResponse(frames=[frame])


class Bare(NamedTuple):
    """The process that serves."""

    address: str
    pid: int


@contextmanager
def bare() -> Iterator[Bare]:
    """One that runs; it ends with the block."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.chaos.bare"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield Bare(process.stdout.readline().strip(), process.pid)
        finally:
            process.kill()


async def _serve() -> None:
    server = grpc.aio.server(options=listening(Limits()))
    tables = Tables()  # type: ignore[abstract]  # those methods that are called
    tables_pb2_grpc.add_TableServiceServicer_to_server(tables, server)
    arena_pb2_grpc.add_ArenaServiceServicer_to_server(Arena(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)  # noqa: T201 - whoever started it reads this
    await asyncio.to_thread(sys.stdin.read)
    await server.stop(None)


if __name__ == "__main__":
    asyncio.run(_serve())
