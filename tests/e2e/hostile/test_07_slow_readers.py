"""Readers that take nothing: they cost a number, and nobody waits for them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from ohhell.v1 import (
    frames_pb2,
    match_pb2,
    rules_pb2,
    tables_pb2,
    tables_pb2_grpc,
)
from tests.doubles.frames import FrameClient, answer, frame_client
from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import (
    Serving,
    person_at,
    refusal_of,
    registered,
    seat_bot,
    serving,
    someone,
)

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


def has_a_stream(service: Serving) -> bool:
    _, metrics = service.http("/metrics")
    return "ohhell_stream_active 1.0" in metrics


async def watch_unread(
    anna: FrameClient, tables: tables_pb2_grpc.TableServiceAsyncStub
) -> None:
    """Asks for all of a match, of which more comes than `anna` has asked to read."""
    person = await someone(tables)
    watch = frames_pb2.Watch(handle=9, table=person.table)
    await anna.send(frames_pb2.ClientFrame(watch=watch))
    await anna.next("snapshot")
    assert (await person.play_on()).phase == match_pb2.PHASE_OVER


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


async def test_a_player_that_takes_nothing_is_sent_away_and_keeps_its_seat(
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
            anna = FrameClient(narrow, token)
            await anna.hello(instance_id="anna")
            await seat_bot(tables, token)
            asked = await anna.prompt()
            await watch_unread(anna, tables)
            await until(lambda: ended_for_slowness(service, "bot"))
            code, _ = await anna.status()
            assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
            # On the next stream everything is there, and nothing was charged.
            async with frame_client(service.game, token) as again:
                await again.hello(instance_id="anna", capabilities=["results"])
                prompt = await again.prompt()
                assert (prompt.seq, prompt.attempt) == (asked.seq, 1)
                await again.send(answer(prompt))
                assert (await again.next("result")).result.accepted


async def test_a_player_that_hangs_up_and_takes_nothing_keeps_no_seat_waiting(
    tmp_path: Path,
) -> None:
    """Its stream has ended before what is written to it has waited too long."""
    token = registered(tmp_path, "anna")["anna"]
    with serving(
        tmp_path, patience__slow_ms=3_000, patience__heartbeat_ms=1_000
    ) as service:
        async with (
            person_at(service.game) as tables,
            grpc.aio.insecure_channel(service.game, options=NARROW) as narrow,
        ):
            anna = FrameClient(narrow, token)
            await anna.hello(instance_id="anna")
            await watch_unread(anna, tables)
            assert has_a_stream(service)
            await anna.call.done_writing()
            await until(lambda: not has_a_stream(service))
            assert ended_for_slowness(service, "bot")


SHORT = rules_pb2.RulesSpec(
    preset="pagat_standard",
    overrides={"deal_shape": '"list"', "deal_list": "[2, 1]"},
)
TABLES = 500
WATCHED = 10


@pytest.mark.slow
async def test_deaf_watches_among_five_hundred_tables_hold_nobody_up(
    tmp_path: Path,
) -> None:
    """Long matches are watched, short ones are played beside them by people."""
    with serving(tmp_path) as service:
        async with (
            person_at(service.game) as tables,
            grpc.aio.insecure_channel(service.game, options=NARROW) as narrow,
        ):
            watched = [await someone(tables) for _ in range(WATCHED)]
            others = [
                await someone(tables, rules=SHORT) for _ in range(TABLES - WATCHED)
            ]
            looking = tables_pb2_grpc.TableServiceStub(narrow)
            watches = [
                looking.WatchTable(tables_pb2.WatchTableRequest(table=person.table))
                for person in watched
                for _ in range(WATCHES // WATCHED)
            ]
            for watch in watches:
                await watch.read()
            before = resident_kib(service.process.pid)
            people = [person.play_on() for person in (*watched, *others)]
            ends = await asyncio.gather(*people)
            assert {end.phase for end in ends} == {match_pb2.PHASE_OVER}
            assert resident_kib(service.process.pid) - before < MOST_GROWTH_KIB
            for watch in watches:
                watch.cancel()
            assert (await (await someone(tables)).play_on()).seq > 0


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
