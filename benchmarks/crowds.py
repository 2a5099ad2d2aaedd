"""Crowds of hostile callers, each in a process of its own.

`python -m benchmarks.crowds KIND ADDRESS` is one of them until its input ends. It
answers every line of its input with the number of calls that have come to their end.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
from collections.abc import Awaitable, Callable

import grpc

from ohhell.v1 import (
    arena_pb2,
    arena_pb2_grpc,
    frames_pb2,
    tables_pb2,
    tables_pb2_grpc,
)

CALLERS = 16
OWN = [("grpc.use_local_subchannel_pool", 1)]
PATIENCE_S = 20.0


class Crowd:
    """So many callers at the same time, each again and again."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.ended = 0
        """Calls; of streams that go on, messages."""

    async def every(self, call: Callable[[], Awaitable[object]]) -> None:
        """All callers, for ever."""

        async def one() -> None:
            while True:
                with contextlib.suppress(grpc.aio.AioRpcError):
                    await call()
                self.ended += 1

        await asyncio.gather(*(one() for _ in range(CALLERS)))

    def connected(self) -> grpc.aio.Channel:
        """A connection of its own."""
        return grpc.aio.insecure_channel(self.address, options=OWN)


async def _garbage(crowd: Crowd, method: Callable[[], str], body: bytes) -> None:
    async with crowd.connected() as channel:

        async def call() -> None:
            raw: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(
                method()
            )
            await raw(body, timeout=PATIENCE_S)

        await crowd.every(call)


async def malformed(crowd: Crowd) -> None:
    """Bytes that are no message."""
    method = "/ohhell.v1.TableService/CreateTable"
    await _garbage(crowd, lambda: method, b"\x0f" * 99)


async def oversized(crowd: Crowd) -> None:
    """Messages over the limit."""
    method = "/ohhell.v1.TableService/CreateTable"
    await _garbage(crowd, lambda: method, bytes(65_537))


async def methods(crowd: Crowd) -> None:
    """Methods that do not exist."""
    numbers = random.Random(1)  # noqa: S311 - of methods
    await _garbage(crowd, lambda: f"/x/{numbers.random()}", b"")


async def tokens(crowd: Crowd) -> None:
    """Tokens that are not valid."""
    async with crowd.connected() as channel:
        tables = tables_pb2_grpc.TableServiceStub(channel)
        wrong = (("authorization", "Bearer ohb_" + "A" * 43),)

        async def call() -> None:
            request = tables_pb2.ListTablesRequest()
            await tables.ListTables(request, metadata=wrong, timeout=PATIENCE_S)

        await crowd.every(call)


async def silent(crowd: Crowd) -> None:
    """Connections that never say who they are."""

    async def call() -> None:
        async with crowd.connected() as channel:
            stub = arena_pb2_grpc.ArenaServiceStub(channel)
            await stub.Connect(timeout=PATIENCE_S).code()

    await crowd.every(call)


async def flood(crowd: Crowd) -> None:
    """Streams that send frames which answer nothing."""
    idle = frames_pb2.ClientFrame(answer=frames_pb2.Answer(handle=9))
    hello = frames_pb2.ClientFrame(hello=frames_pb2.Hello(revision=1))
    batch = arena_pb2.ConnectRequest(frames=[idle] * 100)

    async def call() -> None:
        async with crowd.connected() as channel:
            stream = arena_pb2_grpc.ArenaServiceStub(channel).Connect()
            await stream.write(arena_pb2.ConnectRequest(frames=[hello]))
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                while True:
                    await stream.write(batch)

    await crowd.every(call)


async def deaf(crowd: Crowd) -> None:
    """Watches of every table there is that read nothing."""
    async with crowd.connected() as channel:
        tables = tables_pb2_grpc.TableServiceStub(channel)
        watches = []
        seen: set[str] = set()
        while True:
            listed = await tables.ListTables(tables_pb2.ListTablesRequest())
            for table in listed.tables:
                if table.table not in seen:
                    seen.add(table.table)
                    ask = tables_pb2.WatchTableRequest(table=table.table)
                    watches += [tables.WatchTable(ask) for _ in range(50)]
            await asyncio.sleep(0.2)


CROWDS: dict[str, Callable[[Crowd], Awaitable[None]]] = {
    crowd.__name__: crowd
    for crowd in (malformed, oversized, methods, tokens, silent, flood, deaf)
}


async def _run(kind: str, address: str) -> None:
    crowd = Crowd(address)
    calling = asyncio.ensure_future(CROWDS[kind](crowd))
    while await asyncio.to_thread(sys.stdin.readline):
        print(crowd.ended, flush=True)
    calling.cancel()


if __name__ == "__main__":
    asyncio.run(_run(*sys.argv[1:]))
