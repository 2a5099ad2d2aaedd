"""Who may act for a seat, look at a table, or know that it is there."""

from __future__ import annotations

from grpc import StatusCode

from engine.visibility import Viewer
from ohhell.v1 import tables_pb2
from server.host import Host
from server.lobby import Lobby
from server.registry import SEAT_TOKEN
from server.rpc import wire
from server.rpc.identity import holder_of, token_invalid, token_of
from server.rpc.status import Problem
from server.rpc.untyped import Untyped
from server.served import LobbyTable, Spectators


class Admission:
    """Asked by every call before it looks at anything else; Problem if it may not."""

    def __init__(self, host: Host, lobby: Lobby) -> None:
        self._host = host
        self._lobby = lobby

    def caller(self, context: Untyped) -> str:
        """The bot that calls, the guest where tokens are not asked for."""
        return holder_of(context, self._host).bot

    async def reader(self, context: Untyped) -> None:
        """Any token will do, a seat's included."""
        token = token_of(context)
        if token is not None and token.startswith(SEAT_TOKEN):
            if await self._lobby.seat_of(token) is None:
                raise token_invalid()
            return
        self.caller(context)

    async def seat(self, request: Untyped, context: Untyped) -> tuple[LobbyTable, int]:
        """The seat of the caller's token, which is the one the request is about."""
        token = token_of(context)
        if token is None:
            raise Problem(
                StatusCode.UNAUTHENTICATED,
                "TOKEN_MISSING",
                "send the seat's token as metadata `authorization: Bearer ...`",
            )
        found = await self._lobby.seat_of(token)
        if found is None:
            raise token_invalid()
        table, seat = found
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
        await self.reader(context)
        table = await self.find(request.table)
        viewer = table.onlooker
        if viewer is None:
            raise not_visible()
        return table, viewer

    async def archive(self, request: Untyped, context: Untyped) -> LobbyTable:
        """The table, for those who may read its record once it is over.

        Where the same deals are still played elsewhere, nobody may.
        """
        token = token_of(context)
        if token is not None and token.startswith(SEAT_TOKEN):
            table, _ = await self.seat(request, context)
        else:
            caller = self.caller(context)
            table = await self.find(request.table)
            if table.spectators is Spectators.OFF and table.owner != caller:
                raise not_visible()
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

    async def find(self, table_id: str) -> LobbyTable:
        """The table, for callers who may know that it exists or does not."""
        table = await self._lobby.find(table_id)
        if table is not None:
            return table
        if self._host.auth_required:
            raise not_visible()
        raise Problem(
            StatusCode.NOT_FOUND, "TABLE_NOT_FOUND", f"there is no table {table_id!r}"
        )


def not_visible() -> Problem:
    """One text for what is not there and what may not be seen."""
    return Problem(
        StatusCode.PERMISSION_DENIED,
        "RESOURCE_NOT_VISIBLE",
        "there is no such table for this caller",
    )
