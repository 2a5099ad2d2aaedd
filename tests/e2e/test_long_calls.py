"""Single calls without a deadline of their own end at the service's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc

from ohhell.v1 import (
    tables_pb2,
    tournaments_pb2,
    tournaments_pb2_grpc,
)
from server.rpc.serving import Addition
from server.rpc.untyped import Untyped
from tests.doubles.served import Served, serving
from tests.doubles.serving import refused

NAME = tournaments_pb2.DESCRIPTOR.services_by_name["TournamentService"].full_name


class Slow:
    """Answers nobody before it may."""

    def __init__(self) -> None:
        self.may = asyncio.Event()

    async def answer(
        self, _request: tournaments_pb2.ListTournamentsRequest, _context: Untyped
    ) -> tournaments_pb2.ListTournamentsResponse:
        await self.may.wait()
        return tournaments_pb2.ListTournamentsResponse()

    def add(self, server: grpc.aio.Server) -> None:
        method = grpc.unary_unary_rpc_method_handler(
            self.answer,
            request_deserializer=tournaments_pb2.ListTournamentsRequest.FromString,
            response_serializer=tournaments_pb2.ListTournamentsResponse.SerializeToString,
        )
        methods = {"ListTournaments": method}
        handler = grpc.method_handlers_generic_handler(NAME, methods)
        server.add_generic_rpc_handlers([handler])


@asynccontextmanager
async def slow_service(
    folder: Path,
) -> AsyncIterator[
    tuple[Slow, Served, tournaments_pb2_grpc.TournamentServiceAsyncStub]
]:
    slow = Slow()
    additions = [Addition(NAME, slow.add)]
    async with serving(folder, additions=additions, call_ms=200) as served:
        yield slow, served, tournaments_pb2_grpc.TournamentServiceStub(served.channel)


async def test_a_call_without_a_deadline_is_ended_and_no_other(tmp_path: Path) -> None:
    request = tournaments_pb2.ListTournamentsRequest()
    async with slow_service(tmp_path) as (slow, served, stub):
        patient = asyncio.ensure_future(stub.ListTournaments(request, timeout=60))
        created = await served.create(house_bots=["lowest"])
        ada, token = await served.join(created.table.table)
        bob, other = await served.join(created.table.table)
        look = tables_pb2.GetViewRequest(
            table=created.table.table, seat=ada, wait_ms=60_000
        )
        seen = (await served.tables.GetView(look, metadata=token)).view
        if seen.ask:
            # It is the other's turn that is waited for.
            look.seat, token = bob, other
        waiting = asyncio.ensure_future(served.tables.GetView(look, metadata=token))
        for _ in range(2):
            refusal = await refused(stub.ListTournaments(request))
            assert refusal.code is grpc.StatusCode.DEADLINE_EXCEEDED
            assert refusal.reason == "TOOK_TOO_LONG"
        assert not patient.done()
        assert not waiting.done()
        slow.may.set()
        await patient
        await stub.ListTournaments(request)
        assert len(served.service.host.calls) == 1
        waiting.cancel()
