"""Who calls: the token of a call's metadata, and what it allows."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping, Sequence

from grpc import StatusCode

from server.host import Host
from server.registry import DISABLED, GUEST, GUEST_SCOPES, BotRegistry, Holder, Scope
from server.rpc.rates import Rates
from server.rpc.status import Problem
from server.rpc.untyped import Untyped
from server.tokens import secret_hash

BEARER = "bearer "
LONGEST = 512
STRANGER = "unknown"
"""Who shows a token that is not valid."""


def token_of(context: Untyped) -> str | None:
    """The bearer token; None without one, UNAUTHENTICATED where it is garbled."""
    metadata: Iterable[tuple[str, str | bytes]] = context.invocation_metadata() or ()
    values = [value for key, value in metadata if key == "authorization"]
    if not values:
        return None
    value = values[0]
    if len(values) > 1 or not isinstance(value, str) or len(value) > LONGEST:
        raise token_invalid()
    if value[: len(BEARER)].lower() != BEARER:
        raise token_invalid()
    return value[len(BEARER) :].strip()


def holder_of(context: Untyped, host: Host, scope: Scope) -> Holder:
    """The calling bot, if it may do this; the guest where the server asks nobody."""
    return allowed(caller_of(context, host), scope)


def caller_of(context: Untyped, host: Host) -> Holder:
    """The calling bot, whatever it may do; the guest where the server asks nobody."""
    rates = Rates(host, context)
    token = token_of(context)
    if token is not None:
        try:
            holder = known(token, host.bots)
        except Problem:
            rates.count_wrong()
            raise
        rates.count(f"bot:{holder.bot}")
        return holder
    rates.count_guest()
    if host.auth_required:
        raise token_missing("the bot's token")
    return Holder(GUEST, scopes=GUEST_SCOPES)


def name_of(context: Untyped, bots: BotRegistry) -> str:
    """Who calls, for people, whatever becomes of the call."""
    try:
        token = token_of(context)
    except Problem:
        return STRANGER
    if token is None:
        return GUEST
    holder = bots.holder_of(token)
    return STRANGER if holder is None else f"bot:{holder.bot}"


def known(token: str, bots: BotRegistry) -> Holder:
    """The enabled bot with this token."""
    holder = bots.holder_of(token)
    if holder is None:
        raise token_invalid()
    if not bots.is_enabled(holder.bot):
        raise refusal(DISABLED)
    return holder


def refusal(why: str) -> Problem:
    """What is said where a lease ends, or would have."""
    if why == DISABLED:
        return Problem(
            StatusCode.PERMISSION_DENIED,
            "BOT_DISABLED",
            "an operator keeps the bot out",
        )
    return token_invalid()


def allowed(holder: Holder, scope: Scope) -> Holder:
    if scope not in holder.scopes:
        raise Problem(
            StatusCode.PERMISSION_DENIED,
            "SCOPE_MISSING",
            f"this needs a token with scope {scope}",
            metadata={"scope": scope},
        )
    return holder


def token_missing(whose: str) -> Problem:
    return Problem(
        StatusCode.UNAUTHENTICATED,
        "TOKEN_MISSING",
        f"send {whose} as metadata `authorization: Bearer ...`",
    )


def token_invalid() -> Problem:
    """One text for unknown, revoked, expired and garbled."""
    return Problem(
        StatusCode.UNAUTHENTICATED, "TOKEN_INVALID", "the token is not valid here"
    )


class Operators:
    """Who may administer: holders of the service's own key, of a token with the scope
    for it, or of a certificate that the listener has checked.
    """

    def __init__(self, bots: BotRegistry, key: str) -> None:
        """`key` is the token that the service has made for itself."""
        self._bots = bots
        self._key = secret_hash(key)

    def name_of(self, context: Untyped) -> str:
        """Who it is, for people; Problem for everybody else."""
        certificate = certificate_of(context)
        if certificate is not None:
            return certificate
        token = token_of(context)
        if token is None:
            raise token_missing("an operator's token")
        if hmac.compare_digest(secret_hash(token), self._key):
            return "operator"
        return allowed(known(token, self._bots), Scope.ADMIN).bot


def certificate_of(context: Untyped) -> str | None:
    """The first name in the client's certificate, which TLS has checked."""
    found: Mapping[str, Sequence[bytes]] = context.auth_context()
    names = found.get("x509_subject_alternative_name") or found.get("x509_common_name")
    return names[0].decode(errors="replace") if names else None
