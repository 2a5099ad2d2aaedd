"""Memory of a bot's stream that is open and has nothing to do, against a bare echo's.

Both servers are started anew for every round, because memory is hardly ever given back.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
from typing import Any, Protocol

import grpc

from benchmarks import arena_load, echo_load, processes
from benchmarks.flavours import Flavour, built
from benchmarks.goals import Goal, report
from benchmarks.rounds import PATIENCE_S, ROUNDS, ratios
from ohhell.v1 import arena_pb2_grpc

STREAMS = 2_000
_CONNECTIONS = 4
_FIRST = 50
"""Streams that are open before memory is looked at: the first ones load code."""


class _Opening(Protocol):
    async def open(self, streams: int) -> None:
        """Open so many more streams, and wait until each has been answered."""

    async def close(self) -> None:
        """End them."""


class _Bots:
    """Bots that have said hello, were welcomed, and wait for a table."""

    def __init__(self, server: processes.ServerProcess) -> None:
        self._streams = arena_load.streams_of(server)
        self._channels = [
            grpc.aio.insecure_channel(
                f"127.0.0.1:{server.port}",
                options=[("grpc.use_local_subchannel_pool", 1)],
            )
            for _ in range(_CONNECTIONS)
        ]
        self._calls: list[Any] = []

    async def open(self, streams: int) -> None:
        for _ in range(streams):
            number = len(self._calls)
            stream = self._streams[number]
            channel = self._channels[number % _CONNECTIONS]
            call = arena_pb2_grpc.ArenaServiceStub(channel).Connect(
                metadata=(("authorization", f"Bearer {stream.token}"),)
            )
            self._calls.append(call)
            await call.write(arena_load.hello(stream, number))
            if await call.read() is grpc.aio.EOF:
                raise RuntimeError(f"the service ended stream {number}")

    async def close(self) -> None:
        for call in self._calls:
            call.cancel()
        for channel in self._channels:
            await channel.close()


async def _bytes_of(server: processes.ServerProcess, opening: _Opening) -> float:
    try:
        async with asyncio.timeout(PATIENCE_S):
            await opening.open(_FIRST)
            before = server.resident_bytes()
            await opening.open(STREAMS - _FIRST)
            return (server.resident_bytes() - before) / (STREAMS - _FIRST)
    finally:
        await opening.close()


async def measure(flavour: Flavour) -> tuple[list[float], list[float]]:
    """Bytes a stream of the service and of the echo, by round."""
    processes.pin(os.getpid(), processes.CLIENT_CPU)
    own, peer = [], []
    for _ in range(ROUNDS):
        arguments = ("benchmarks.arena_server", "idle", str(STREAMS))
        with processes.running(*arguments, flavour=flavour) as server:
            own.append(await _bytes_of(server, _Bots(server)))
        with processes.running("benchmarks.echo_server") as server:
            idle = echo_load.Idle(server.port, _CONNECTIONS)
            peer.append(await _bytes_of(server, idle))
    return own, peer


def main() -> bool:
    """Measure and print; whether a stream is small enough."""
    shipped = built()[-1]
    own, peer = asyncio.run(measure(shipped))
    print(f"idle: {STREAMS} streams on {_CONNECTIONS} connections, fresh servers")
    for name, sizes in ((f"service ({shipped.value})", own), ("bare echo", peer)):
        print(f"  {name:30}{statistics.median(sizes) / 1024:6.1f} KB a stream")
    text = "memory of an idle stream by that of an echo"
    return report([Goal.of_rounds("G10", text, ratios(own, peer), 1.5, at_most=True)])


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
