"""Readers that take nothing: they cost a number, and nobody waits for them."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from ohhell.v1 import frames_pb2, match_pb2
from server.players.port import Link
from server.rpc.arena import admit
from server.rpc.status import Problem
from tests.doubles.frames import answer
from tests.doubles.serving import person_at, serving, someone
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
