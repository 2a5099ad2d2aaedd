"""TableService: a match by unary calls and one watch, for any gRPC client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from grpc import StatusCode

from engine.record import record_text
from engine.view import view
from engine.visibility import SPECTATOR, Viewer
from ohhell.v1 import match_pb2, tables_pb2, tables_pb2_grpc
from server.host import Host
from server.lobby import Lobby
from server.looking import public_match
from server.outcome import State
from server.registry import Scope
from server.rpc import cursors, moves, wire
from server.rpc.admission import Admission, Reader, started
from server.rpc.call_watches import CallWatch, Teller
from server.rpc.moves import Moves
from server.rpc.rates import Rates
from server.rpc.seating import Seating
from server.rpc.status import Problem, going_down
from server.rpc.table_message import write_table
from server.rpc.untyped import Untyped
from server.rpc.validate import DEFAULT_PAGE, MAX_PAGE, check
from server.served import LobbyState
from server.table import Table
from server.tokens import SEAT_TOKEN


class TableService(tables_pb2_grpc.TableServiceServicer):
    """Opens tables, seats people, takes their moves."""

    def __init__(self, host: Host, lobby: Lobby) -> None:
        self._host = host
        self._lobby = lobby
        self._admission = Admission(host, lobby)
        clock = host.alarms.clock
        self._clock = clock
        self._moves = Moves(host, self._admission)
        self._teller = Teller(host)
        self._seating = Seating(host, lobby, self._admission)

    # Tables

    async def CreateTable(
        self, request: tables_pb2.CreateTableRequest, context: Untyped
    ) -> tables_pb2.CreateTableResponse:
        caller = self._admission.caller(context, Scope.WRITE).bot
        check(request)
        self._refuse_if_draining()
        self._host.keeper.check()
        return await self._seating.create(request, caller)

    async def GetTable(
        self, request: tables_pb2.GetTableRequest, context: Untyped
    ) -> tables_pb2.GetTableResponse:
        reader = await self._admission.reader(context)
        check(request)
        table = await self._admission.find(request.table, reader)
        response = tables_pb2.GetTableResponse()
        write_table(response.table, table)
        await self._host.keeper.committed()
        return response

    async def ListTables(
        self, request: tables_pb2.ListTablesRequest, context: Untyped
    ) -> tables_pb2.ListTablesResponse:
        caller = (await self._admission.reader(context)).holder
        check(request)
        bound = (caller.bot if caller else SEAT_TOKEN, str(request.state))
        size = min(request.page_size or DEFAULT_PAGE, MAX_PAGE)
        wanted = tables_pb2.TableState.Name(request.state).removeprefix("TABLE_STATE_")
        listed = await self._lobby.newest_first(
            LobbyState(wanted) if request.state else None,
            before=cursors.read(request.page_token, bound, of=int) or 0,
            limit=size + 1,
        )
        response = tables_pb2.ListTablesResponse()
        room = self._host.limits.response_bytes // 2
        for table in listed[:size]:
            row = response.tables.add()
            write_table(row, table)
            room -= row.ByteSize()
            if room < 0:
                break
        shown = len(response.tables)
        if len(listed) > shown:
            response.next_page_token = cursors.written(listed[shown - 1].number, bound)
        await self._host.keeper.committed()
        return response

    async def CancelTable(
        self, request: tables_pb2.CancelTableRequest, context: Untyped
    ) -> tables_pb2.CancelTableResponse:
        caller = self._admission.caller(context, Scope.WRITE)
        check(request)
        table = await self._admission.find(request.table, Reader(caller))
        if table.owner != caller.bot:
            raise Problem(
                StatusCode.PERMISSION_DENIED,
                "NOT_YOUR_TABLE",
                "a table is cancelled by who opened it",
            )
        self._host.keeper.check()
        self._lobby.cancel(table)
        response = tables_pb2.CancelTableResponse()
        write_table(response.table, table)
        await self._host.keeper.committed()
        return response

    # Seats

    async def JoinTable(
        self, request: tables_pb2.JoinTableRequest, context: Untyped
    ) -> tables_pb2.JoinTableResponse:
        joiner = self._admission.joiner(request, context)
        check(request)
        self._refuse_if_draining()
        self._host.keeper.check()
        return await self._seating.join(request, joiner)

    async def LeaveTable(
        self, request: tables_pb2.LeaveTableRequest, context: Untyped
    ) -> tables_pb2.LeaveTableResponse:
        table, seat = await self._admission.seat(request, context)
        check(request)
        self._host.keeper.check()
        self._lobby.leave(table, seat)
        response = tables_pb2.LeaveTableResponse()
        write_table(response.table, table)
        await self._host.keeper.committed()
        return response

    # Moves: their answers come as bytes, which the stubs do not know of

    def PlaceBid(  # type: ignore[override]
        self, request: tables_pb2.PlaceBidRequest, context: Untyped
    ) -> Awaitable[bytes]:
        return self._moves.act(request, context, moves.bid_of)

    def PlayCard(  # type: ignore[override]
        self, request: tables_pb2.PlayCardRequest, context: Untyped
    ) -> Awaitable[bytes]:
        return self._moves.act(request, context, moves.card_of)

    def ChooseTrump(  # type: ignore[override]
        self, request: tables_pb2.ChooseTrumpRequest, context: Untyped
    ) -> Awaitable[bytes]:
        return self._moves.act(request, context, moves.trump_of)

    def LayBidCards(  # type: ignore[override]
        self, request: tables_pb2.LayBidCardsRequest, context: Untyped
    ) -> Awaitable[bytes]:
        return self._moves.act(request, context, moves.laid_of)

    def AmendBid(  # type: ignore[override]
        self, request: tables_pb2.AmendBidRequest, context: Untyped
    ) -> Awaitable[bytes]:
        return self._moves.amend(request, context)

    # Looking

    async def GetView(
        self, request: tables_pb2.GetViewRequest, context: Untyped
    ) -> tables_pb2.GetViewResponse:
        lobby_table, viewer = await self._admission.viewer(request, context)
        check(request)
        table = started(lobby_table)
        if isinstance(viewer, int) and request.wait_ms:
            seat = f"seat:{request.table}/{viewer}"
            with Rates(self._host, context).watching(seat), self._host.calls.waiting():
                await _turn(table, viewer, request.wait_ms / 1000)
        response = tables_pb2.GetViewResponse(view=self._view(table, viewer))
        await self._host.keeper.committed()
        return response

    async def WatchTable(  # type: ignore[override]  # stubs know generators only
        self, request: tables_pb2.WatchTableRequest, context: Untyped
    ) -> None:
        lobby_table, viewer = await self._admission.viewer(request, context)
        check(request)
        table = started(lobby_table)
        last = table.match.seq
        if request.after_seq > last:
            raise Problem(
                StatusCode.OUT_OF_RANGE,
                "SEQ_IN_FUTURE",
                f"the last entry is {last}",
                metadata={"last_seq": last},
            )
        watch = CallWatch(table, viewer, request.after_seq)
        try:
            with self._admission.watching(request, context, watch.end):
                await self._teller.tell(watch, context)
        finally:
            watch.close()

    async def GetRecord(
        self, request: tables_pb2.GetRecordRequest, context: Untyped
    ) -> tables_pb2.GetRecordResponse:
        lobby_table = await self._admission.archive(request, context)
        check(request)
        table = lobby_table.table
        if table is None or table.state is not State.FINISHED:
            raise Problem(
                StatusCode.FAILED_PRECONDITION,
                "TABLE_NOT_FINISHED",
                "a record is there once the match has been played to its end",
            )
        response = tables_pb2.GetRecordResponse(
            text=record_text(table.match, table.setup.players)
        )
        wire.write_record(response.record, table)
        await self._host.keeper.committed()
        return response

    def _refuse_if_draining(self) -> None:
        if self._host.draining:
            raise going_down()

    def _view(self, table: Table, viewer: Viewer) -> match_pb2.View:
        message = match_pb2.View()
        match = public_match(table) if viewer is SPECTATOR else table.match
        seen = view(match, viewer)
        question = table.open[viewer] if isinstance(viewer, int) else None
        if question is not None:
            wire.write_prompt(message, seen, question, self._clock())
        else:
            wire.write_view(message, seen)
        return message


async def _turn(table: Table, seat: int, seconds: float) -> None:
    """Waits until the seat is asked something, the match is over, or time is up.

    Problem where the match goes on elsewhere.
    """
    changed = asyncio.Event()

    def listener(_seq: int) -> None:
        changed.set()

    table.audience.listen(listener)
    try:
        async with asyncio.timeout(seconds):
            while table.open[seat] is None and table.outcome is None:
                if table.state is State.SUSPENDED:
                    raise going_down()
                changed.clear()
                await changed.wait()
    except TimeoutError:
        pass
    finally:
        table.audience.unlisten(listener)
