"""A service that says what a test tells it to say, over real gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import grpc

from engine.pack import pack_of
from ohhell.v1 import arena_pb2, arena_pb2_grpc, frames_pb2, rules_pb2
from tests.doubles.patience import PATIENCE_S

if TYPE_CHECKING:
    from ohhell.v1.arena_pb2_grpc import _MaybeAsyncIterator, _ServicerContext


Frame = frames_pb2.ServerFrame


class Closed(Exception):
    """The bot ended the stream."""


class ScriptedStream:
    """The service's end of one stream."""

    def __init__(
        self, requests: _MaybeAsyncIterator[arena_pb2.ConnectRequest], token: str
    ) -> None:
        self.token = token
        self.messages: list[int] = []
        """Number of frames in each message that came."""
        self.out: asyncio.Queue[arena_pb2.ConnectResponse | grpc.StatusCode] = (
            asyncio.Queue()
        )
        self._frames: asyncio.Queue[frames_pb2.ClientFrame | None] = asyncio.Queue()
        self.reads = asyncio.Event()
        """Without it the next message but one is left to wait at the bot's end."""
        self.reads.set()
        self._reading = asyncio.create_task(self._read(requests))

    async def _read(
        self, requests: _MaybeAsyncIterator[arena_pb2.ConnectRequest]
    ) -> None:
        async for message in requests:
            self.messages.append(len(message.frames))
            for frame in message.frames:
                self._frames.put_nowait(frame)
            await self.reads.wait()
        self._frames.put_nowait(None)
        self.close()

    def stop_reading(self) -> None:
        self._reading.cancel()

    async def hear(self) -> frames_pb2.ClientFrame:
        """The next frame; Closed where none will come."""
        async with asyncio.timeout(PATIENCE_S):
            frame = await self._frames.get()
        if frame is None:
            raise Closed
        return frame

    async def answer(self) -> frames_pb2.Answer:
        frame = await self.hear()
        assert frame.WhichOneof("body") == "answer", frame
        return frame.answer

    def say(self, *frames: Frame) -> None:
        """All in one message."""
        self.out.put_nowait(arena_pb2.ConnectResponse(frames=frames))

    async def welcome(self, *, resumed: bool = False) -> frames_pb2.Hello:
        hello = (await self.hear()).hello
        said = frames_pb2.Welcome(
            revision=1, session_id="s1", workers=hello.workers, resumed=resumed
        )
        self.say(Frame(welcome=said))
        return hello

    def close(self, code: grpc.StatusCode = grpc.StatusCode.OK) -> None:
        self.out.put_nowait(code)


class ScriptedArena(arena_pb2_grpc.ArenaServiceServicer):
    def __init__(self) -> None:
        self._streams: asyncio.Queue[ScriptedStream] = asyncio.Queue()
        self.address = ""

    async def Connect(
        self,
        request_iterator: _MaybeAsyncIterator[arena_pb2.ConnectRequest],
        context: _ServicerContext,
    ) -> AsyncIterator[arena_pb2.ConnectResponse]:
        metadata = dict(context.invocation_metadata())
        stream = ScriptedStream(request_iterator, str(metadata.get("authorization")))
        self._streams.put_nowait(stream)
        while isinstance(said := await stream.out.get(), arena_pb2.ConnectResponse):
            yield said
        stream.stop_reading()
        if said is not grpc.StatusCode.OK:
            await context.abort(said, "the test says so")

    async def stream(self) -> ScriptedStream:
        """The next stream that a bot opens."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._streams.get()


@asynccontextmanager
async def scripted_arena(
    credentials: grpc.ServerCredentials | None = None,
) -> AsyncIterator[ScriptedArena]:
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    arena = ScriptedArena()
    arena_pb2_grpc.add_ArenaServiceServicer_to_server(arena, server)
    if credentials is None:
        port = server.add_insecure_port("127.0.0.1:0")
    else:
        port = server.add_secure_port("127.0.0.1:0", credentials)
    arena.address = f"127.0.0.1:{port}"
    await server.start()
    try:
        yield arena
    finally:
        await server.stop(None)


def seat(handle: int, *, table: str = "t1", seat: int = 0, players: int = 4) -> Frame:
    """Assigns a seat at a table with the plainest of rules."""
    fields: dict[str, Any] = {
        "preset": "test",
        "players": players,
        "pack": pack_of("std52").codes(),
        "joker_mode": "none",
        "duplicate_winner": "last",
    }
    assigned = frames_pb2.SeatAssigned(
        handle=handle,
        table=table,
        seat=seat,
        rules=rules_pb2.Rules(**fields),
        rules_hash="h",
        players=[f"p{i}" for i in range(players)],
        bot_seed=bytes(range(16)),
    )
    return Frame(seat=assigned)
