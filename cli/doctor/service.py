"""What a service that can be reached says of itself, and of the caller's token."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from cli.doctor.findings import Finding, note, ok, wrong
from ohhell_bot.stream import REVISION
from server.address import Address, Identity, Trust
from server.rpc.inquiry import About, Inquiry, NotAnswered, inquiring
from tournament.spec.model import USUAL_TIME

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS: Final = 5


def inquire(
    address: Address, trust: Trust | None, *, identity: Identity | None, token: str
) -> Iterator[Finding]:
    """Whether it is the service, well, of our revision, near, and knows the token."""
    with inquiring(address, trust, identity=identity, token=token) as inquiry:
        try:
            about = inquiry.about()
        except NotAnswered as refused:
            yield _no_service(address, refused)
            return
        yield _service(about)
        yield _revision(about)
        yield _health(inquiry, about)
        yield _distance(inquiry.about)
        yield _token(inquiry, about, given=bool(token))


def _no_service(address: Address, refused: NotAnswered) -> Finding:
    if refused.status == "UNIMPLEMENTED" or refused.reason.startswith("TOKEN_"):
        return wrong(
            "service",
            f"what listens at {address} speaks gRPC and is no service for bots",
            "give the port for bots and people (50051 by default), not that of"
            " operators",
        )
    return wrong(
        "service",
        f"{address} does not answer: {refused.status} {refused}".rstrip(),
        "look into the log of the service",
    )


def _service(about: About) -> Finding:
    bots = f"{about.presets} presets, {len(about.house_bots)} house bots"
    told = f"{about.software}, {bots}"
    own = f"ohhell {version('ohhell')}"
    if about.software != own:
        return note(
            "service", f"{told}; this is {own}", "use the same version on both sides"
        )
    return ok("service", told)


def _revision(about: About) -> Finding:
    oldest, newest = about.revisions
    spoken = f"{oldest}" if oldest == newest else f"{oldest} to {newest}"
    told = f"revision {spoken} of the protocol is spoken there, {REVISION} here"
    if not oldest <= REVISION <= newest:
        older = "the service" if newest < REVISION else "this program and its bots"
        return wrong("revision", told, f"bring {older} up to date")
    return ok("revision", told)


def _health(inquiry: Inquiry, about: About) -> Finding:
    if about.draining:
        return note(
            "health",
            "it is going down: nobody new is let in",
            "wait until it has been started again",
        )
    try:
        status = inquiry.health()
    except NotAnswered as refused:
        status = refused.status
    if status != "SERVING":
        return wrong(
            "health",
            status,
            "look into the log of the service; its store may be failing",
        )
    return ok("health", status)


def _distance(call: Callable[[], object]) -> Finding:
    """The way there and back is on a bot's clock."""
    seconds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        try:
            call()
        except NotAnswered as refused:
            return wrong(
                "round trip",
                f"a call was lost: {refused.status} {refused}",
                "look at the network in between",
            )
        seconds.append(time.perf_counter() - began)
    milliseconds = 1_000 * sorted(seconds)[ROUNDS // 2]
    told = f"{milliseconds:.1f} ms, the median of {ROUNDS} calls"
    if milliseconds > USUAL_TIME.grace_ms:
        return note(
            "round trip",
            told,
            f"tournaments forgive {USUAL_TIME.grace_ms} ms of it: move nearer, or"
            " set grace_ms under [time]",
        )
    return ok("round trip", told)


def _token(inquiry: Inquiry, about: About, *, given: bool) -> Finding:
    if not given:
        if about.auth_required:
            return note(
                "token",
                "the service asks for tokens, and none was given",
                "give --token-file (bots: OHHELL_BOT_TOKEN_FILE); the operator makes"
                " one with: ohhell bot register NAME",
            )
        return ok("token", "none was given, and none is asked for")
    try:
        inquiry.look_at_tables()
    except NotAnswered as refused:
        match refused.reason:
            case "SCOPE_MISSING":
                return ok("token", "it is known (and good for other things only)")
            case "BOT_DISABLED":
                remedy = "ask the operator: ohhell bot enable NAME"
            case "TOKEN_INVALID":
                remedy = (
                    "it is unknown, revoked, expired or of another service: ohhell bot"
                    " token NAME makes a new one"
                )
            case _:
                remedy = "look into the log of the service"
        return wrong("token", f"refused: {refused.reason} ({refused})", remedy)
    return ok("token", "it is known")
