"""One call between a bot and the service, whoever made it: frames in, frames out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol, TypeAlias

import grpc

from ohhell.v1 import arena_pb2, frames_pb2

Call: TypeAlias = grpc.aio.StreamStreamCall[
    arena_pb2.ConnectRequest, arena_pb2.ConnectResponse
]
Context: TypeAlias = grpc.aio.ServicerContext[
    arena_pb2.PlayRequest, arena_pb2.PlayResponse
]


class LineLost(Exception):
    """The other end is gone."""


class Line(Protocol):
    """What a stream needs of its call."""

    async def read(self) -> Sequence[frames_pb2.ServerFrame] | None:
        """Frames of the next message; None at the end."""

    async def write(self, frames: Sequence[frames_pb2.ClientFrame]) -> None:
        """Sends one message; LineLost where nobody can receive it: reading says why."""

    async def finish(self) -> None:
        """Has said everything, and waits until the other end has, too; LineLost."""

    def cancel(self) -> None:
        """Ends the call at once."""


class DialledIn:
    """A call that the bot made; reading raises `grpc.aio.AioRpcError`."""

    def __init__(self, call: Call) -> None:
        self._call = call

    async def read(self) -> Sequence[frames_pb2.ServerFrame] | None:
        message = await self._call.read()
        if isinstance(message, arena_pb2.ConnectResponse):
            return message.frames
        return None

    async def write(self, frames: Sequence[frames_pb2.ClientFrame]) -> None:
        try:
            await self._call.write(arena_pb2.ConnectRequest(frames=frames))
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
            # The second is what a call says that has ended since it was read.
            raise LineLost(str(error)) from None

    async def finish(self) -> None:
        try:
            await self._call.done_writing()
        except grpc.aio.InternalError as error:
            raise LineLost(str(error)) from None
        await self._call.code()

    def cancel(self) -> None:
        self._call.cancel()


class Dialled:
    """A call that the bot took; it ends when its handler returns."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._ended = asyncio.Event()

    async def read(self) -> Sequence[frames_pb2.ServerFrame] | None:
        try:
            message: object = await self._context.read()
        except (grpc.aio.UsageError, grpc.aio.InternalError) as error:
            raise LineLost(str(error)) from None
        if isinstance(message, arena_pb2.PlayRequest):
            return message.frames
        self._ended.set()
        return None

    async def write(self, frames: Sequence[frames_pb2.ClientFrame]) -> None:
        try:
            await self._context.write(arena_pb2.PlayResponse(frames=frames))
        except (grpc.aio.UsageError, grpc.aio.InternalError) as error:
            raise LineLost(str(error)) from None

    async def finish(self) -> None:
        await self._ended.wait()

    def cancel(self) -> None:
        self._ended.set()
