"""Messages as they come in and go out: bytes on the one side, decoded on the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import grpc
from google.protobuf.message import DecodeError

from server.rpc.status import Malformed
from server.rpc.untyped import Untyped
from server.rpc_counts import RpcCounts


class Messages:
    """What comes in on a stream; goes on after `Malformed`.

    Who is in a hurry calls `read` and `decoded`: that is what iterating does, without
    one more coroutine for each message.
    """

    def __init__(
        self,
        read: Callable[[], Awaitable[Untyped]],
        decode: Callable[[bytes], Untyped],
        counts: RpcCounts | None = None,
        *,
        lingers_s: float = 0.0,
    ) -> None:
        """Iterating goes on for `lingers_s` seconds after the last one."""
        self.read = read
        """The bytes of the next; `grpc.aio.EOF` after the last."""
        self._decode = decode
        self._counts = counts
        self._lingers_s = lingers_s
        self._is_first = counts is not None

    def __aiter__(self) -> Messages:
        return self

    async def __anext__(self) -> Untyped:
        data = await self.read()
        if data is grpc.aio.EOF:
            await self.linger()
            raise StopAsyncIteration
        return self.decoded(data)

    async def linger(self) -> None:
        """Waits after the last message, where that is wanted."""
        if self._lingers_s:
            await asyncio.sleep(self._lingers_s)

    def decoded(self, data: bytes) -> Untyped:
        """The message that these bytes are; Malformed."""
        counts = self._counts
        try:
            if counts is None:
                return self._decode(data)
            counts.received += 1
            if self._is_first:
                # It tells what its sender knows; the others are not looked at.
                self._is_first = False
                return known(data, self._decode, counts)
            return self._decode(data)
        except (DecodeError, UnicodeDecodeError):
            raise Malformed from None


def known(
    data: bytes, decode: Callable[[bytes], Untyped], counts: RpcCounts
) -> Untyped:
    """The message, without fields that are not known here: that there were is counted.

    It could be longer than it need be for another reason, which is seldom.
    """
    message = decode(data)
    message.DiscardUnknownFields()
    if (size := message.ByteSize()) != len(data) and decode(data).ByteSize() != size:
        counts.unknown += 1
    return message


def encoder(counts: RpcCounts) -> Callable[[Untyped], bytes]:
    """What every message passes once, however its method sends it."""

    def encoded(message: Untyped) -> bytes:
        counts.sent += 1
        if type(message) is bytes:
            # Hot messages come as bytes already.
            return message
        return bytes(message.SerializeToString())

    return encoded
