"""The calls of AdminService; those about bots as the registry itself would be used."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import grpc

from ohhell.v1 import admin_pb2, admin_pb2_grpc
from server.address import Identity, NoPair, Trust
from server.operator import Access
from server.registry import BOT_SCOPES, RegisteredBot, RegistrationRefused, Scope, Token
from server.rpc.credentials import credentials_of
from server.rpc.refusals import refusal_in
from server.rpc.untyped import Untyped

PATIENCE_S = 10.0
OPTIONS = (("grpc.enable_http_proxy", 0),)

R = TypeVar("R")


class CannotOperate(Exception):
    """The service cannot be reached, or does not let this operator in."""


class NotDone(Exception):
    """The service says no; the message tells what would be right."""


class RemoteService:
    """A running service, to its operator; CannotOperate, NotDone."""

    def __init__(self, access: Access, channel: grpc.Channel) -> None:
        self._calls = _Calls(access, channel)
        self.bots = RemoteBots(self._calls)

    def kick(self, bot: str, reason: str = "") -> int:
        """Ends the streams of a bot; how many there were."""
        request = admin_pb2.KickBotRequest(bot=bot, reason=reason)
        return self._done(self._calls.stub.KickBot, request).streams

    def end_table(self, table: str, reason: str = "") -> None:
        """Cancels it, whoever opened it."""
        request = admin_pb2.EndTableRequest(table=table, reason=reason)
        self._done(self._calls.stub.EndTable, request)

    def drain(self, within_ms: int = 0) -> int:
        """Has it go down, 0: as its settings say; how many tables it plays yet."""
        request = admin_pb2.DrainRequest(deadline_ms=within_ms)
        return self._done(self._calls.stub.Drain, request).tables

    def set_limits(self, wanted: Mapping[str, int]) -> dict[str, int]:
        """Changes some, or none; all limits after that."""
        request = admin_pb2.SetLimitsRequest(limits=wanted)
        return dict(self._done(self._calls.stub.SetLimits, request).limits)

    def _done(self, method: Callable[..., R], request: Untyped) -> R:
        try:
            return self._calls.call(method, request)
        except _Refused as refused:
            raise NotDone(refused.message) from None


class RemoteBots:
    """Bots of a running service; RegistrationRefused, CannotOperate."""

    def __init__(self, calls: _Calls) -> None:
        self._calls = calls
        self._stub = calls.stub

    def register(
        self,
        name: str,
        *,
        display_name: str = "",
        scopes: Collection[Scope] = BOT_SCOPES,
    ) -> str:
        request = admin_pb2.RegisterBotRequest(
            bot=name, display_name=display_name, scopes=sorted(scopes)
        )
        return self._call(self._stub.RegisterBot, request).token

    def issue(
        self,
        name: str,
        lane: int | None = None,
        *,
        scopes: Collection[Scope] = BOT_SCOPES,
        valid_for: int | None = None,
        replace: bool = False,
    ) -> str:
        request = admin_pb2.IssueTokenRequest(
            bot=name,
            lane=lane,
            scopes=sorted(scopes),
            valid_for_s=valid_for,
            replace=replace,
        )
        return self._call(self._stub.IssueToken, request).token

    def revoke(self, name: str, prefix: str) -> None:
        request = admin_pb2.RevokeTokenRequest(bot=name, prefix=prefix)
        self._call(self._stub.RevokeToken, request)

    def set_enabled(self, name: str, *, enabled: bool) -> None:
        request = admin_pb2.SetBotEnabledRequest(bot=name, enabled=enabled)
        self._call(self._stub.SetBotEnabled, request)

    def all(self) -> list[RegisteredBot]:
        """By name."""
        found: list[RegisteredBot] = []
        token = ""
        while True:
            page = self._call(
                self._stub.ListBots, admin_pb2.ListBotsRequest(page_token=token)
            )
            found += map(_registered, page.bots)
            token = page.next_page_token
            if not token:
                return found

    def _call(self, method: Callable[..., R], request: Untyped) -> R:
        try:
            return self._calls.call(method, request)
        except _Refused as refused:
            raise RegistrationRefused(refused.reason, refused.message) from None


class _Refused(Exception):
    """What was asked for is wrong, not who asked or where."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class _Calls:
    """With the operator's credential; CannotOperate, _Refused."""

    def __init__(self, access: Access, channel: grpc.Channel) -> None:
        self._address = access.address
        self._token = access.token
        self.stub = admin_pb2_grpc.AdminServiceStub(channel)

    def call(self, method: Callable[..., R], request: Untyped) -> R:
        metadata = (("authorization", f"Bearer {self._token}"),) if self._token else ()
        try:
            return method(request, timeout=PATIENCE_S, metadata=metadata)
        except grpc.RpcError as error:
            raise self._told(error) from None

    def _told(self, error: Untyped) -> Exception:
        refusal = refusal_in(error)
        if refusal.code in (
            grpc.StatusCode.INVALID_ARGUMENT,
            grpc.StatusCode.NOT_FOUND,
            grpc.StatusCode.ALREADY_EXISTS,
            grpc.StatusCode.FAILED_PRECONDITION,
        ):
            return _Refused(refusal.reason, refusal.message)
        if refusal.code is grpc.StatusCode.UNIMPLEMENTED:
            return CannotOperate(
                f"what listens at {self._address} is not for operators: give the"
                " address that ohhell serve prints after admin (port 50052 by default)"
            )
        status = refusal.code.name.lower().replace("_", " ")
        return CannotOperate(
            f"the service at {self._address}: {status}, {refusal.message}"
        )


@contextlib.contextmanager
def operating(access: Access) -> Iterator[RemoteService]:
    """A connection to the admin listener of a service; CannotOperate."""
    with _channel(access) as channel:
        yield RemoteService(access, channel)


def _channel(access: Access) -> grpc.Channel:
    if not (access.ca_file or access.certificate_file):
        return grpc.insecure_channel(access.address, OPTIONS)
    try:
        identity = (
            Identity.read(Path(access.certificate_file), Path(access.key_file))
            if access.certificate_file
            else None
        )
    except NoPair as error:
        raise CannotOperate(error) from None
    try:
        trust = Trust.read(Path(access.ca_file)) if access.ca_file else Trust()
    except OSError as error:
        told = error.strerror if error.filename else "it holds no certificate"
        raise CannotOperate(f"{access.ca_file}: {told}") from None
    return grpc.secure_channel(access.address, credentials_of(trust, identity), OPTIONS)


def _registered(bot: admin_pb2.Bot) -> RegisteredBot:
    return RegisteredBot(
        bot.bot,
        bot.display_name,
        bot.enabled,
        {
            token.prefix.encode(): Token(
                token.prefix,
                token.lane if token.HasField("lane") else None,
                frozenset(map(Scope, token.scopes)),
                token.expires_at if token.HasField("expires_at") else None,
                token.last_used_at if token.HasField("last_used_at") else None,
            )
            for token in bot.tokens
        },
    )
