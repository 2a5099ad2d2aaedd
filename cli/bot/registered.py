"""Commands about registered bots and their tokens."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cli.bot.reach import reach
from cli.exits import fail
from cli.operating import (
    STORE,
    AccessOption,
    JsonOption,
    ReasonOption,
    StoreOption,
    reach_service,
)

if TYPE_CHECKING:
    from server.registry import RegisteredBot, Scope

Name = Annotated[
    str, typer.Argument(help="Name of the bot.", metavar="NAME", show_default=False)
]
ScopeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--scope",
        help="What the token allows; default: bot.play and tables.read.",
        show_default=False,
    ),
]


def register(
    name: Name,
    *,
    display_name: Annotated[
        str, typer.Option(help="Name for people, at most 32 characters.")
    ] = "",
    scope: ScopeOption = None,
    store: StoreOption = STORE,
    access: AccessOption = None,
    as_json: JsonOption = False,
) -> None:
    """Register a bot and print its token, which is told only now."""
    scopes = _scopes(scope)
    with reach(store, access, may_be_new=True) as bots:
        told = bots.register(name, display_name=display_name, scopes=scopes)
    _tell(name, told, as_json=as_json)


def token(  # noqa: PLR0913 - one argument for each flag
    name: Name,
    *,
    lane: Annotated[
        int | None, typer.Option(min=0, max=255, help="The only lane it is good for.")
    ] = None,
    scope: ScopeOption = None,
    days: Annotated[
        int | None, typer.Option(min=1, max=36_500, help="Days that it is valid.")
    ] = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Revoke the tokens it takes the place of."),
    ] = False,
    store: StoreOption = STORE,
    access: AccessOption = None,
    as_json: JsonOption = False,
) -> None:
    """Issue a further token.

    A bot has two at a time, so that they can be changed.
    """
    scopes = _scopes(scope)
    valid_for = None if days is None else days * 86_400
    with reach(store, access) as bots:
        told = bots.issue(
            name, lane, scopes=scopes, valid_for=valid_for, replace=replace
        )
    _tell(name, told, as_json=as_json)


def revoke(
    name: Name,
    prefix: Annotated[
        str,
        typer.Argument(
            help="Beginning of the token, as `ohhell bot list` has it.",
            metavar="PREFIX",
        ),
    ],
    *,
    store: StoreOption = STORE,
    access: AccessOption = None,
) -> None:
    """Make a token invalid; streams that use it end at once."""
    with reach(store, access) as bots:
        bots.revoke(name, prefix)


def disable(
    name: Name, *, store: StoreOption = STORE, access: AccessOption = None
) -> None:
    """Keep a bot out; its streams end at once, its tokens are kept."""
    with reach(store, access) as bots:
        bots.set_enabled(name, enabled=False)


def enable(
    name: Name, *, store: StoreOption = STORE, access: AccessOption = None
) -> None:
    """Let a bot in again."""
    with reach(store, access) as bots:
        bots.set_enabled(name, enabled=True)


def kick(
    name: Name,
    *,
    reason: ReasonOption = "",
    store: StoreOption = STORE,
    access: AccessOption = None,
) -> None:
    """End the streams of a bot; it may come back."""
    with reach_service(store, access) as service:
        ended = service.kick(name, reason)
    typer.echo("1 stream ended" if ended == 1 else f"{ended} streams ended")


def list_bots(
    *,
    store: StoreOption = STORE,
    access: AccessOption = None,
    as_json: JsonOption = False,
) -> None:
    """List bots, how their tokens begin, and when each was used."""
    with reach(store, access) as bots:
        found = bots.all()
    if as_json:
        typer.echo(json.dumps({"bots": [_as_json(bot) for bot in found]}))
        return
    for bot in found:
        state = "" if bot.enabled else "  disabled"
        shown = f"  {bot.display_name}" if bot.display_name else ""
        typer.echo(f"{bot.name}{shown}{state}")
        for held in bot.tokens.values():
            lane = "" if held.lane is None else f"  lane {held.lane}"
            until = ""
            if held.expires_at is not None:
                until = f"  until {_shown(held.expires_at)}"
            used = "  never used"
            if held.last_used_at is not None:
                used = f"  used {_shown(held.last_used_at)}"
            scopes = " ".join(sorted(held.scopes))
            typer.echo(f"  {held.shown}  {scopes}{lane}{until}{used}")


def _shown(seconds: int) -> str:
    """Such an instant, to a minute."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


def _tell(name: str, told: str, *, as_json: bool) -> None:
    typer.echo(json.dumps({"bot": name, "token": told}) if as_json else told)


def _as_json(bot: RegisteredBot) -> dict[str, object]:
    return {
        "bot": bot.name,
        "display_name": bot.display_name,
        "enabled": bot.enabled,
        "tokens": [
            {
                "prefix": held.shown,
                "scopes": sorted(held.scopes),
                "lane": held.lane,
                "expires_at": held.expires_at,
                "last_used_at": held.last_used_at,
            }
            for held in bot.tokens.values()
        ],
    }


def _scopes(words: Iterable[str] | None) -> frozenset[Scope]:
    from server.registry import BOT_SCOPES, Scope

    try:
        return frozenset(map(Scope, words or ())) or BOT_SCOPES
    except ValueError:
        wrong = next(word for word in words or () if word not in set(Scope))
        fail(f"--scope {wrong}: there are {', '.join(Scope)}")
