"""The client's end of an arena stream, frame by frame."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import grpc

from ohhell.v1 import arena_pb2, arena_pb2_grpc, frames_pb2, match_pb2
from tests.doubles.patience import PATIENCE_S

Frame = frames_pb2.ServerFrame


class FrameClient:
    """Sends what a test says and hands out what comes, one frame after the other."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        self.channel = channel
        self.metadata = (("authorization", f"Bearer {token}"),)
        self._stub = arena_pb2_grpc.ArenaServiceStub(channel)
        self.call = self._stub.Connect(metadata=self.metadata)
        self.unread: list[Frame] = []
        self.entries: list[match_pb2.Entry] = []
        """Those that came so far, whatever was waited for; tests take them off."""

    async def hello(self, **fields: object) -> frames_pb2.Welcome:
        """Introduces itself and returns the welcome."""
        hello = frames_pb2.Hello(revision=1, min_revision=1, **fields)  # type: ignore[arg-type]  # any of its fields
        await self.send(frames_pb2.ClientFrame(hello=hello))
        return (await self.next("welcome")).welcome

    async def send(self, *frames: frames_pb2.ClientFrame) -> None:
        """All in one message."""
        await self.call.write(arena_pb2.ConnectRequest(frames=frames))

    async def next(self, *kinds: str) -> Frame:
        """The next frame of one of these kinds; others are passed over."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                while self.unread:
                    frame = self.unread.pop(0)
                    self.entries += frame.entries.entries
                    if frame.WhichOneof("body") in kinds:
                        return frame
                    if frame.HasField("heartbeat"):
                        pong = frames_pb2.Pong(nonce=frame.heartbeat.nonce)
                        await self.send(frames_pb2.ClientFrame(pong=pong))
                message = await self.call.read()
                if message is grpc.aio.EOF:
                    raise EOFError("the service ended the stream")
                assert isinstance(message, arena_pb2.ConnectResponse)
                self.unread.extend(message.frames)

    async def prompt(self) -> match_pb2.View:
        return (await self.next("prompt")).prompt

    async def status(self) -> tuple[grpc.StatusCode, str]:
        """How the call ended, after everything that still came."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                try:
                    message = await self.call.read()
                except grpc.aio.AioRpcError:
                    break
                if not isinstance(message, arena_pb2.ConnectResponse):
                    break
                self.unread.extend(message.frames)
            return await self.call.code(), await self.call.details()

    async def play(self, until: Callable[[Frame], bool]) -> Frame:
        """Answers every prompt legally until a frame is the one that is wanted."""
        while True:
            frame = await self.next(
                "prompt", "ended", "result", "notice", "withdrawn", "seat", "entries"
            )
            if until(frame):
                return frame
            if frame.HasField("prompt"):
                await self.send(answer(frame.prompt))


def answer(prompt: match_pb2.View, **action: int) -> frames_pb2.ClientFrame:
    """An answer; without an action the first one that is legal."""
    if not action:
        if prompt.ask == match_pb2.ASK_BID:
            action = {"bid": prompt.legal_bids[0]}
        else:
            action = {"card": prompt.legal_cards[0]}
    reply = frames_pb2.Answer(
        handle=prompt.handle,
        seq=prompt.seq,
        attempt=prompt.attempt,
        **action,  # type: ignore[arg-type]  # card codes are plain numbers here
    )
    return frames_pb2.ClientFrame(answer=reply)


@asynccontextmanager
async def frame_client(port: int | str, token: str) -> AsyncIterator[FrameClient]:
    """A client of a port of this machine, or of an address."""
    address = port if isinstance(port, str) else f"127.0.0.1:{port}"
    async with grpc.aio.insecure_channel(
        address, options=[("grpc.use_local_subchannel_pool", 1)]
    ) as channel:
        client = FrameClient(channel, token)
        yield client
        client.call.cancel()
