"""2,000 streams with nothing to do and 500 running tables in one process.

The service has everything on. First its tables are played alone, then 2,000 more bots
come, say hello, answer heartbeats and wait; then the tables are played again. Beside it
a bare echo has as many idle streams, and messages as long as those of the tables. What
is to be seen: memory of an idle stream while tables run, and what idle streams do to
the 99th percentile of a decision. Servers are started anew for every round.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
from typing import NamedTuple

from benchmarks import arena_load, echo_load, processes
from benchmarks.arena_server import IDLE_BESIDE, PLAYERS
from benchmarks.flavours import Flavour, built
from benchmarks.goals import Goal, report
from benchmarks.rounds import PATIENCE_S, Done, percentile, ratios

TABLES = 500
STREAMS = IDLE_BESIDE * TABLES
ROUNDS = 3
DECISIONS = 25_000
"""Of one stretch: more than one message of every table."""
_CONNECTIONS = 4
_FIRST = 50
"""Idle streams that come before memory is looked at: the first ones load code."""


class Side(NamedTuple):
    """Service or echo in one round."""

    bytes_each: float
    """Memory of an idle stream."""
    alone_ms: float
    """99th percentile before idle streams came."""
    beside_ms: float
    """And with them."""


async def _service(server: processes.ServerProcess) -> tuple[Side, int]:
    """With it, decisions in a message."""
    streams = arena_load.streams_of(server)
    playing, idle = streams[:PLAYERS], streams[PLAYERS:]
    port = server.port
    players = arena_load.Bots(port, playing, connections=PLAYERS)
    crowds = []

    async def play() -> Done:
        return (await players.decide(DECISIONS, timeout_s=PATIENCE_S)).done()

    async def come(bots: list[arena_load.Stream]) -> int:
        crowd = arena_load.Bots(port, bots, connections=_CONNECTIONS)
        crowds.append(crowd)
        await crowd.connected(timeout_s=PATIENCE_S)
        return server.resident_bytes()

    try:
        await play()
        alone = await play()
        before = await come(idle[:_FIRST])
        after = await come(idle[_FIRST:])
        beside = await play()
    finally:
        for bots in (players, *crowds):
            await bots.close()
    each = (after - before) / (STREAMS - _FIRST)
    return Side(each, _p99_ms(alone), _p99_ms(beside)), round(beside.batch)


async def _echo(server: processes.ServerProcess, batch: int) -> Side:
    load = echo_load.Load(PLAYERS, PLAYERS, batch)
    idle = echo_load.Idle(server.port, _CONNECTIONS)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await echo_load.run(server.port, load, DECISIONS)
            alone = await echo_load.run(server.port, load, DECISIONS)
            await idle.open(_FIRST)
            before = server.resident_bytes()
            await idle.open(STREAMS - _FIRST)
            after = server.resident_bytes()
            beside = await echo_load.run(server.port, load, DECISIONS)
    finally:
        await idle.close()
    each = (after - before) / (STREAMS - _FIRST)
    return Side(each, _p99_ms(alone), _p99_ms(beside))


def _p99_ms(done: Done) -> float:
    return 1e3 * percentile(done.seconds, 0.99)


async def measure(flavour: Flavour) -> tuple[list[Side], list[Side]]:
    """Service and echo by round."""
    processes.pin(os.getpid(), processes.CLIENT_CPU)
    own, peer = [], []
    for _ in range(ROUNDS):
        arguments = ("benchmarks.arena_server", "crowd", str(TABLES))
        with processes.running(*arguments, flavour=flavour) as server:
            side, batch = await _service(server)
            own.append(side)
        with processes.running("benchmarks.echo_server") as server:
            peer.append(await _echo(server, batch))
    return own, peer


def main() -> bool:
    """Measure and print; whether an idle stream is small enough."""
    shipped = built()[-1]
    own, peer = asyncio.run(measure(shipped))
    print(f"crowd: {TABLES} running tables, {STREAMS} idle streams, {ROUNDS} rounds")
    print(f"  {'':22}KB a stream  p99 of a decision, ms: alone  beside the idle")
    for name, sides in ((f"service ({shipped.value})", own), ("bare echo", peer)):
        each, alone, beside = map(statistics.median, zip(*sides, strict=True))
        print(f"  {name:22}{each / 1024:11.1f}{alone:30.2f}{beside:17.2f}")
    sizes = [[side.bytes_each for side in sides] for sides in (own, peer)]
    text = f"the same beside {TABLES} running tables"
    return report([Goal.of_rounds("G10", text, ratios(*sizes), 1.5, at_most=True)])


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
