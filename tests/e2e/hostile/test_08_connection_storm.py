"""Crowds that say nothing: they are let go in time, and leave nothing behind."""

from __future__ import annotations

import asyncio
import gc
from contextlib import AsyncExitStack
from pathlib import Path

import grpc
import pytest

from ohhell.v1 import arena_pb2_grpc
from tests.doubles.frames import frame_client
from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import Serving, person_at, serving, someone

CROWD = 150
OWN = [("grpc.use_local_subchannel_pool", 1)]


def files_of(service: Serving) -> int:
    """Descriptors that its process has open."""
    return sum(1 for _ in Path(f"/proc/{service.process.pid}/fd").iterdir())


async def fewer_files(service: Serving, most: int) -> None:
    """Returns once so few are open."""
    async with asyncio.timeout(PATIENCE_S):
        while files_of(service) > most:  # noqa: ASYNC110 - another process tells nobody
            await asyncio.sleep(0.05)


async def no_streams(service: Serving) -> None:
    """Returns once the service counts no stream as open."""
    gauges = ("ohhell_stream_active", "grpc_server_streams_active{")
    async with asyncio.timeout(PATIENCE_S):
        while True:
            _, text = await asyncio.to_thread(service.http, "/metrics")
            lines = [line for line in text.splitlines() if line.startswith(gauges)]
            assert lines
            if all(line.endswith(" 0.0") for line in lines):
                return


async def say_nothing(service: Serving) -> set[grpc.StatusCode]:
    """Streams on connections of their own, and how they end."""
    async with AsyncExitStack() as stack:
        channels = [
            await stack.enter_async_context(
                grpc.aio.insecure_channel(service.game, options=OWN)
            )
            for _ in range(CROWD)
        ]
        calls = [arena_pb2_grpc.ArenaServiceStub(c).Connect() for c in channels]
        async with asyncio.timeout(PATIENCE_S):
            return set(await asyncio.gather(*(call.code() for call in calls)))


async def test_streams_without_a_hello_are_ended_and_a_match_goes_on(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, patience__hello_ms=500) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)
            before = files_of(service)
            crowd = asyncio.create_task(say_nothing(service))
            played = await anna.play_on()
            codes = await crowd
            # A connection is closed once nothing refers to its calls.
            del crowd
            gc.collect()
            assert codes == {grpc.StatusCode.INVALID_ARGUMENT}
            assert len(played.scores) == 3
            await fewer_files(service, before + 2)


async def test_connections_that_never_finish_their_handshake_are_let_go(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as service:
        async with person_at(service.game) as tables:
            anna = await someone(tables)
            before = files_of(service)
            host, _, port = service.game.rpartition(":")
            stalled = [
                await asyncio.open_connection(host, int(port)) for _ in range(CROWD)
            ]
            assert (await anna.turn()).ask
            # Keepalive alone would let them go after half a minute.
            async with asyncio.timeout(25):
                for reader, writer in stalled:
                    while await reader.read(1024):
                        """Settings, before it is closed."""
                    writer.close()
            await fewer_files(service, before + 2)


async def come_and_go(service: Serving, streams: int) -> None:
    """On one connection, fifty at a time, each cancelled as soon as it is there."""
    async with grpc.aio.insecure_channel(service.game, options=OWN) as channel:
        stub = arena_pb2_grpc.ArenaServiceStub(channel)
        for _ in range(streams // 50):
            calls = [stub.Connect() for _ in range(50)]
            there = (call.wait_for_connection() for call in calls)
            # Who resets so many is refused some, which is as good.
            await asyncio.gather(*there, return_exceptions=True)
            for call in calls:
                call.cancel()


@pytest.mark.parametrize(
    "streams", [1_000, pytest.param(10_000, marks=pytest.mark.slow)]
)
async def test_streams_that_open_and_vanish_leave_nothing_behind(
    tmp_path: Path, streams: int
) -> None:
    with serving(tmp_path) as service:
        before = files_of(service)
        port = int(service.game.rpartition(":")[2])
        await come_and_go(service, streams)
        gc.collect()
        await fewer_files(service, before + 2)
        await no_streams(service)
        async with frame_client(port, "") as client:
            client.call.cancel()
            client.call = client._stub.Connect()
            assert (await client.hello()).session_id
