"""Who may act for a seat, look at a table, or know that it is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from grpc import StatusCode

from engine.visibility import Viewer
from ohhell.v1 import tables_pb2
from server.host import Host
from server.lobby import Lobby
from server.registry import GUEST, Holder, Scope
from server.rpc import wire
from server.rpc.identity import (
    STRANGER,
    caller_of,
    holder_of,
    name_of,
    token_invalid,
    token_missing,
    token_of,
)
from server.rpc.rates import Rates
from server.rpc.status import Problem
from server.rpc.untyped import Untyped
from server.served import LobbyTable, Spectators
from server.table import Table
from server.tokens import SEAT_TOKEN


class Reader(NamedTuple):
    """Who looks at tables: a bot, a guest, or whoever has a seat."""

    holder: Holder | None
    seat_at: LobbyTable | None = None


class Admission:
    """Asked by every call before it looks at anything else; Problem if it may not."""

    def __init__(self, host: Host, lobby: Lobby) -> None:
        self._host = host
        self._lobby = lobby

    def caller(self, context: Untyped, scope: Scope) -> Holder:
        """The bot that calls, the guest where tokens are not asked for."""
        return holder_of(context, self._host, scope)

    async def knows(self, context: Untyped) -> None:
        """Whoever may call at all, with any token; what for is not asked."""
        token = token_of(context)
        if token is not None and token.startswith(SEAT_TOKEN):
            await self._seat_of(token, context)
        else:
            caller_of(context, self._host)

    def name_of(self, context: Untyped) -> str:
        """Who calls, for people: a seat, too, while its table is at hand."""
        name = name_of(context, self._host.bots)
        if name != STRANGER:
            return name
        with suppress(Problem):
            place = self._lobby.place_of(token_of(context) or "")
            if place is not None:
                return "seat:{}/{}".format(*place)
        return STRANGER

    def joiner(self, request: Untyped, context: Untyped) -> Holder:
        """A bot, or whoever has a ticket: that is as good as a token, once."""
        if token_of(context) is None and request.ticket:
            Rates(self._host, context).count_guest()
            return Holder(GUEST)
        return self.caller(context, Scope.PLAY)

    async def reader(self, context: Untyped) -> Reader:
        """Any token will do, a seat's included."""
        token = token_of(context)
        if token is not None and token.startswith(SEAT_TOKEN):
            table, _ = await self._seat_of(token, context)
            return Reader(None, table)
        return Reader(self.caller(context, Scope.READ))

    async def seat(
        self, request: Untyped, context: Untyped, *, acts: bool = False
    ) -> tuple[LobbyTable, int]:
        """The seat of the caller's token, which is the one the request is about.

        Who acts, and is asked to, is never told that it is too often.
        """
        token = token_of(context)
        if token is None:
            raise token_missing("the seat's token")
        table, seat = await self._seat_of(token, context)
        if not (acts and _is_asked(table, seat, request)):
            Rates(self._host, context).count(f"seat:{table.id}/{seat}")
        if request.table != table.id or (
            request.HasField("seat") and request.seat != seat
        ):
            raise Problem(
                StatusCode.PERMISSION_DENIED,
                "NOT_YOUR_SEAT",
                "the token is for another seat",
            )
        return table, seat

    async def viewer(
        self, request: Untyped, context: Untyped
    ) -> tuple[LobbyTable, Viewer]:
        """The seat of the token, or whoever may look on."""
        if request.HasField("seat"):
            return await self.seat(request, context)
        table = await self.find(request.table, await self.reader(context))
        viewer = table.onlooker
        if viewer is None:
            raise Problem(
                StatusCode.PERMISSION_DENIED,
                "RESOURCE_NOT_VISIBLE",
                "the table shows nothing to those without a seat, or nothing yet",
            )
        return table, viewer

    async def archive(self, request: Untyped, context: Untyped) -> LobbyTable:
        """The table, for those who may read its record once it is over.

        Where the same deals are still played elsewhere, nobody may.
        """
        table = await self.find(request.table, await self.reader(context))
        if table.embargoed:
            raise Problem(
                StatusCode.PERMISSION_DENIED,
                "EMBARGOED",
                "the same deals are still being played at another table",
            )
        return table

    def spectators(self, wanted: int) -> Spectators:
        """The policy of a table whose owner wants this one."""
        if wanted:
            name = wire.enum_name(tables_pb2.SpectatorPolicy, wanted)
            return Spectators(name.removeprefix("SPECTATOR_POLICY_"))
        return Spectators.OFF if self._host.auth_required else Spectators.OPEN

    @contextmanager
    def watching(
        self, request: Untyped, context: Untyped, end: Callable[[str], None]
    ) -> Iterator[None]:
        """Counts a watch; `end` is called once the bot's token is not valid."""
        token = token_of(context) or ""
        holder = self._host.bots.holder_of(token)
        if holder is not None:
            caller = f"bot:{holder.bot}"
        elif request.HasField("seat"):
            caller = f"seat:{request.table}/{request.seat}"
        else:
            caller = ""
        with (
            Rates(self._host, context).watching(caller),
            self._host.bots.lease(holder or Holder(GUEST), end),
        ):
            yield

    async def find(self, table_id: str, reader: Reader) -> LobbyTable:
        """The table, for who may know of it."""
        table = await self._lobby.find(table_id)
        if table is None or not _is_visible(table, reader):
            raise self._not_visible()
        return table

    async def joinable(self, request: Untyped, joiner: Holder) -> LobbyTable:
        """The table, for who may know of it or has one of its tickets."""
        table = await self._lobby.find(request.table)
        if table is None or not (
            _is_visible(table, Reader(joiner)) or table.has_ticket(request.ticket)
        ):
            raise self._not_visible()
        return table

    async def _seat_of(self, token: str, context: Untyped) -> tuple[LobbyTable, int]:
        found = await self._lobby.seat_of(token)
        if found is None:
            Rates(self._host, context).count_wrong()
            raise token_invalid()
        return found

    def _not_visible(self) -> Problem:
        """One answer for what is not there and what may not be seen."""
        if self._host.auth_required:
            return Problem(
                StatusCode.PERMISSION_DENIED,
                "RESOURCE_NOT_VISIBLE",
                "there is no such table for this caller",
            )
        return Problem(
            StatusCode.NOT_FOUND, "TABLE_NOT_FOUND", "there is no such table"
        )


def started(table: LobbyTable) -> Table:
    """Its match; Problem while there is none."""
    if table.table is None:
        raise Problem(
            StatusCode.FAILED_PRECONDITION,
            "TABLE_NOT_RUNNING",
            "the match has not begun: seats are free",
        )
    return table.table


def _is_asked(table: LobbyTable, seat: int, request: Untyped) -> bool:
    question = table.table.open[seat] if table.table is not None else None
    return question is not None and (
        not request.HasField("decision") or request.decision.seq == question.seq
    )


def _is_visible(table: LobbyTable, reader: Reader) -> bool:
    holder = reader.holder
    return (
        table.spectators is not Spectators.OFF
        or (reader.seat_at is not None and reader.seat_at.id == table.id)
        or (
            holder is not None
            and (holder.bot == table.owner or holder.bot in table.bots)
        )
    )
