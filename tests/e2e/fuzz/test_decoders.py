"""Random and mutated bytes for every call: refused by name, never a crash."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
from pathlib import Path

import grpc
import pytest
from google.protobuf import message_factory
from google.protobuf.descriptor import (
    Descriptor,
    FieldDescriptor,
    MethodDescriptor,
)

from ohhell.v1 import arena_pb2, frames_pb2, info_pb2, tables_pb2
from server.rpc.untyped import Untyped
from tests.doubles.serving import Metadata, person_at, refusal_of, serving, someone

METHODS = [
    *tables_pb2.DESCRIPTOR.services_by_name["TableService"].methods,
    *info_pb2.DESCRIPTOR.services_by_name["ServerInfoService"].methods,
]
OURS = frozenset(
    {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNAVAILABLE}
)
"""Statuses that would be a mistake of the service."""
EDGES = (0, 1, 2**31 - 1, 2**32 - 1, 2**63 - 1)


def as_it_is(data: bytes) -> bytes:
    return data


def a_message(
    kind: Descriptor, dice: random.Random, table: str, depth: int = 0
) -> Untyped:
    """Fields filled by chance, with numbers at the edges and a table that exists."""
    message: Untyped = message_factory.GetMessageClass(kind)()
    for field in kind.fields:
        if dice.random() < 0.4 or depth > 3:
            continue
        if field.name == "table" and field.type == FieldDescriptor.TYPE_STRING:
            message.table = dice.choice([table, table, "t-0", "../x", ""])
            continue
        for _ in range(dice.randrange(3) if field.is_repeated else 1):
            _fill(message, field, dice, table, depth)
    return message


def _fill(
    message: Untyped, field: Untyped, dice: random.Random, table: str, depth: int
) -> None:
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        if field.message_type.GetOptions().map_entry:
            return
        inner = a_message(field.message_type, dice, table, depth + 1)
        target = getattr(message, field.name)
        (target.add() if field.is_repeated else target).CopyFrom(inner)
        return
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING if field.type == FieldDescriptor.TYPE_BYTES:
            value: Untyped = dice.randbytes(dice.randrange(64))
        case FieldDescriptor.CPPTYPE_STRING:
            value = dice.choice(["", "x", "\u202e", "a" * 300, "pagat_standard"])
        case FieldDescriptor.CPPTYPE_BOOL:
            value = dice.random() < 0.5
        case FieldDescriptor.CPPTYPE_ENUM:
            value = dice.choice([0, 1, 2, 99, 2**31 - 1])
        case FieldDescriptor.CPPTYPE_UINT32:
            value = dice.choice(EDGES[:4])
        case FieldDescriptor.CPPTYPE_INT32:
            value = dice.choice([*EDGES[:3], -1, -(2**31)])
        case _:
            value = dice.choice(EDGES)
    if field.is_repeated:
        getattr(message, field.name).append(value)
    else:
        setattr(message, field.name, value)


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Bits turned, pieces cut out, doubled, or replaced by noise."""
    raw = bytearray(data)
    for _ in range(dice.randrange(4)):
        at = dice.randrange(len(raw) + 1)
        match dice.randrange(4):
            case 0 if at < len(raw):
                raw[at] ^= 1 << dice.randrange(8)
            case 1:
                del raw[at : at + dice.randrange(1, 9)]
            case 2:
                raw[at:at] = raw[: dice.randrange(1, 9)]
            case _:
                raw[at:at] = dice.randbytes(dice.randrange(1, 9))
    return bytes(raw)


async def send(
    channel: grpc.aio.Channel, method: MethodDescriptor, data: bytes, token: Metadata
) -> grpc.StatusCode:
    """How it ended; a watch that begins is ended here."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    kind: Untyped = (
        channel.unary_stream if method.server_streaming else channel.unary_unary
    )
    call = kind(path, request_serializer=as_it_is, response_deserializer=as_it_is)
    try:
        if method.server_streaming:
            stream = call(data, metadata=token, timeout=10)
            await stream.read()
            stream.cancel()
        else:
            await call(data, metadata=token, timeout=10)
    except grpc.aio.AioRpcError as error:
        if error.code() is not grpc.StatusCode.DEADLINE_EXCEEDED:
            refusal_of(error)
        return error.code()
    return grpc.StatusCode.OK


async def fuzz(address: str, rounds: int, seed: int) -> set[grpc.StatusCode]:
    dice = random.Random(seed)  # noqa: S311 - a test that can be repeated
    codes = set()
    async with person_at(address) as tables, grpc.aio.insecure_channel(address) as raw:
        anna = await someone(tables)
        for _ in range(rounds):
            for method in METHODS:
                if method.name in {"LeaveTable", "CancelTable", "GetView"}:
                    # These may rightly end the match, or wait.
                    table = "t-0"
                else:
                    table = anna.table
                data = a_message(method.input_type, dice, table).SerializeToString()
                data = dice.choice([data, mutated(data, dice), dice.randbytes(40)])
                code = await send(raw, method, data, dice.choice([anna.token, ()]))
                assert code not in OURS, (method.name, data.hex())
                codes.add(code)
        assert (await anna.play_on()).seq > 0
    return codes


@pytest.mark.parametrize(
    "rounds", [25, pytest.param(600, marks=pytest.mark.slow)], ids=["some", "many"]
)
async def test_no_bytes_are_more_than_a_caller_s_mistake(
    tmp_path: Path, rounds: int
) -> None:
    with serving(tmp_path, limits__refusals_burst=1_000_000) as service:
        codes = await fuzz(service.game, rounds, seed=rounds)
        assert {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.OK} <= codes
        assert service.process.poll() is None
        assert '"unexpected"' not in service.log.read_text()
        assert "Traceback" not in service.log.read_text()


async def test_no_bytes_on_a_stream_are_more_than_a_caller_s_mistake(
    tmp_path: Path,
) -> None:
    dice = random.Random(5)  # noqa: S311 - a test that can be repeated
    with serving(tmp_path) as service:
        async with grpc.aio.insecure_channel(service.game) as channel:
            connect = channel.stream_stream(
                "/ohhell.v1.ArenaService/Connect",
                request_serializer=as_it_is,
                response_deserializer=as_it_is,
            )
            hello = frames_pb2.ClientFrame(hello=frames_pb2.Hello(revision=1))
            greeting = arena_pb2.ConnectRequest(frames=[hello]).SerializeToString()
            for _ in range(40):
                call = connect(timeout=10)
                data = a_message(
                    arena_pb2.ConnectRequest.DESCRIPTOR, dice, "t-0"
                ).SerializeToString()
                await call.write(dice.choice([greeting, greeting, data]))
                for _ in range(6):
                    try:
                        await call.write(mutated(data, dice))
                    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                        break
                # Who writes while the other end is just ending is told nonsense by
                # gRPC: how it ended is read where it was ended.
                with contextlib.suppress(
                    grpc.aio.AioRpcError, asyncio.InvalidStateError
                ):
                    await call.done_writing()
                    while await call.read() is not grpc.aio.EOF:
                        pass
        _, metrics = service.http("/metrics")
        ended = set(re.findall(r'handled_total\{grpc_code="(\w+)".*Connect', metrics))
        assert "INVALID_ARGUMENT" in ended
        assert not ended & {code.name for code in OURS}
        assert service.process.poll() is None
        assert '"unexpected"' not in service.log.read_text()
