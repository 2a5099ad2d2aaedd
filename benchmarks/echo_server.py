"""The peer: a grpc.aio server that does nothing but build a reply for each request.

``python -m benchmarks.echo_server`` prints its port and an empty line,
and serves until its input ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc

from benchmarks import echo_messages, processes
from ohhell.v1.tables_pb2 import PlayCardRequest, PlayCardResponse


async def _stream(incoming: AsyncIterator[Any], _context: object) -> AsyncIterator[Any]:
    async for message in incoming:
        yield echo_messages.replies(message)


async def _call(message: Any, _context: object) -> Any:  # noqa: ANN401
    return echo_messages.moved(message)


async def _serve() -> None:
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    handlers = {
        "Stream": grpc.stream_stream_rpc_method_handler(
            _stream,
            request_deserializer=echo_messages.Requests.FromString,
            response_serializer=echo_messages.Replies.SerializeToString,
        ),
        "Call": grpc.unary_unary_rpc_method_handler(
            _call,
            request_deserializer=PlayCardRequest.FromString,
            response_serializer=PlayCardResponse.SerializeToString,
        ),
    }
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("ohhell.bench.Echo", handlers),)
    )
    await processes.serve(server)


if __name__ == "__main__":
    asyncio.run(_serve())
