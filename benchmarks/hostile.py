"""What hostile callers do to somebody who plays, here and at a bare gRPC server.

Each crowd is first alone with the server: what the server's process spends on one of
its calls, and in all. Then somebody plays beside it: p99 of a move, as a ratio to the
quiet stretches before and after. All of it happens to the peer in the same run, which
has the same methods and does nothing. Ratios are for somebody to look at: they depend
on the machine, and on who else is busy on it, too much to fail anything. The time that
a process has spent depends on that far less.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import NamedTuple

import grpc

from benchmarks import processes
from benchmarks.crowds import CROWDS, OWN
from benchmarks.processes import ServerProcess
from ohhell.v1 import match_pb2, rules_pb2, tables_pb2, tables_pb2_grpc

MOVES = 400
"""In each stretch."""
ALONE_S = 2.0
PATIENCE_S = 20.0
WORTH_A_LOOK = 2.0


class Player:
    """Somebody who plays at the service."""

    def __init__(self, tables: tables_pb2_grpc.TableServiceAsyncStub) -> None:
        self.tables = tables

    async def stretch(self) -> float:
        """p99 of so many moves, in milliseconds; the wait for the turn is no part."""
        took: list[float] = []
        while len(took) < MOVES:
            await self._play(took)
        return sorted(took)[len(took) * 99 // 100] * 1000

    async def _play(self, took: list[float]) -> None:
        tables = self.tables
        created = await tables.CreateTable(
            tables_pb2.CreateTableRequest(
                rules=rules_pb2.RulesSpec(preset="pagat_standard"),
                players=3,
                house_bots=["lowest", "lowest"],
            )
        )
        table = created.table.table
        joined = await tables.JoinTable(tables_pb2.JoinTableRequest(table=table))
        seat = joined.seat.seat
        token = (("authorization", f"Bearer {joined.seat_token}"),)
        look = tables_pb2.GetViewRequest(table=table, seat=seat, wait_ms=10_000)
        while len(took) < MOVES:
            view = (await tables.GetView(look, metadata=token)).view
            if view.phase == match_pb2.PHASE_OVER:
                break
            decision = match_pb2.Decision(seq=view.seq, seat=seat)
            begun = time.perf_counter()
            if view.ask == match_pb2.ASK_BID:
                bid = tables_pb2.PlaceBidRequest(
                    table=table, decision=decision, bid=view.legal_bids[0]
                )
                await tables.PlaceBid(bid, metadata=token)
            elif view.ask == match_pb2.ASK_PLAY:
                play = tables_pb2.PlayCardRequest(
                    table=table, decision=decision, card=view.legal_cards[0]
                )
                await tables.PlayCard(play, metadata=token)
            took.append(time.perf_counter() - begun)


class Echoed(Player):
    """Somebody who makes the same calls of the peer."""

    async def _play(self, took: list[float]) -> None:
        while len(took) < MOVES:
            await self.tables.GetView(tables_pb2.GetViewRequest())
            begun = time.perf_counter()
            await self.tables.PlayCard(tables_pb2.PlayCardRequest())
            took.append(time.perf_counter() - begun)


class Suffered(NamedTuple):
    """What a crowd did to one of the servers."""

    under: float
    quiet: float
    """p99, milliseconds."""
    calls: int
    """That ended while the crowd was alone with it."""
    cpu_s: float
    """What the server's process spent on them."""

    @property
    def ratio(self) -> float:
        return self.under / self.quiet

    def __str__(self) -> str:
        """Fit half a line."""
        each = f"{self.cpu_s / self.calls * 1e6:6.0f}" if self.calls else "     -"
        return (
            f"x{self.ratio:6.2f} {self.under:7.2f} /{self.quiet:6.2f}"
            f" {self.calls / ALONE_S:8.0f} {each} {self.cpu_s / ALONE_S:6.1%}"
        )


@dataclass
class Server:
    """One of the two, and somebody who plays there."""

    process: ServerProcess
    player: Player
    quiet: float = 0.0

    async def suffer(self, kind: str) -> Suffered:
        """What a crowd of this kind does to it."""
        with _crowd(kind, self.process.port) as crowd:
            # What is told at once has been told by then.
            _count(crowd)
            await asyncio.sleep(1.0)
            calls, spent = _count(crowd), self.process.cpu_seconds()
            await asyncio.sleep(ALONE_S)
            calls, spent = (
                _count(crowd) - calls,
                self.process.cpu_seconds() - spent,
            )
            under = await self.player.stretch()
        before, self.quiet = self.quiet, await self.player.stretch()
        return Suffered(under, (before + self.quiet) / 2, calls, spent)


@contextlib.contextmanager
def _serving() -> Iterator[ServerProcess]:
    """A service in a process of its own."""
    ports = ("--game-port", "0", "--admin-port", "0", "--http-port", "0")
    quiet = ("--log-level", "warning")
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "cli", "serve", *ports, *quiet],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert process.stdout is not None  # noqa: S101  (PIPE was asked for)
            address = process.stdout.readline().split()[1]
            yield ServerProcess(process.pid, int(address.rpartition(":")[2]))
        finally:
            # It would play on what was left in the middle.
            process.kill()
            process.wait(PATIENCE_S)


@contextlib.contextmanager
def _crowd(kind: str, port: int) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.crowds", kind, f"127.0.0.1:{port}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _count(crowd: subprocess.Popen[str]) -> int:
    assert crowd.stdin is not None  # noqa: S101  (PIPE was asked for)
    assert crowd.stdout is not None  # noqa: S101
    print(file=crowd.stdin, flush=True)
    return int(crowd.stdout.readline())


HEADER = (
    f"{'':10} {'':4} {'p99 of a move, ms':24} {'calls/s':>8} {'us each':>7} {'CPU':>6}"
)


async def measure(kinds: list[str]) -> None:
    with _serving() as ours, processes.running("benchmarks.bare") as peer:
        async with (
            grpc.aio.insecure_channel(f"127.0.0.1:{ours.port}", options=OWN) as here,
            grpc.aio.insecure_channel(f"127.0.0.1:{peer.port}", options=OWN) as there,
        ):
            bare = Server(peer, Echoed(tables_pb2_grpc.TableServiceStub(there)))
            service = Server(ours, Player(tables_pb2_grpc.TableServiceStub(here)))
            for server in (bare, service):
                server.quiet = median([await server.player.stretch() for _ in "abc"])
            print(HEADER)
            for kind in kinds:
                peers = await bare.suffer(kind)
                print(f"{kind:10} bare {peers}", flush=True)
                suffered = await service.suffer(kind)
                over = suffered.ratio > max(WORTH_A_LOOK, peers.ratio)
                note = f"  over {WORTH_A_LOOK:g}, and over bare gRPC" if over else ""
                print(f"{'':10} ours {suffered}{note}", flush=True)


def main() -> None:
    """Measures under the crowds that are named, or all."""
    begun, _, _ = os.getloadavg()
    asyncio.run(measure(sys.argv[1:] or list(CROWDS)))
    print(f"load of the machine {begun:.1f} before, {os.getloadavg()[0]:.1f} after")


if __name__ == "__main__":
    main()
