"""What hostile callers do to somebody who plays: p99 of a move, as a ratio to quiet.

`python -m benchmarks.hostile` serves, plays, and has one kind of crowd after the other
in a process of its own (`python -m benchmarks.hostile KIND ADDRESS`) meanwhile. Each
ratio is to the quiet stretches before and after it. Ratios above the line are for
somebody to look at; they depend on the machine too much to fail anything.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import grpc

from ohhell.v1 import (
    arena_pb2,
    arena_pb2_grpc,
    frames_pb2,
    match_pb2,
    rules_pb2,
    tables_pb2,
    tables_pb2_grpc,
)

MOVES = 400
"""In each stretch."""
CALLERS = 16
OWN = [("grpc.use_local_subchannel_pool", 1)]
PATIENCE_S = 20.0
WORTH_A_LOOK = 2.0


# Crowds, each until it is killed


async def _many(call: Callable[[], Awaitable[object]]) -> None:
    """So many callers at the same time, each again and again."""

    async def one() -> None:
        while True:
            with contextlib.suppress(grpc.aio.AioRpcError):
                await call()

    await asyncio.gather(*(one() for _ in range(CALLERS)))


async def _garbage(address: str, method: Callable[[], str], body: bytes) -> None:
    async with grpc.aio.insecure_channel(address, options=OWN) as channel:

        async def call() -> None:
            raw: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(
                method()
            )
            await raw(body, timeout=PATIENCE_S)

        await _many(call)


async def malformed(address: str) -> None:
    """Bytes that are no message."""
    await _garbage(address, lambda: "/ohhell.v1.TableService/CreateTable", b"\x0f" * 99)


async def oversized(address: str) -> None:
    """Messages over the limit."""
    method = "/ohhell.v1.TableService/CreateTable"
    await _garbage(address, lambda: method, bytes(65_537))


async def methods(address: str) -> None:
    """Methods that do not exist."""
    numbers = random.Random(1)  # noqa: S311 - of methods
    await _garbage(address, lambda: f"/x/{numbers.random()}", b"")


async def tokens(address: str) -> None:
    """Tokens that are not valid."""
    async with grpc.aio.insecure_channel(address, options=OWN) as channel:
        tables = tables_pb2_grpc.TableServiceStub(channel)
        wrong = (("authorization", "Bearer ohb_" + "A" * 43),)

        async def call() -> None:
            request = tables_pb2.ListTablesRequest()
            await tables.ListTables(request, metadata=wrong, timeout=PATIENCE_S)

        await _many(call)


async def silent(address: str) -> None:
    """Connections that never say who they are."""

    async def call() -> None:
        async with grpc.aio.insecure_channel(address, options=OWN) as channel:
            stub = arena_pb2_grpc.ArenaServiceStub(channel)
            await stub.Connect(timeout=PATIENCE_S).code()

    await _many(call)


async def flood(address: str) -> None:
    """Streams that send frames which answer nothing."""
    idle = frames_pb2.ClientFrame(answer=frames_pb2.Answer(handle=9))
    hello = frames_pb2.ClientFrame(hello=frames_pb2.Hello(revision=1))

    async def call() -> None:
        async with grpc.aio.insecure_channel(address, options=OWN) as channel:
            stream = arena_pb2_grpc.ArenaServiceStub(channel).Connect()
            await stream.write(arena_pb2.ConnectRequest(frames=[hello]))
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                while True:
                    await stream.write(arena_pb2.ConnectRequest(frames=[idle] * 100))

    await _many(call)


async def deaf(address: str) -> None:
    """Watches of every table there is that read nothing."""
    async with grpc.aio.insecure_channel(address, options=OWN) as channel:
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


CROWDS = {
    crowd.__name__: crowd
    for crowd in (malformed, oversized, methods, tokens, silent, flood, deaf)
}


# Somebody who plays


async def _stretch(tables: tables_pb2_grpc.TableServiceAsyncStub) -> float:
    """p99 of so many moves, in milliseconds; the wait for the turn is not counted."""
    took: list[float] = []
    while len(took) < MOVES:
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
    return sorted(took)[len(took) * 99 // 100] * 1000


@contextlib.contextmanager
def _serving() -> Iterator[str]:
    """The address of a service in a process of its own."""
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
            yield process.stdout.readline().split()[1]
        finally:
            # It would play on what was left in the middle.
            process.kill()
            process.wait(PATIENCE_S)


@contextlib.contextmanager
def _crowd(kind: str, address: str) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.hostile", kind, address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


async def measure() -> None:
    with _serving() as address:
        async with grpc.aio.insecure_channel(address, options=OWN) as channel:
            tables = tables_pb2_grpc.TableServiceStub(channel)
            await _stretch(tables)
            before = await _stretch(tables)
            for kind, crowd in CROWDS.items():
                with _crowd(kind, address):
                    # It takes a while to come.
                    await asyncio.sleep(1.0)
                    under = await _stretch(tables)
                after = await _stretch(tables)
                quiet = (before + after) / 2
                before = after
                ratio = under / quiet
                note = "" if ratio <= WORTH_A_LOOK else f"  over {WORTH_A_LOOK:g}"
                about = (crowd.__doc__ or "").rstrip(".").lower()
                print(
                    f"hostile {kind:<10} p99 x{ratio:.2f}"
                    f"  ({under:.2f} against {quiet:.2f} ms)  {about}{note}",
                    flush=True,
                )


def main() -> None:
    """Measures, or is one of the crowds."""
    if len(sys.argv) == 3:
        asyncio.run(CROWDS[sys.argv[1]](sys.argv[2]))
    else:
        asyncio.run(measure())


if __name__ == "__main__":
    main()
