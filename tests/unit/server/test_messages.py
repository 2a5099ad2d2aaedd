"""What comes in on a stream, and what is counted of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import grpc
import pytest

from ohhell.v1 import arena_pb2, frames_pb2
from server.rpc.messages import Messages, encoder, known
from server.rpc.status import Malformed
from server.rpc.untyped import Untyped
from server.rpc_counts import RpcCounts

Request = arena_pb2.ConnectRequest

HELLO = Request(
    frames=[frames_pb2.ClientFrame(hello=frames_pb2.Hello(revision=1))]
).SerializeToString()
PONG = Request(
    frames=[frames_pb2.ClientFrame(pong=frames_pb2.Pong(nonce=7))]
).SerializeToString()
UNKNOWN = b"\xfa\xff\x01\x03abc"
"""A field with a number that no message has."""
GARBAGE = b"\xff\xff\xff"
NOT_UTF8 = b"\x0a\x07\x0a\x05\x2a\x03\xff\xfe\xfd"
"""A hello whose instance id is no text."""


def counts() -> RpcCounts:
    return RpcCounts("bidi_stream", "ohhell.v1.ArenaService", "Connect")


def messages(
    *sent: bytes, counts: RpcCounts | None = None, lingers_s: float = 0.0
) -> Messages:
    """What gRPC reads: these, and then that there are no more."""
    waiting: Iterator[Untyped] = iter([*sent, grpc.aio.EOF])

    async def read() -> Untyped:
        return next(waiting)

    return Messages(read, Request.FromString, counts, lingers_s=lingers_s)


async def test_messages_come_decoded_and_in_order() -> None:
    counted = counts()
    came = [message async for message in messages(HELLO, PONG, counts=counted)]
    assert [message.SerializeToString() for message in came] == [HELLO, PONG]
    assert (counted.received, counted.unknown) == (2, 0)


async def test_an_empty_message_is_a_message() -> None:
    counted = counts()
    came = [message async for message in messages(b"", b"", counts=counted)]
    assert came == [Request(), Request()]
    assert (counted.received, counted.unknown) == (2, 0)


@pytest.mark.parametrize("no_message", [GARBAGE, NOT_UTF8], ids=["bytes", "text"])
@pytest.mark.parametrize("is_counted", [True, False])
async def test_after_what_is_no_message_the_next_one_is_read(
    no_message: bytes, is_counted: bool
) -> None:
    counted = counts()
    stream = messages(
        no_message, HELLO, no_message, PONG, counts=counted if is_counted else None
    )
    came: list[bytes] = []
    for _ in range(2):
        with pytest.raises(Malformed):
            await anext(stream)
        came.append((await anext(stream)).SerializeToString())
    assert came == [HELLO, PONG]
    with pytest.raises(StopAsyncIteration):
        await anext(stream)
    assert counted.received == (4 if is_counted else 0)


async def test_unknown_fields_are_looked_for_in_the_first_message_only() -> None:
    counted = counts()
    stream = messages(HELLO + UNKNOWN, PONG + UNKNOWN, counts=counted)
    first, second = [message async for message in stream]
    assert first.SerializeToString() == HELLO
    assert second.SerializeToString() == PONG + UNKNOWN
    assert (counted.received, counted.unknown) == (2, 1)


async def test_a_first_message_that_is_none_was_the_first_all_the_same() -> None:
    counted = counts()
    stream = messages(GARBAGE, HELLO + UNKNOWN, counts=counted)
    with pytest.raises(Malformed):
        await anext(stream)
    await anext(stream)
    assert counted.unknown == 0


def test_a_message_that_is_longer_than_it_need_be_has_no_unknown_fields() -> None:
    counted = counts()
    long_one = b"\x12\x84\x80\x00" + b"\x08\x87\x80\x00"
    ping = known(long_one, frames_pb2.ClientFrame.FromString, counted)
    assert ping.ByteSize() < len(long_one)
    assert counted.unknown == 0


async def test_the_end_is_told_only_after_a_while_to_who_wants_that() -> None:
    at_once, later = messages(), messages(lingers_s=3_600.0)
    with pytest.raises(StopIteration):
        at_once.linger().__await__().send(None)
    with pytest.raises(StopAsyncIteration):
        await anext(at_once)
    end = asyncio.ensure_future(anext(later))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not end.done()
    end.cancel()
    with pytest.raises(asyncio.CancelledError):
        await end


def test_what_is_sent_is_counted_whether_it_is_bytes_already_or_not() -> None:
    counted = counts()
    encoded = encoder(counted)
    assert encoded(PONG) is PONG
    assert encoded(Request.FromString(HELLO)) == HELLO
    assert encoded(Request()) == b""
    assert counted.sent == 3
