"""AdminService: for operators, on a listener of its own, never without a credential."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import structlog
from grpc import StatusCode

from ohhell.v1 import admin_pb2, admin_pb2_grpc
from server.config import MOST
from server.host import Host
from server.limits import CHANGEABLE, Limits
from server.lobby import Lobby
from server.registry import (
    BOT_SCOPES,
    GUEST,
    RegisteredBot,
    RegistrationRefused,
    Scope,
)
from server.rpc import cursors
from server.rpc.identity import STRANGER, Operators
from server.rpc.info import limits_of
from server.rpc.repeats import Call, Repeats
from server.rpc.status import Problem, problem_of_reason
from server.rpc.untyped import Untyped
from server.rpc.validate import DEFAULT_PAGE, MAX_PAGE, check
from server.served import LobbyState
from server.tokens import BOT_TOKEN

Drain = Callable[[int], None]
"""Begins to go down, within so many milliseconds; 0: as the settings say."""


class AdminService(admin_pb2_grpc.AdminServiceServicer):
    """Bots and their tokens, streams, tables, limits, and the end of it all."""

    def __init__(
        self, host: Host, lobby: Lobby, *, operators: Operators, drain: Drain
    ) -> None:
        self._host = host
        self._lobby = lobby
        self._operators = operators
        self._drain = drain
        self._log = structlog.get_logger("admin")
        self._registered: Repeats[admin_pb2.RegisterBotResponse]
        self._registered = Repeats("RegisterBot", host)
        self._issued: Repeats[admin_pb2.IssueTokenResponse]
        self._issued = Repeats("IssueToken", host)

    async def knows(self, context: Untyped) -> None:
        """Operators, and nobody else."""
        self._operators.name_of(context)

    def name_of(self, context: Untyped) -> str:
        """Who calls, for people."""
        try:
            return self._operators.name_of(context)
        except Problem:
            return STRANGER

    # Bots

    async def RegisterBot(
        self, request: admin_pb2.RegisterBotRequest, context: Untyped
    ) -> admin_pb2.RegisterBotResponse:
        operator = self._admit(request, context)
        async with self._registered.turn(operator, request) as call:
            if call.answer is None:
                token = self._register(request, call)
                bot = self._bot(request.bot)
                call.answer = admin_pb2.RegisterBotResponse(bot=bot, token=token)
            return call.answer

    def _register(
        self,
        request: admin_pb2.RegisterBotRequest,
        call: Call[admin_pb2.RegisterBotResponse],
    ) -> str:
        """The token of a new bot, or the one that it got in an earlier process."""
        if call.before is not None:
            return call.mint(BOT_TOKEN)
        try:
            return self._host.bots.register(
                request.bot,
                display_name=request.display_name,
                scopes=_scopes(request.scopes),
                mint=call.mint,
                receipt=call.receipt,
            )
        except RegistrationRefused as refused:
            raise _problem(refused) from None

    async def ListBots(
        self, request: admin_pb2.ListBotsRequest, context: Untyped
    ) -> admin_pb2.ListBotsResponse:
        bound = (self._admit(request, context),)
        size = min(request.page_size or DEFAULT_PAGE, MAX_PAGE)
        after = cursors.read(request.page_token, bound, of=str) or ""
        self._host.bots.keep_uses()
        # One more than fits tells whether there is a next page.
        found = self._host.bots.page(after, size + 1)
        response = admin_pb2.ListBotsResponse(
            bots=[self._bot(bot.name) for bot in found[:size]]
        )
        if len(found) > size:
            response.next_page_token = cursors.written(found[size - 1].name, bound)
        return response

    async def SetBotEnabled(
        self, request: admin_pb2.SetBotEnabledRequest, context: Untyped
    ) -> admin_pb2.SetBotEnabledResponse:
        self._admit(request, context)
        try:
            self._host.bots.set_enabled(request.bot, enabled=request.enabled)
        except RegistrationRefused as refused:
            raise _problem(refused) from None
        if not request.enabled:
            self._host.dismiss(request.bot)
        return admin_pb2.SetBotEnabledResponse(bot=self._bot(request.bot))

    async def IssueToken(
        self, request: admin_pb2.IssueTokenRequest, context: Untyped
    ) -> admin_pb2.IssueTokenResponse:
        operator = self._admit(request, context)
        async with self._issued.turn(operator, request) as call:
            if call.answer is None:
                token = self._issue(request, call)
                call.answer = admin_pb2.IssueTokenResponse(token=token)
            return call.answer

    def _issue(
        self,
        request: admin_pb2.IssueTokenRequest,
        call: Call[admin_pb2.IssueTokenResponse],
    ) -> str:
        """A new token, or the one that an earlier process has issued."""
        if call.before is not None:
            return call.mint(BOT_TOKEN)
        try:
            return self._host.bots.issue(
                request.bot,
                request.lane if request.HasField("lane") else None,
                scopes=_scopes(request.scopes),
                valid_for=(
                    request.valid_for_s if request.HasField("valid_for_s") else None
                ),
                replace=request.replace,
                mint=call.mint,
                receipt=call.receipt,
            )
        except RegistrationRefused as refused:
            raise _problem(refused) from None

    async def RevokeToken(
        self, request: admin_pb2.RevokeTokenRequest, context: Untyped
    ) -> admin_pb2.RevokeTokenResponse:
        self._admit(request, context)
        try:
            self._host.bots.revoke(request.bot, request.prefix)
        except RegistrationRefused as refused:
            raise _problem(refused) from None
        return admin_pb2.RevokeTokenResponse(bot=self._bot(request.bot))

    # What runs

    async def KickBot(
        self, request: admin_pb2.KickBotRequest, context: Untyped
    ) -> admin_pb2.KickBotResponse:
        operator = self._admit(request, context)
        if not request.bot:
            raise Problem(
                StatusCode.INVALID_ARGUMENT, "FIELD_INVALID", "bot: the name of one"
            )
        ended = self._host.arena.close(request.bot, "KICKED")
        if not ended and request.bot != GUEST and not self._host.bots.get(request.bot):
            raise problem_of_reason(
                "BOT_UNKNOWN", f"no bot named {request.bot!r} is registered"
            )
        self._log.info(
            "bot kicked", operator=operator, bot=request.bot, reason=request.reason
        )
        return admin_pb2.KickBotResponse(streams=ended)

    async def EndTable(
        self, request: admin_pb2.EndTableRequest, context: Untyped
    ) -> admin_pb2.EndTableResponse:
        operator = self._admit(request, context)
        table = await self._lobby.find(request.table)
        if table is None:
            raise problem_of_reason(
                "TABLE_NOT_FOUND", f"there is no table {request.table!r}"
            )
        if table.state is LobbyState.FINISHED:
            raise problem_of_reason(
                "TABLE_NOT_OPEN", f"the match at {request.table!r} has ended already"
            )
        self._host.keeper.check()
        self._lobby.cancel(table)
        await self._host.keeper.committed()
        self._log.info(
            "table cancelled",
            operator=operator,
            table=request.table,
            reason=request.reason,
        )
        return admin_pb2.EndTableResponse()

    async def Drain(
        self, request: admin_pb2.DrainRequest, context: Untyped
    ) -> admin_pb2.DrainResponse:
        operator = self._admit(request, context)
        self._log.info("asked to drain", operator=operator)
        self._drain(request.deadline_ms)
        return admin_pb2.DrainResponse(tables=len(self._host.tables))

    async def SetLimits(
        self, request: admin_pb2.SetLimitsRequest, context: Untyped
    ) -> admin_pb2.SetLimitsResponse:
        operator = self._admit(request, context)
        wanted = {name: int(number) for name, number in request.limits.items()}
        try:
            changed = self._host.limits.changed(wanted)
        except KeyError as unknown:
            raise Problem(
                StatusCode.INVALID_ARGUMENT,
                "LIMIT_FIXED",
                f"{unknown.args[0]!r} is no limit that changes while the service runs:"
                f" {', '.join(sorted(CHANGEABLE))}",
            ) from None
        high = {
            f"limits.{name}": f"0..{_most_of(name, changed)}"
            for name, number in wanted.items()
            if number > _most_of(name, changed)
        }
        if high:
            first = next(iter(high))
            raise Problem(
                StatusCode.INVALID_ARGUMENT,
                "FIELD_INVALID",
                f"{first}: {high[first]}",
                fields=high,
            )
        self._host.limits = changed
        if wanted:
            self._log.info("limits changed", operator=operator, **wanted)
        return admin_pb2.SetLimitsResponse(limits=limits_of(self._host))

    # Parts

    def _admit(self, request: Untyped, context: Untyped) -> str:
        operator = self._operators.name_of(context)
        check(request)
        return operator

    def _bot(self, name: str) -> admin_pb2.Bot:
        bot = self._host.bots.get(name) or RegisteredBot(name)
        return admin_pb2.Bot(
            bot=name,
            display_name=bot.display_name,
            enabled=bot.enabled,
            streams=self._host.arena.streams().get(name, 0),
            tokens=[
                admin_pb2.TokenInfo(
                    prefix=token.shown,
                    scopes=sorted(token.scopes),
                    expires_at=token.expires_at,
                    last_used_at=token.last_used_at,
                    lane=token.lane,
                )
                for token in bot.tokens.values()
            ],
        )


def _scopes(words: Iterable[str]) -> frozenset[Scope]:
    try:
        return frozenset(map(Scope, words)) or BOT_SCOPES
    except ValueError:
        raise Problem(
            StatusCode.INVALID_ARGUMENT,
            "FIELD_INVALID",
            f"scopes: {', '.join(Scope)}",
            fields={"scopes": ", ".join(Scope)},
        ) from None


def _most_of(limit: str, limits: Limits) -> int:
    """The largest value; a switch is 0 or 1."""
    return 1 if isinstance(getattr(limits, limit), bool) else MOST


def _problem(refused: RegistrationRefused) -> Problem:
    return problem_of_reason(refused.reason, refused.message)
