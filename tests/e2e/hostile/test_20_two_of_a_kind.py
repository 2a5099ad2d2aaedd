"""Two services on one port; two streams, and too many, of one bot."""

from __future__ import annotations

import subprocess
from contextlib import AsyncExitStack
from pathlib import Path

import grpc

from ohhell.v1 import frames_pb2
from tests.doubles.frames import FrameClient, frame_client
from tests.doubles.serving import command, environment, registered, serving


def test_a_second_service_on_the_same_port_does_not_start(tmp_path: Path) -> None:
    with serving(tmp_path) as service:
        port = service.game.rpartition(":")[2]
        second = subprocess.run(
            command("serve", "--game-port", port, "--http-port", "0", "--store", ""),
            cwd=tmp_path,
            env=environment({"admin__port": 0}),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert second.returncode == 2
        assert port in second.stderr
        assert service.http("/readyz") == (200, "ready\n")


async def test_a_bot_has_so_many_processes_and_the_same_one_takes_over(
    tmp_path: Path,
) -> None:
    token = registered(tmp_path, "anna")["anna"]
    with serving(tmp_path, game__auth="on", limits__instances_per_bot=4) as service:
        async with AsyncExitStack() as open_:

            async def connect(instance: str) -> tuple[grpc.StatusCode, str] | None:
                client = await open_.enter_async_context(
                    frame_client(service.game, token)
                )
                hello = frames_pb2.Hello(revision=1, instance_id=instance)
                await client.send(frames_pb2.ClientFrame(hello=hello))
                clients.append(client)
                try:
                    await client.next("welcome")
                except (EOFError, grpc.aio.AioRpcError):
                    return await client.status()
                return None

            clients: list[FrameClient] = []
            for number in range(4):
                assert await connect(f"i{number}") is None
            refused = await connect("one-more")
            assert refused is not None
            assert refused[0] is grpc.StatusCode.RESOURCE_EXHAUSTED
            # The same process again is no further one: it takes its own place.
            assert await connect("i0") is None
