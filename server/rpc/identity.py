"""Who calls: the token of a call's metadata."""

from __future__ import annotations

from collections.abc import Iterable

from grpc import StatusCode

from server.host import Host
from server.registry import Holder
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


def holder_of(context: Untyped, host: Host) -> Holder:
    """The calling bot; the guest where the server asks nobody."""
    token = token_of(context)
    if token is None:
        if host.auth_required:
            raise Problem(
                StatusCode.UNAUTHENTICATED,
                "TOKEN_MISSING",
                "send the bot's token as metadata `authorization: Bearer ...`",
            )
        return Holder(host.GUEST)
    holder = host.bots.holder_of(token)
    if holder is None:
        raise token_invalid()
    return holder


def token_invalid() -> Problem:
    """One text for unknown, revoked and garbled."""
    return Problem(
        StatusCode.UNAUTHENTICATED, "TOKEN_INVALID", "the token is not valid here"
    )
