"""What is too large or no message at all is refused, and costs nobody else anything."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import os
import struct
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from ohhell.v1 import (
    arena_pb2,
    arena_pb2_grpc,
    cards_pb2,
    frames_pb2,
    tables_pb2,
    tables_pb2_grpc,
)
from tests.doubles.frames import frame_client
from tests.doubles.operators import raw_method
from tests.doubles.patience import PATIENCE_S
from tests.doubles.serving import (
    THIRD_WAITS,
    Serving,
    new_table,
    person_at,
    refusal_of,
    refused,
    serving,
    someone,
)

CREATE = "/ohhell.v1.TableService/CreateTable"
CONNECT = "/ohhell.v1.ArenaService/Connect"
LIMIT = 65_536


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("service")) as running:
        yield running


def field(number: int, payload: bytes) -> bytes:
    """A length-delimited field of a message."""
    length, left = b"", len(payload)
    while left > 127:
        length += bytes([left & 127 | 128])
        left >>= 7
    return bytes([number << 3 | 2]) + length + bytes([left]) + payload


def nested(depth: int) -> bytes:
    """Groups in groups, of a field that nobody knows."""
    return b"\x7b" * depth + b"\x7c" * depth


async def sent(channel: grpc.aio.Channel, method: str, raw: bytes) -> None:
    """Bytes of our own making, as a unary call."""
    await raw_method(channel, method)(raw, timeout=PATIENCE_S)


@pytest.mark.parametrize(
    "raw",
    [
        b"\x0a\xff\xff\xff\xff\x0f",  # a length beyond the end
        b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",  # a varint without end
        b"\x0f",  # a wire type that does not exist
        b"\x00\x01",  # field 0
        field(3, b"\xff\xfe"),  # a name that is no UTF-8
        nested(200),
        bytes(range(256)),
        os.urandom(1024) + b"\x0f",
    ],
    ids=["cut", "varint", "wire-type", "field-0", "utf-8", "nested", "run", "random"],
)
async def test_bytes_that_are_no_message_are_called_that(
    service: Serving, raw: bytes
) -> None:
    async with grpc.aio.insecure_channel(service.game) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await sent(channel, CREATE, raw)
    refusal = refusal_of(caught.value)
    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refusal.reason == "MALFORMED_MESSAGE"
    assert refusal.metadata == {}
    assert "Traceback" not in service.log.read_text()


async def test_a_message_over_the_limit_is_refused_and_the_connection_lives(
    service: Serving,
) -> None:
    async with person_at(service.game) as tables:
        anna = await someone(tables)
        large = tables_pb2.CreateTableRequest(display_name="x" * LIMIT)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await tables.CreateTable(large)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert "larger than max" in str(caught.value.details())
        # The same connection, whose other calls go on.
        assert (await anna.turn()).ask


async def test_a_message_of_just_the_limit_is_looked_at(service: Serving) -> None:
    async with person_at(service.game) as tables:
        exact = tables_pb2.CreateTableRequest()
        exact.display_name = "x" * (LIMIT - 4)
        assert exact.ByteSize() == LIMIT
        refusal = await refused(tables.CreateTable(exact))
        assert refusal.reason == "FIELD_INVALID"


async def test_a_small_message_that_unpacks_to_a_large_one_is_refused(
    service: Serving,
) -> None:
    bomb = bytes(1_000_000)
    assert len(gzip.compress(bomb)) < 2_000
    async with grpc.aio.insecure_channel(service.game) as channel:
        call = raw_method(channel, CREATE)(
            bomb, compression=grpc.Compression.Gzip, timeout=PATIENCE_S
        )
        assert await call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await sent(channel, CREATE, b"\x0f")
        assert refusal_of(caught.value).reason == "MALFORMED_MESSAGE"


async def test_a_field_that_is_repeated_ten_thousand_times_is_refused(
    service: Serving,
) -> None:
    async with person_at(service.game) as tables:
        anna = await someone(tables)
        many = tables_pb2.LayBidCardsRequest(table=anna.table)
        many.bid_cards.cards.extend([cards_pb2.CARD_2C] * 10_000)
        refusal = await refused(tables.LayBidCards(many, metadata=anna.token))
        assert refusal.reason == "FIELD_INVALID"
        assert (await anna.turn()).ask


async def test_metadata_without_end_is_refused_before_it_reaches_us(
    service: Serving,
) -> None:
    async with person_at(service.game) as tables:
        heaps = (("x-padding", "x" * 20_000),)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await tables.ListTables(tables_pb2.ListTablesRequest(), metadata=heaps)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert (await new_table(tables)).table.table


async def test_a_batch_of_too_many_frames_is_told_and_the_fifth_ends_the_stream(
    service: Serving,
) -> None:
    port = int(service.game.rpartition(":")[2])
    pong = frames_pb2.ClientFrame(pong=frames_pb2.Pong())
    async with frame_client(port, "") as client:
        client.call.cancel()
        client.call = client._stub.Connect()
        await client.hello()
        for _ in range(4):
            await client.send(*[pong] * 129)
            notice = (await client.next("notice")).notice
            assert notice.reason == "BATCH_TOO_LARGE"
        await client.send(*[pong] * 129)
        code, _ = await client.status()
        assert code is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_stream_goes_on_after_bytes_that_are_no_message(
    service: Serving,
) -> None:
    hello = arena_pb2.ConnectRequest(
        frames=[frames_pb2.ClientFrame(hello=frames_pb2.Hello(revision=1))]
    ).SerializeToString()
    async with grpc.aio.insecure_channel(service.game) as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(CONNECT)(
            timeout=PATIENCE_S
        )

        async def told() -> list[frames_pb2.ServerFrame]:
            message = await call.read()
            assert isinstance(message, bytes)
            return list(arena_pb2.ConnectResponse.FromString(message).frames)

        await call.write(hello)
        assert (await told())[0].HasField("welcome")
        await call.write(b"\x0f")
        assert [frame.notice.reason for frame in await told()] == ["MALFORMED_MESSAGE"]
        await call.done_writing()
        await call.code()


async def test_what_is_no_http2_at_all_costs_nobody_anything(
    service: Serving,
) -> None:
    host, _, port = service.game.rpartition(":")
    preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    endless = struct.pack(">I", 0xFFFFFF)[1:] + b"\x00\x00" + bytes(4)
    for raw in (b"GET / HTTP/1.1\r\n\r\n", os.urandom(512), preface + endless):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(raw)
        async with asyncio.timeout(PATIENCE_S):
            while await reader.read(4096):
                pass
        writer.close()
    async with person_at(service.game) as tables:
        assert (await new_table(tables)).table.table


async def test_garbage_again_and_again_is_told_ever_later(tmp_path: Path) -> None:
    with serving(tmp_path, **THIRD_WAITS) as service:
        async with grpc.aio.insecure_channel(service.game) as channel:
            reasons = [
                (await refused(sent(channel, CREATE, b"\x0f"))).reason for _ in range(4)
            ]
            assert reasons == ["MALFORMED_MESSAGE"] * 2 + ["RATE_LIMITED"] * 2
            # The same connection may go on as if nothing had happened.
            tables = tables_pb2_grpc.TableServiceStub(channel)
            assert (await new_table(tables)).table.table


async def test_a_stream_that_is_not_read_takes_in_no_more_than_a_window(
    tmp_path: Path,
) -> None:
    idle = frames_pb2.ClientFrame(answer=frames_pb2.Answer(handle=9))
    hello = frames_pb2.ClientFrame(hello=frames_pb2.Hello(revision=1))
    flood = arena_pb2.ConnectRequest(frames=[idle] * 100)
    with serving(tmp_path, patience__held_ms=3_000) as service:
        async with grpc.aio.insecure_channel(service.game) as channel:
            stream = arena_pb2_grpc.ArenaServiceStub(channel).Connect()
            await stream.write(arena_pb2.ConnectRequest(frames=[hello]))
            sent_bytes = 0
            with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                while True:
                    await stream.write(flood)
                    sent_bytes += flood.ByteSize()
            assert await stream.code() is not grpc.StatusCode.OK
    # What the service offers, and what the sender keeps by itself.
    assert sent_bytes < 4 * LIMIT
