"""How a stream ends while what it writes is not taken."""

from __future__ import annotations

import asyncio

import pytest

from ohhell.v1 import arena_pb2, frames_pb2
from server.clock import monotonic
from server.host import Host
from server.players.port import Link
from server.rpc.arena import admit
from server.rpc.messages import Messages
from server.rpc.status import Problem
from server.rpc.stream import Stream
from tests.doubles.patience import PATIENCE_S


class Deaf:
    """Says nothing and takes nothing."""

    def __init__(self) -> None:
        self.is_written_to = asyncio.Event()

    async def read(self) -> bytes:
        await asyncio.Event().wait()
        return b""

    async def write(self, _message: bytes) -> None:
        self.is_written_to.set()
        await asyncio.Event().wait()


async def conversing(deaf: Deaf) -> tuple[Stream, asyncio.Task[None]]:
    """A stream, and the call that it is the whole of; something is being written."""
    hello = frames_pb2.Hello(revision=1, min_revision=1)
    stream = admit(Host(), "anna", hello, Link.DIAL_IN)
    messages = Messages(deaf.read, arena_pb2.ConnectRequest.FromString)
    call = asyncio.create_task(stream.converse(messages, [], deaf.write))
    async with asyncio.timeout(PATIENCE_S):
        await deaf.is_written_to.wait()
    return stream, call


def give_up(stream: Stream) -> None:
    """As where it has taken far too long."""
    stream.wake(monotonic() + 1_000)


async def nothing_is_left(call: asyncio.Task[None]) -> None:
    """Of reader and writer."""
    async with asyncio.timeout(PATIENCE_S):
        others = asyncio.all_tasks() - {call, asyncio.current_task()}
        await asyncio.gather(*others, return_exceptions=True)


async def test_who_takes_nothing_is_told_why_the_stream_ends() -> None:
    stream, call = await conversing(Deaf())
    give_up(stream)
    with pytest.raises(Problem) as caught:
        await call
    assert caught.value.reason == "SLOW_CONSUMER"
    await nothing_is_left(call)


async def test_a_call_that_is_cancelled_while_it_gives_up_writing_is_cancelled() -> (
    None
):
    stream, call = await conversing(Deaf())
    give_up(stream)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await nothing_is_left(call)


async def test_a_call_that_is_cancelled_writes_and_reads_no_more() -> None:
    _, call = await conversing(Deaf())
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await nothing_is_left(call)
