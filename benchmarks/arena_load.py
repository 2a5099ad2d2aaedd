"""Load on the arena: bots that answer every prompt with the first legal action.

They speak raw frames: what is measured is the service, and a library would only make
the client slower.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import grpc

from benchmarks.processes import ServerProcess
from benchmarks.rounds import Done
from ohhell.v1 import arena_pb2, arena_pb2_grpc, frames_pb2, match_pb2

_OPENING_AT_ONCE = 64
"""Streams: the service waits for a first message only so long."""


@dataclass(frozen=True, slots=True)
class Stream:
    """One stream: the token of its bot and the lane that it plays."""

    token: str
    lane: int


def streams_of(server: ServerProcess) -> list[Stream]:
    """Bots that the server has registered."""
    return [Stream(token, int(lane)) for token, lane in map(str.split, server.lines)]


@dataclass(slots=True)
class Tally:
    """What a load has exchanged so far."""

    goal: int
    decisions: int = 0
    messages: int = 0
    seconds: list[float] = field(default_factory=list)
    """From sending an answer to reading the next prompt of its table."""
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, decisions: int) -> None:
        """Count one message with so many prompts."""
        self.decisions += decisions
        self.messages += 1
        if self.decisions >= self.goal:
            self.reached.set()

    def done(self) -> Done:
        """Give the figures of a round."""
        batch = self.decisions / max(1, self.messages)
        return Done(self.decisions, batch, self.seconds)


class Bots:
    """Streams that stay connected while several rounds are measured."""

    def __init__(self, port: int, streams: list[Stream], *, connections: int) -> None:
        self._channels = [
            grpc.aio.insecure_channel(
                f"127.0.0.1:{port}", options=[("grpc.use_local_subchannel_pool", 1)]
            )
            for _ in range(connections)
        ]
        self._tally = Tally(goal=0)
        # Closed between rounds: nothing is answered while another case is measured.
        self._gate = asyncio.Event()
        self._answered_at: dict[str, float] = {}
        """When a table was sent its last answer."""
        self._opening = asyncio.Semaphore(_OPENING_AT_ONCE)
        self._unheard = len(streams)
        self._all_heard = asyncio.Event()
        self._tasks = [
            asyncio.create_task(
                self._play(self._channels[number % connections], stream, number)
            )
            for number, stream in enumerate(streams)
        ]

    async def connected(self, *, timeout_s: float) -> None:
        """Wait until every stream was welcomed.

        Raises as `decide` does.
        """
        if not await self._until(self._all_heard, timeout_s):
            raise TimeoutError(f"{self._unheard} streams are not welcomed")

    async def decide(self, goal: int, *, timeout_s: float) -> Tally:
        """Play until ``goal`` more decisions were answered.

        Raises TimeoutError when the service stops asking, and what a stream raised: a
        benchmark must not hang.
        """
        self._tally = tally = Tally(goal=goal)
        self._answered_at.clear()
        self._gate.set()
        try:
            if not await self._until(tally.reached, timeout_s):
                raise TimeoutError(f"{tally.decisions} of {goal} decisions")
        finally:
            self._gate.clear()
        return tally

    async def _until(self, event: asyncio.Event, timeout_s: float) -> bool:
        """Whether it came in time; raises what a stream raised."""
        coming = asyncio.create_task(event.wait())
        done, _ = await asyncio.wait(
            (coming, *self._tasks),
            timeout=timeout_s,
            return_when=asyncio.FIRST_COMPLETED,
        )
        coming.cancel()
        for task in done:
            task.result()
        return bool(done)

    async def close(self) -> None:
        """End all streams."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for channel in self._channels:
            await channel.close()

    async def _play(
        self, channel: grpc.aio.Channel, stream: Stream, number: int
    ) -> None:
        stub = arena_pb2_grpc.ArenaServiceStub(channel)
        token = (("authorization", f"Bearer {stream.token}"),)
        async with self._opening:
            call = stub.Connect(metadata=token)
            await call.write(hello(stream, number))
            message: Any = await call.read()
        self._unheard -= 1
        if not self._unheard:
            self._all_heard.set()
        table_of: dict[int, str] = {}
        while True:
            if message is grpc.aio.EOF:
                raise RuntimeError(f"the service ended stream {number}")
            read_at = perf_counter()
            reply, prompts = reply_to(message)
            self._read(message, table_of, read_at)
            if prompts:
                await self._gate.wait()
            if reply.frames:
                await call.write(reply)
            if prompts:
                sent_at = perf_counter()
                for frame in reply.frames:
                    if handle := frame.answer.handle:
                        self._answered_at[table_of[handle]] = sent_at
                self._tally.add(prompts)
            message = await call.read()

    def _read(
        self,
        message: arena_pb2.ConnectResponse,
        table_of: dict[int, str],
        read_at: float,
    ) -> None:
        """Note how long tables took to ask again, and which tables there are."""
        answered_at = self._answered_at
        for frame in message.frames:
            handle = frame.prompt.handle
            if handle:
                answered = answered_at.get(table_of[handle])
                if answered is not None:
                    self._tally.seconds.append(read_at - answered)
            elif frame.HasField("seat"):
                table_of[frame.seat.handle] = frame.seat.table


def hello(stream: Stream, number: int) -> arena_pb2.ConnectRequest:
    """The first message of a bot that may be asked as much as there is."""
    first = frames_pb2.Hello(
        revision=1,
        min_revision=1,
        software="bench",
        instance_id=f"bench-{number}",
        lane=stream.lane,
        workers=4096,
    )
    return arena_pb2.ConnectRequest(frames=[frames_pb2.ClientFrame(hello=first)])


def reply_to(
    message: arena_pb2.ConnectResponse,
) -> tuple[arena_pb2.ConnectRequest, int]:
    """The reply of a bot that takes the first legal action, and how many it took."""
    reply = arena_pb2.ConnectRequest()
    prompts = 0
    for frame in message.frames:
        kind = frame.WhichOneof("body")
        if kind == "prompt":
            prompts += 1
            _answer(reply, frame.prompt)
        elif kind == "heartbeat":
            reply.frames.add().pong.nonce = frame.heartbeat.nonce
    return reply, prompts


def _answer(reply: arena_pb2.ConnectRequest, prompt: match_pb2.View) -> None:
    answer = reply.frames.add().answer
    answer.handle = prompt.handle
    answer.seq = prompt.seq
    if prompt.ask == match_pb2.ASK_BID:
        answer.bid = prompt.legal_bids[0]
    else:
        answer.card = prompt.legal_cards[0]
