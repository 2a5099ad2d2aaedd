"""The calls of AdminService, as the registry itself would be used."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TypeVar

import grpc

from ohhell.v1 import admin_pb2, admin_pb2_grpc
from server.operator import Access
from server.registry import BOT_SCOPES, RegisteredBot, RegistrationRefused, Scope, Token
from server.rpc.refusals import refusal_in
from server.rpc.untyped import Untyped

PATIENCE_S = 10.0
OPTIONS = (("grpc.enable_http_proxy", 0),)

R = TypeVar("R")


class CannotOperate(Exception):
    """The service cannot be reached, or does not let this operator in."""


class RemoteBots:
    """Bots of a running service; RegistrationRefused, CannotOperate."""

    def __init__(self, access: Access, channel: grpc.Channel) -> None:
        self._address = access.address
        self._token = access.token
        self._stub = admin_pb2_grpc.AdminServiceStub(channel)

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

    def kick(self, name: str) -> int:
        """Ends the streams of a bot; how many there were."""
        request = admin_pb2.KickBotRequest(bot=name)
        return self._call(self._stub.KickBot, request).streams

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
            return RegistrationRefused(refusal.reason, refusal.message)
        return CannotOperate(
            f"the service at {self._address}: {refusal.code.name.lower()},"
            f" {refusal.message}"
        )


@contextlib.contextmanager
def operating(access: Access) -> Iterator[RemoteBots]:
    """A connection to the admin listener of a service; CannotOperate."""
    with _channel(access) as channel:
        yield RemoteBots(access, channel)


def _channel(access: Access) -> grpc.Channel:
    if not access.ca_file:
        return grpc.insecure_channel(access.address, OPTIONS)
    certificate, key = access.certificate_file, access.key_file
    try:
        credentials = grpc.ssl_channel_credentials(
            Path(access.ca_file).read_bytes(),
            Path(key).read_bytes() if key else None,
            Path(certificate).read_bytes() if certificate else None,
        )
    except OSError as error:
        raise CannotOperate(f"{error.filename}: {error.strerror}") from None
    return grpc.secure_channel(access.address, credentials, OPTIONS)


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
            )
            for token in bot.tokens
        },
    )
