"""Stands between a bot and the service, and tells every frame that goes through.

Bytes are passed on as they came: what is wrong with them stays wrong.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeAlias

import grpc
from google.protobuf.message import DecodeError

from ohhell.v1 import arena_pb2
from ohhell_bot.route import Route
from ohhell_bot.settings import Settings
from ohhell_bot.trace import Trace

Context: TypeAlias = grpc.aio.ServicerContext[bytes, bytes]
Call: TypeAlias = grpc.aio.StreamStreamCall[bytes, bytes]

_SERVICE: Final = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].full_name
_PASSED_ON: Final = frozenset(["authorization"])


@asynccontextmanager
async def relay(settings: Settings, tell: Callable[[str], None]) -> AsyncIterator[str]:
    """Listens on loopback, for a bot to call there instead; gives the address.

    SettingsError.
    """
    passing = _Passing(settings, tell)
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    connect: grpc.RpcMethodHandler[bytes, bytes]
    connect = grpc.stream_stream_rpc_method_handler(passing.connect)
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler(_SERVICE, {"Connect": connect})]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


class _Passing:
    """One handler call a stream."""

    def __init__(self, settings: Settings, tell: Callable[[str], None]) -> None:
        self._route = Route(settings)
        self._tell = tell

    async def connect(self, requests: AsyncIterator[bytes], context: Context) -> None:
        """Until one end has had enough; the service's status is passed on."""
        metadata = [
            (key, value)
            for key, value in context.invocation_metadata() or ()
            if key in _PASSED_ON
        ]
        trace = Trace()
        async with self._route.channel() as channel:
            call: Call = channel.stream_stream(f"/{_SERVICE}/Connect")(
                metadata=metadata
            )
            up = asyncio.create_task(self._up(requests, call, trace))
            try:
                async for message in call:
                    self._told(message, trace)
                    await context.write(message)
                self._tell("<- end of the stream")
            except grpc.aio.AioRpcError as error:
                self._tell(f"<- end of the stream: {self._route.why(error)}")
                await context.abort(error.code(), error.details() or "")
            finally:
                up.cancel()

    async def _up(
        self, requests: AsyncIterator[bytes], call: Call, trace: Trace
    ) -> None:
        with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            async for message in requests:
                try:
                    for frame in arena_pb2.ConnectRequest.FromString(message).frames:
                        self._tell(f"-> {trace.told_by_bot(frame)}")
                except DecodeError:
                    self._tell(f"-> {len(message)} bytes that are no message")
                await call.write(message)
            self._tell("-> end of the stream")
            await call.done_writing()

    def _told(self, message: bytes, trace: Trace) -> None:
        for frame in arena_pb2.ConnectResponse.FromString(message).frames:
            self._tell(f"<- {trace.told_to_bot(frame)}")
