"""The peer under hostile load: a bare grpc.aio server with methods of the service.

What is wrong it refuses as gRPC does by itself, or with one word; what is right it
answers with a constant. `python -m benchmarks.bare` prints its port and an empty line,
and serves until its input ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, TypeAlias

import grpc

from benchmarks import echo_messages, processes
from ohhell.v1 import arena_pb2, tables_pb2
from server.limits import Limits
from server.patience import Patience

Message: TypeAlias = Any
Context: TypeAlias = Any
HELLO_S = Patience().hello_ms / 1000
LIMIT = ("grpc.max_receive_message_length", Limits().request_bytes)
TABLE = "t-0123456789ab"


class Tables:
    """One table that everybody moves at."""

    def __init__(self) -> None:
        self._moved = asyncio.Condition()

    async def create(self, _request: Message, _context: Context) -> Message:
        return tables_pb2.CreateTableResponse()

    async def list(self, _request: Message, context: Context) -> Message:
        """Refuses all tokens."""
        if any(name == "authorization" for name, _ in context.invocation_metadata()):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "no")
        response = tables_pb2.ListTablesResponse()
        response.tables.add(table=TABLE)
        return response

    async def view(self, _request: Message, _context: Context) -> Message:
        return tables_pb2.GetViewResponse()

    async def play(self, request: Message, _context: Context) -> Message:
        async with self._moved:
            self._moved.notify_all()
        return echo_messages.moved(request)

    async def watch(
        self, _request: Message, _context: Context
    ) -> AsyncIterator[Message]:
        while True:
            async with self._moved:
                await self._moved.wait()
            yield tables_pb2.WatchTableResponse()

    def handlers(self) -> grpc.GenericRpcHandler:
        """Under the names that the service has for them."""
        unary = grpc.unary_unary_rpc_method_handler
        methods: dict[str, grpc.RpcMethodHandler[Message, Message]] = {
            "CreateTable": unary(
                self.create,
                tables_pb2.CreateTableRequest.FromString,
                tables_pb2.CreateTableResponse.SerializeToString,
            ),
            "ListTables": unary(
                self.list,
                tables_pb2.ListTablesRequest.FromString,
                tables_pb2.ListTablesResponse.SerializeToString,
            ),
            "GetView": unary(
                self.view,
                tables_pb2.GetViewRequest.FromString,
                tables_pb2.GetViewResponse.SerializeToString,
            ),
            "PlayCard": unary(
                self.play,
                tables_pb2.PlayCardRequest.FromString,
                tables_pb2.PlayCardResponse.SerializeToString,
            ),
            "WatchTable": grpc.unary_stream_rpc_method_handler(
                self.watch,
                tables_pb2.WatchTableRequest.FromString,
                tables_pb2.WatchTableResponse.SerializeToString,
            ),
        }
        return grpc.method_handlers_generic_handler("ohhell.v1.TableService", methods)


async def _connect(requests: Any, context: Context) -> None:  # noqa: ANN401
    """Reads all that comes, and answers nothing."""
    try:
        async with asyncio.timeout(HELLO_S):
            await anext(requests)
    except (TimeoutError, StopAsyncIteration):
        await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "no hello")
    await context.write(arena_pb2.ConnectResponse())
    async for _ in requests:
        """The next one."""


async def _serve() -> None:
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0), LIMIT])
    connect = grpc.stream_stream_rpc_method_handler(
        _connect,
        arena_pb2.ConnectRequest.FromString,
        arena_pb2.ConnectResponse.SerializeToString,
    )
    server.add_generic_rpc_handlers(
        (
            Tables().handlers(),
            grpc.method_handlers_generic_handler(
                "ohhell.v1.ArenaService", {"Connect": connect}
            ),
        )
    )
    await processes.serve(server)


if __name__ == "__main__":
    asyncio.run(_serve())
