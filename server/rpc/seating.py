"""Opening tables and taking seats at them, by calls that may be repeated."""

from __future__ import annotations

from grpc import StatusCode

from engine.rules import Rules
from ohhell.v1 import tables_pb2
from server.host import Host
from server.lobby import Lobby, tickets_of
from server.receipt import Receipt
from server.registry import Holder
from server.rpc import wire
from server.rpc.admission import Admission
from server.rpc.repeats import Call, Repeats
from server.rpc.status import Problem, problem_of_reason
from server.rpc.table_message import write_table
from server.served import LobbyTable, Opening
from server.tokens import SEAT_TOKEN, secret_hash


class Seating:
    """Has each call its effect once, and the same answer each time."""

    def __init__(self, host: Host, lobby: Lobby, admission: Admission) -> None:
        self._keeper = host.keeper
        self._lobby = lobby
        self._admission = admission
        self._created: Repeats[tables_pb2.CreateTableResponse]
        self._created = Repeats("CreateTable", host)
        self._joined: Repeats[tables_pb2.JoinTableResponse]
        self._joined = Repeats("JoinTable", host)

    async def create(
        self, request: tables_pb2.CreateTableRequest, caller: str
    ) -> tables_pb2.CreateTableResponse:
        """A table with its tickets."""
        async with self._created.turn(caller, request) as call:
            if call.answer is None:
                call.answer = await self._create(request, caller, call)
            await self._keeper.committed()
            return call.answer

    async def join(
        self, request: tables_pb2.JoinTableRequest, joiner: Holder
    ) -> tables_pb2.JoinTableResponse:
        """A seat, with its token where it is a person's."""
        async with self._joined.turn(_who(joiner, request.ticket), request) as call:
            if call.answer is None:
                call.answer = await self._join(request, joiner, call)
            await self._keeper.committed()
            return call.answer

    async def _create(
        self,
        request: tables_pb2.CreateTableRequest,
        caller: str,
        call: Call[tables_pb2.CreateTableResponse],
    ) -> tables_pb2.CreateTableResponse:
        if call.before is not None:
            table = await self._table_of(call.before)
            house_bots = len(request.house_bots)
            tickets = tickets_of(request.players, house_bots, call.mint)
        else:
            wanted = self._opening(request, caller)
            table, tickets = self._lobby.create(
                wanted, mint=call.mint, receipt=call.receipt
            )
        response = tables_pb2.CreateTableResponse(tickets=tickets)
        write_table(response.table, table)
        return response

    def _opening(self, request: tables_pb2.CreateTableRequest, caller: str) -> Opening:
        rules, overrides = _rules_of(request)
        return Opening(
            rules=rules,
            preset=request.rules.preset,
            overrides=overrides,
            players=request.players,
            display_name=request.display_name,
            house_bots=tuple(request.house_bots),
            clock=wire.clock_of(request.clock),
            amendments=(request.amendments if request.HasField("amendments") else None),
            spectators=self._admission.spectators(request.spectators),
            seed=request.seed if request.HasField("seed") else None,
            owner=caller,
        )

    async def _join(
        self,
        request: tables_pb2.JoinTableRequest,
        joiner: Holder,
        call: Call[tables_pb2.JoinTableResponse],
    ) -> tables_pb2.JoinTableResponse:
        before = call.before
        if before is not None and before.seat is not None:
            table, seat = await self._table_of(before), before.seat
            token = call.mint(SEAT_TOKEN) if joiner.is_guest else ""
        else:
            table = await self._admission.joinable(request, joiner)
            seat, token = self._lobby.join(
                table,
                seat=request.seat if request.HasField("seat") else None,
                name=request.display_name,
                ticket=request.ticket,
                bot=None if joiner.is_guest else joiner.bot,
                mint=call.mint,
                receipt=call.receipt,
            )
        response = tables_pb2.JoinTableResponse(seat_token=token)
        wire.write_seat(response.seat, table.setup, seat, handle=0, with_rules=True)
        return response

    async def _table_of(self, receipt: Receipt) -> LobbyTable:
        """What an earlier call was about; Problem where that is no more."""
        table = await self._lobby.find(receipt.table)
        if table is None:
            raise Problem(
                StatusCode.NOT_FOUND,
                "TABLE_NOT_FOUND",
                "the table of this request is there no more",
            )
        return table


def _who(joiner: Holder, ticket: str) -> str:
    """Whose request ids they are; guests who have a ticket are not one another."""
    if joiner.is_guest and ticket:
        return f"ticket {secret_hash(ticket).hex()}"
    return joiner.bot


def _rules_of(
    request: tables_pb2.CreateTableRequest,
) -> tuple[Rules, dict[str, object]]:
    try:
        overrides = dict(wire.overrides_of(request.rules))
    except ValueError as error:
        raise problem_of_reason("BAD_CONFIG", str(error)) from None
    rules = Rules.of(request.rules.preset, overrides, players=request.players)
    return rules, overrides
