"""A call ends once, whenever its caller hangs up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc

from ohhell.v1 import tables_pb2
from server.calls import Calls
from server.clock import monotonic
from server.host import Host
from server.metrics import Metrics
from server.rpc.call_log import CallLog
from server.rpc.gate import Callers, Gate
from server.rpc.methods import TABLES
from server.rpc.pace import Pace
from server.rpc.untyped import Untyped
from tests.doubles.patience import PATIENCE_S

PATH = f"/{TABLES}/GetView"


class Asked:
    """Whether a caller may call at all: nobody has said so yet."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.left = asyncio.Event()

    async def __call__(self, _context: Untyped) -> None:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.left.set()


WRITES = 200


class Endless:
    """Answers without an end: who reads none of it keeps it waiting."""

    def __init__(self) -> None:
        self.left = asyncio.Event()
        self._calls = 0

    async def __call__(self, _request: Untyped, context: Untyped) -> None:
        try:
            while True:
                await context.write(bytes(100_000))
        finally:
            self._calls += 1
            if self._calls == WRITES:
                self.left.set()


async def nobody_is_asked(_context: Untyped) -> None:
    """Everybody may call."""


async def never(_request: Untyped, _context: Untyped) -> None:
    raise AssertionError("garbage has come through")


def gate_to(
    metrics: Metrics, calls: Calls, knows: Callable[[Untyped], Awaitable[None]]
) -> Gate:
    return Gate(
        metrics,
        Callers({TABLES: knows}, name_of=lambda _context: "guest"),
        calls,
        waits={},
        always=(),
        log=CallLog(()),
        pace=Pace(Host()),
    )


@asynccontextmanager
async def served(
    gate: Gate, name: str, method: grpc.RpcMethodHandler[Untyped, Untyped]
) -> AsyncIterator[tuple[grpc.aio.Channel, grpc.aio.Server]]:
    """A server with this method behind the gate, and a connection to it."""
    gate.add([grpc.method_handlers_generic_handler(TABLES, {name: method})])
    server = grpc.aio.server(handlers=(gate,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with (
        asyncio.timeout(PATIENCE_S),
        grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        yield channel, server


async def test_who_sends_garbage_and_hangs_up_is_no_call_in_flight() -> None:
    metrics, asked = Metrics(), Asked()
    calls = Calls(monotonic, longest_s=PATIENCE_S, most=lambda: 1)
    gate = gate_to(metrics, calls, asked)
    method: grpc.RpcMethodHandler[Untyped, Untyped]
    method = grpc.unary_unary_rpc_method_handler(
        never, request_deserializer=tables_pb2.GetViewRequest.FromString
    )
    async with served(gate, "GetView", method) as (channel, server):
        garbage: Untyped = channel.unary_unary(PATH)
        call = garbage(b"\xff")
        await asked.begun.wait()
        assert len(calls) == 1
        call.cancel()
        await asked.left.wait()
        # The call is over when the server is.
        await server.stop(None)
    assert len(calls) == 0
    counts = metrics.rpc("unary", TABLES, "GetView")
    assert (counts.active, counts.codes) == (0, {"CANCELLED": 1})


async def test_who_hangs_up_while_it_is_written_to_is_no_mistake_of_ours() -> None:
    metrics, endless = Metrics(), Endless()
    calls = Calls(monotonic, longest_s=PATIENCE_S, most=lambda: 1)
    gate = gate_to(metrics, calls, nobody_is_asked)
    method: grpc.RpcMethodHandler[Untyped, Untyped]
    method = grpc.unary_stream_rpc_method_handler(
        endless, request_deserializer=tables_pb2.WatchTableRequest.FromString
    )
    async with served(gate, "WatchTable", method) as (channel, server):
        watch: Untyped = channel.unary_stream(f"/{TABLES}/WatchTable")
        watches = [watch(b"") for _ in range(WRITES)]
        for call in watches:
            await call.read()
        for call in watches:
            call.cancel()
        await endless.left.wait()
        await server.stop(None)
    counts = metrics.rpc("server_stream", TABLES, "WatchTable")
    assert (counts.active, counts.codes) == (0, {"CANCELLED": WRITES})
