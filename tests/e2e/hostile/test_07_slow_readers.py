"""Readers that take nothing: they cost a number, and nobody waits for them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import grpc
import pytest

from ohhell.v1 import (
    frames_pb2,
    match_pb2,
    tables_pb2,
    tables_pb2_grpc,
)
from server.players.port import Link
from server.rpc.arena import admit
from server.rpc.status import Problem
from tests.doubles.frames import PATIENCE_S, FrameClient, answer
from tests.doubles.serving import (
    Serving,
    person_at,
    refusal_of,
    registered,
    serving,
    someone,
)
from tests.doubles.stage import staged

WATCHES = 50
MOST_GROWTH_KIB = 96 * 1024

WATCHER = """
import asyncio, sys
import grpc
from ohhell.v1 import tables_pb2, tables_pb2_grpc

async def main(address, table, watches):
    async with grpc.aio.insecure_channel(address) as channel:
        tables = tables_pb2_grpc.TableServiceStub(channel)
        request = tables_pb2.WatchTableRequest(table=table)
        calls = [tables.WatchTable(request) for _ in range(int(watches))]
        for call in calls:
            await call.read()
        print("watching", flush=True)
        await asyncio.Event().wait()

asyncio.run(main(*sys.argv[1:]))
"""


def resident_kib(process_id: int) -> int:
    status = Path(f"/proc/{process_id}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


async def test_fifty_watches_of_a_stopped_reader_hold_nobody_up(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)
            arguments = (service.game, anna.table, str(WATCHES))
            watcher = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                WATCHER,
                *arguments,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            assert watcher.stdout is not None
            assert await watcher.stdout.readline() == b"watching\n"
            watcher.send_signal(signal.SIGSTOP)
            before = resident_kib(service.process.pid)
            assert (await anna.play_on()).phase == match_pb2.PHASE_OVER
            grown = resident_kib(service.process.pid) - before
            watcher.kill()
            await watcher.wait()
            assert grown < MOST_GROWTH_KIB
            assert (await (await someone(tables)).play_on()).seq > 0


Watching = grpc.aio.UnaryStreamCall[
    tables_pb2.WatchTableRequest, tables_pb2.WatchTableResponse
]

# So much of a stream is on its way before its reader has asked for it.
NARROW = [
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.lookahead_bytes", 1_024),
]


def ended_for_slowness(service: Serving, viewer: str) -> bool:
    _, metrics = service.http("/metrics")
    return f'ohhell_slow_consumers_total{{viewer="{viewer}"}} 1.0' in metrics


async def test_a_watch_that_reads_nothing_is_ended_and_can_go_on(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, patience__slow_ms=200) as service:
        async with (
            person_at(service.game) as tables,
            grpc.aio.insecure_channel(service.game, options=NARROW) as narrow,
        ):
            anna = await someone(tables)
            looking = tables_pb2.WatchTableRequest(table=anna.table)
            watch = tables_pb2_grpc.TableServiceStub(narrow).WatchTable(looking)
            await watch.read()
            end = await anna.play_on()
            await until(lambda: ended_for_slowness(service, "watcher"))
            read: list[int] = []
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await read_on(watch, read)
            refusal = refusal_of(ended.value)
            assert refusal.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert refusal.reason == "SLOW_CONSUMER"
            assert refusal.retry_ms is not None
            # What it missed is there for its next watch.
            looking.after_seq = read[-1]
            await read_on(tables.WatchTable(looking), read)
            assert read == list(range(1, end.seq + 1))


async def test_a_bot_that_takes_nothing_from_a_real_service_is_sent_away(
    tmp_path: Path,
) -> None:
    token = registered(tmp_path, "anna")["anna"]
    with serving(
        tmp_path, patience__slow_ms=200, patience__heartbeat_ms=1_000
    ) as service:
        async with (
            person_at(service.game) as tables,
            grpc.aio.insecure_channel(service.game, options=NARROW) as narrow,
        ):
            person = await someone(tables)
            anna = FrameClient(narrow, token)
            await anna.hello()
            watch = frames_pb2.Watch(handle=9, table=person.table)
            await anna.send(frames_pb2.ClientFrame(watch=watch))
            await anna.next("snapshot")
            assert (await person.play_on()).phase == match_pb2.PHASE_OVER
            await until(lambda: ended_for_slowness(service, "bot"))
            code, _ = await anna.status()
            assert code is grpc.StatusCode.RESOURCE_EXHAUSTED


async def read_on(watch: Watching, read: list[int]) -> None:
    """To its end; numbers of entries are added to `read`."""
    while isinstance(message := await watch.read(), tables_pb2.WatchTableResponse):
        if message.HasField("entry"):
            read.append(message.entry.seq)


async def until(holds: Callable[[], bool]) -> None:
    """It says so some time."""
    async with asyncio.timeout(PATIENCE_S):
        while not await asyncio.to_thread(holds):
            pass


async def test_a_player_that_takes_nothing_is_sent_away_and_keeps_its_seat() -> None:
    async with staged(heartbeat_ms=20, slow_ms=40) as stage:
        stage.tokens["anna"] = stage.host.bots.register("anna")
        hello = frames_pb2.Hello(revision=1, instance_id="anna", entries=True)
        stream = admit(stage.host, "anna", hello, Link.DIAL_IN)

        async def nothing() -> AsyncIterator[object]:
            await asyncio.Event().wait()
            yield None

        async def never(_message: bytes) -> None:
            await asyncio.Event().wait()

        table = stage.open_table("anna", "lowest", "lowest")
        with pytest.raises(Problem) as ended:
            await asyncio.wait_for(stream.converse(nothing(), [], never), 20)
        assert ended.value.reason == "SLOW_CONSUMER"
        assert ended.value.retry_ms is not None
        # On the next stream everything is there.
        anna = await stage.connect("anna", entries=True)
        prompt = await anna.prompt()
        assert [entry.seq for entry in anna.entries] == list(range(1, prompt.seq + 1))
        await anna.send(answer(prompt))
        await anna.prompt()
        assert table.guards[0].as_counts() == {}
