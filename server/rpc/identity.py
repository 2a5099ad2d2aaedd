"""Who calls: the token of a call's metadata."""

from __future__ import annotations

from collections.abc import Iterable

from grpc import StatusCode

from server.host import Host
from server.rpc.status import Problem
from server.rpc.untyped import Untyped

BEARER = "bearer "


def token_of(context: Untyped) -> str | None:
    """The bearer token; None without one, UNAUTHENTICATED where it is garbled."""
    metadata: Iterable[tuple[str, str | bytes]] = context.invocation_metadata() or ()
    values = [value for key, value in metadata if key == "authorization"]
    if not values:
        return None
    value = values[0]
    if len(values) > 1 or not isinstance(value, str) or len(value) > 512:
        raise token_invalid()
    if not value.lower().startswith(BEARER):
        raise token_invalid()
    return value[len(BEARER) :].strip()


def bot_of(context: Untyped, host: Host) -> str:
    """Name of the calling bot; the guest's where the server asks nobody."""
    token = token_of(context)
    if token is None:
        if host.auth_required:
            raise Problem(
                StatusCode.UNAUTHENTICATED,
                "TOKEN_MISSING",
                "send the bot's token as metadata `authorization: Bearer ...`",
            )
        return host.GUEST
    bot = host.bots.bot_of(token)
    if bot is None:
        raise token_invalid()
    return bot


def token_invalid() -> Problem:
    """One text for unknown, revoked and garbled."""
    return Problem(
        StatusCode.UNAUTHENTICATED, "TOKEN_INVALID", "the token is not valid here"
    )
