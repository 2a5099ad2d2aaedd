"""What is over leaves memory at once: the garbage collector is not waited for."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from ohhell.v1 import tables_pb2, tables_pb2_grpc
from server.lobby import MAX_REMEMBERED
from tests.doubles.frames import frame_client
from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import (
    Serving,
    new_table,
    person_at,
    refused,
    registered,
    serving,
    someone,
)

CALLERS = 50
# There is no collector, and whoever sends a signal is told what there is. Not by print:
# the next signal may come while it is still in there, and it may not be entered twice.
COUNTING = """
import gc, json, os, signal
gc.disable()
def tell(*_):
    counts = {}
    for thing in gc.get_objects():
        name = type(thing).__name__
        counts[name] = counts.get(name, 0) + 1
    os.write(1, json.dumps(counts).encode() + b"\\n")
signal.signal(signal.SIGUSR1, tell)
gc.collect = lambda *_: 0
"""


async def things(service: Serving) -> dict[str, int]:
    """How many there are in its memory, by the name of their type."""
    service.process.send_signal(signal.SIGUSR1)
    assert service.process.stdout is not None
    line = await asyncio.to_thread(service.process.stdout.readline)
    counts: dict[str, int] = json.loads(line)
    return counts


async def gone(service: Serving, *types: str) -> None:
    """Waits until there is nothing of these types."""
    left: dict[str, int] = {}
    try:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                counts = await things(service)
                left = {name: counts[name] for name in types if name in counts}
                if not left:
                    return
    except TimeoutError:
        raise AssertionError(f"still in memory: {left}") from None


@asynccontextmanager
async def counting(
    folder: Path,
) -> AsyncIterator[tuple[Serving, tables_pb2_grpc.TableServiceAsyncStub]]:
    """A service that counts, and a connection to it."""
    with serving(folder, prelude=COUNTING) as service:
        async with person_at(service.game) as tables:
            yield service, tables


async def cancel(tables: tables_pb2_grpc.TableServiceAsyncStub, table: str) -> None:
    await tables.CancelTable(tables_pb2.CancelTableRequest(table=table))


async def push_out(tables: tables_pb2_grpc.TableServiceAsyncStub) -> None:
    """As many tables without a match as the service remembers."""
    for _ in range(MAX_REMEMBERED):
        await cancel(tables, (await new_table(tables)).table.table)


async def test_matches_that_were_played_are_gone(tmp_path: Path) -> None:
    async with counting(tmp_path) as (service, tables):
        anna = await someone(tables)
        ask = tables_pb2.WatchTableRequest(table=anna.table)
        watch = tables.WatchTable(ask)
        assert (await things(service))["Table"] == 1
        await anna.play_on()
        assert [message async for message in watch]
        await push_out(tables)
        await gone(service, "Table", "Match", "CallWatch")


async def test_matches_that_were_given_up_are_gone_with_all_that_was_refused(
    tmp_path: Path,
) -> None:
    async with counting(tmp_path) as (service, tables):
        for _ in range(3):
            anna = await someone(tables)
            await anna.turn()
            bid = tables_pb2.PlaceBidRequest(table=anna.table, bid=99)
            await refused(tables.PlaceBid(bid, metadata=anna.token))
            await cancel(tables, anna.table)
            await refused(tables.PlaceBid(bid, metadata=anna.token))
        await push_out(tables)
        await gone(service, "Table", "Match")


async def test_streams_of_bots_are_gone(tmp_path: Path) -> None:
    tokens = registered(tmp_path, "bea")
    async with counting(tmp_path) as (service, _):
        for number in range(3):
            async with frame_client(service.game, tokens["bea"]) as bea:
                await bea.hello(instance_id=f"bea-{number}")
        await gone(service, "Stream", "FrameWatches", "Prompts")
        async with frame_client(service.game, tokens["bea"]) as bea:
            await bea.hello(instance_id="the-next")
            # It took over from all who are lost.
            assert (await things(service))["Session"] == 1


async def test_who_hangs_up_is_not_answered(tmp_path: Path) -> None:
    token = registered(tmp_path, "bea")["bea"]
    with serving(tmp_path) as service:
        async with AsyncExitStack() as callers, asyncio.timeout(PATIENCE_S):
            for _ in range(CALLERS):
                await callers.enter_async_context(frame_client(service.game, token))
            while streams(service, "started") != {"": CALLERS}:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0)
        async with asyncio.timeout(PATIENCE_S):
            while sum((ended := streams(service, "handled")).values()) < CALLERS:  # noqa: ASYNC110
                await asyncio.sleep(0)
    assert ended == {"CANCELLED": CALLERS}


def streams(service: Serving, what: str) -> dict[str, int]:
    """How many streams of bots have begun, or ended, by their status."""
    _, page = service.http("/metrics")
    labels = r'\{(?:grpc_code="(\w+)",)?grpc_method="Connect",.*\}'
    line = rf"^grpc_server_{what}_total{labels} (\d+)"
    return {code: int(times) for code, times in re.findall(line, page, re.MULTILINE)}
