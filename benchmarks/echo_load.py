"""Load on the bare echo: streams that send a message when the last is answered."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import grpc

from benchmarks import echo_messages


@dataclass(frozen=True, slots=True)
class Load:
    """Streams on connections, and requests in each message."""

    streams: int
    connections: int
    batch: int


async def run(port: int, load: Load, messages: int) -> int:
    """Exchange ``messages`` on every stream; the number of requests answered."""
    channels = [
        grpc.aio.insecure_channel(
            f"127.0.0.1:{port}", options=[("grpc.use_local_subchannel_pool", 1)]
        )
        for _ in range(load.connections)
    ]
    try:
        answered = await asyncio.gather(
            *(
                _exchange(channels[stream % load.connections], load.batch, messages)
                for stream in range(load.streams)
            )
        )
    finally:
        for channel in channels:
            await channel.close()
    return sum(answered)


async def _exchange(channel: grpc.aio.Channel, batch: int, messages: int) -> int:
    call = channel.stream_stream(
        echo_messages.METHOD,
        request_serializer=echo_messages.Requests.SerializeToString,
        response_deserializer=echo_messages.Replies.FromString,
    )()
    answered = 0
    for _ in range(messages):
        await call.write(echo_messages.requests(batch))
        reply: Any = await call.read()
        answered += len(reply.items)
    await call.done_writing()
    return answered


async def run_unary(port: int, in_flight: int, calls: int) -> int:
    """Make ``calls`` unary calls from each of ``in_flight`` callers."""
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call = channel.unary_unary(
            echo_messages.UNARY_METHOD,
            request_serializer=echo_messages.Requests.SerializeToString,
            response_deserializer=echo_messages.Replies.FromString,
        )

        async def caller() -> None:
            for _ in range(calls):
                await call(echo_messages.requests(1))

        await asyncio.gather(*(caller() for _ in range(in_flight)))
    return in_flight * calls
