"""Load on the bare echo: streams that send a message when the last is answered."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import grpc

from benchmarks import echo_messages
from benchmarks.rounds import Done
from ohhell.v1.tables_pb2 import PlayCardRequest, PlayCardResponse


@dataclass(frozen=True, slots=True)
class Load:
    """Streams on connections, and requests in each message."""

    streams: int
    connections: int
    batch: int


async def run(port: int, load: Load, requests: int) -> Done:
    """Have about so many requests answered, the same number on every stream."""
    messages = max(1, requests // (load.streams * load.batch))
    channels = _channels(port, load.connections)
    try:
        seconds = await asyncio.gather(
            *(
                _exchange(channels[stream % load.connections], load.batch, messages)
                for stream in range(load.streams)
            )
        )
    finally:
        for channel in channels:
            await channel.close()
    return Done(
        load.streams * messages * load.batch,
        load.batch,
        [took for stream in seconds for took in stream],
    )


def _channels(port: int, connections: int) -> list[grpc.aio.Channel]:
    return [
        grpc.aio.insecure_channel(
            f"127.0.0.1:{port}", options=[("grpc.use_local_subchannel_pool", 1)]
        )
        for _ in range(connections)
    ]


def _open(channel: grpc.aio.Channel) -> Any:  # noqa: ANN401  (a call of grpc.aio)
    return channel.stream_stream(
        echo_messages.METHOD,
        request_serializer=echo_messages.Requests.SerializeToString,
        response_deserializer=echo_messages.Replies.FromString,
    )()


async def _exchange(
    channel: grpc.aio.Channel, batch: int, messages: int
) -> list[float]:
    call = _open(channel)
    seconds = []
    for _ in range(messages):
        request = echo_messages.requests(batch)
        begun = perf_counter()
        await call.write(request)
        reply: Any = await call.read()
        seconds.append(perf_counter() - begun)
        if len(reply.items) != batch:
            raise RuntimeError(f"{len(reply.items)} replies to {batch} requests")
    await call.done_writing()
    return seconds


async def run_unary(port: int, in_flight: int, calls: int) -> Done:
    """Make ``calls`` unary calls from each of ``in_flight`` callers."""
    seconds: list[float] = []
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call = channel.unary_unary(
            echo_messages.UNARY_METHOD,
            request_serializer=PlayCardRequest.SerializeToString,
            response_deserializer=PlayCardResponse.FromString,
        )

        async def caller() -> None:
            for _ in range(calls):
                request = echo_messages.move()
                begun = perf_counter()
                await call(request)
                seconds.append(perf_counter() - begun)

        await asyncio.gather(*(caller() for _ in range(in_flight)))
    return Done(in_flight * calls, 1, seconds)


class Idle:
    """Streams that have exchanged one message and stay open."""

    def __init__(self, port: int, connections: int) -> None:
        self._channels = _channels(port, connections)
        self._calls: list[Any] = []

    async def open(self, streams: int) -> None:
        """Open so many more."""
        for number in range(streams):
            call = _open(self._channels[number % len(self._channels)])
            self._calls.append(call)
            await call.write(echo_messages.requests(1))
            await call.read()

    async def close(self) -> None:
        """End all streams."""
        for call in self._calls:
            call.cancel()
        for channel in self._channels:
            await channel.close()
