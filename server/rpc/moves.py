"""Moves by single calls: what they say, and what becomes of them."""

from __future__ import annotations

from collections.abc import Callable

from grpc import StatusCode

from engine.fallback import ChooseTrump, Command, Lay, PlaceBid, PlayCard
from server.decision import Reply
from server.host import Host
from server.outcome import State
from server.rpc import wire
from server.rpc.admission import Admission, started
from server.rpc.prompts import move_response
from server.rpc.status import Problem, going_down, problem_of_reason
from server.rpc.untyped import Untyped
from server.rpc.validate import check
from server.served import LobbyTable
from server.table import Table


class Moves:
    """Takes the moves of seats whose players call."""

    def __init__(self, host: Host, admission: Admission) -> None:
        self._keeper = host.keeper
        self._admission = admission
        self._clock = host.alarms.clock

    async def act(
        self, request: Untyped, context: Untyped, read: Callable[[Untyped], Command]
    ) -> bytes:
        """Reads the command only once it is known who gives it; Problem."""
        at = self._clock()
        lobby_table, seat = await self._admission.seat(request, context, acts=True)
        check(request)
        command = read(request)
        table = _running(lobby_table)
        self._keeper.check()
        if request.HasField("decision"):
            _check_decision(request, seat)
            reply = table.answer(seat, request.decision.seq, 0, command, at)
        else:
            reply = table.answer_now(seat, command, at)
        return await self._told(table, seat, reply)

    async def amend(self, request: Untyped, context: Untyped) -> bytes:
        """Changes a bid; without a decision, as things stand now. Problem."""
        lobby_table, seat = await self._admission.seat(request, context)
        check(request)
        table = _running(lobby_table)
        _check_decision(request, seat)
        self._keeper.check()
        seq = request.decision.seq if request.HasField("decision") else table.match.seq
        reply = table.amend(seat, seq, _present_bid(request))
        return await self._told(table, seat, reply)

    async def _told(self, table: Table, seat: int, reply: Reply) -> bytes:
        # As it is now: by the time that it is stored, others may have moved on.
        told = (
            move_response(reply, table, seat, self._clock()) if reply.accepted else b""
        )
        await self._keeper.committed()
        if not reply.accepted:
            metadata = dict(reply.details)
            if reply.entry:
                metadata["entry"] = reply.entry
            raise problem_of_reason(str(reply.reason), reply.message, metadata)
        return told


# Requests as commands


def bid_of(request: Untyped) -> Command:
    return PlaceBid(_present_bid(request))


def card_of(request: Untyped) -> Command:
    return PlayCard(request.card or None, wire.joker_call(request.call))


def trump_of(request: Untyped) -> Command:
    return ChooseTrump(request.suit)


def laid_of(request: Untyped) -> Command:
    bid = request.bid_cards
    return Lay(tuple(bid.cards), wire.claim(bid.claim))


def _present_bid(request: Untyped) -> int:
    if not request.HasField("bid"):
        raise problem_of_reason(
            "BID_NOT_INTEGER", "the bid is missing; a bid of zero is written out"
        )
    return int(request.bid)


def _check_decision(request: Untyped, seat: int) -> None:
    decision = request.decision
    if decision.HasField("seat") and decision.seat != seat:
        raise problem_of_reason(
            "UNKNOWN_DECISION", f"the decision is of seat {decision.seat}, not {seat}"
        )


def _running(lobby_table: LobbyTable) -> Table:
    table = started(lobby_table)
    if table.state is State.SUSPENDED:
        raise going_down()
    if table.state is not State.RUNNING:
        raise Problem(
            StatusCode.FAILED_PRECONDITION, "TABLE_FINISHED", "the match is over"
        )
    return table
