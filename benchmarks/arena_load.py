"""Load on the arena: bots that answer every prompt with the first legal action.

They speak raw frames: what is measured is the service, and a library would only make
the client slower.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import grpc

from ohhell.v1 import arena_pb2, arena_pb2_grpc, frames_pb2, match_pb2


@dataclass(frozen=True, slots=True)
class Stream:
    """One stream: the token of its bot and the lane that it plays."""

    token: str
    lane: int


@dataclass(slots=True)
class Tally:
    """What a load has exchanged so far."""

    goal: int
    decisions: int = 0
    messages: int = 0
    reached: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, decisions: int) -> None:
        """Count one message with so many prompts."""
        self.decisions += decisions
        self.messages += 1
        if self.decisions >= self.goal:
            self.reached.set()

    @property
    def mean_batch(self) -> float:
        """Prompts in a message, on average."""
        return self.decisions / max(1, self.messages)


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
        self._tasks = [
            asyncio.create_task(
                self._play(self._channels[number % connections], stream, number)
            )
            for number, stream in enumerate(streams)
        ]

    async def decide(self, goal: int, *, timeout_s: float) -> Tally:
        """Play until ``goal`` more decisions were answered.

        Raises TimeoutError when the service stops asking, and what a stream raised: a
        benchmark must not hang.
        """
        self._tally = tally = Tally(goal=goal)
        self._gate.set()
        try:
            await self._reached(tally, timeout_s)
        finally:
            self._gate.clear()
        return tally

    async def _reached(self, tally: Tally, timeout_s: float) -> None:
        reached = asyncio.create_task(tally.reached.wait())
        done, _ = await asyncio.wait(
            (reached, *self._tasks),
            timeout=timeout_s,
            return_when=asyncio.FIRST_COMPLETED,
        )
        reached.cancel()
        for task in done:
            task.result()
        if not done:
            raise TimeoutError(f"{tally.decisions} of {tally.goal} decisions")

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
        call = stub.Connect(metadata=(("authorization", f"Bearer {stream.token}"),))
        hello = frames_pb2.Hello(
            revision=1,
            min_revision=1,
            software="bench",
            instance_id=f"bench-{number}",
            lane=stream.lane,
            workers=4096,
        )
        await call.write(
            arena_pb2.ConnectRequest(frames=[frames_pb2.ClientFrame(hello=hello)])
        )
        while True:
            message: Any = await call.read()
            if message is grpc.aio.EOF:
                raise RuntimeError(f"the service ended stream {number}")
            reply, prompts = reply_to(message)
            if prompts:
                await self._gate.wait()
            if reply.frames:
                await call.write(reply)
            if prompts:
                self._tally.add(prompts)


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
