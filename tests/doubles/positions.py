"""Positions written by hand, as prompts of the wire and as a bot's views of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.pack import pack_of
from ohhell.v1 import match_pb2
from ohhell_bot import (
    Ask,
    BidState,
    Match,
    Rules,
    Trump,
    View,
    card_code,
    cards_from,
)

TRUMPS = {"C": 1, "D": 2, "H": 3, "S": 4, "X": 5, "NT": Trump.NONE, "?": Trump.UNKNOWN}


def rules(players: int = 4, pack: str = "std52", **more: Any) -> Rules:  # noqa: ANN401  # passed on
    return Rules(preset="test", players=players, pack=pack_of(pack).codes(), **more)


def match(players: int = 4, *, seat: int = 0, seed: bytes = b"", **more: Any) -> Match:  # noqa: ANN401  # passed on
    return Match(
        seat=seat,
        rules=rules(players, **more),
        bot_seed=seed or bytes(range(16)),
        table="t",
        players=tuple([f"p{i}" for i in range(players)]),
    )


def prompt(
    ask: Ask,
    *,
    hand: str = "",
    legal: str | Sequence[int] | None = None,
    trump: str = "NT",
    upcard: str = "",
    size: int | None = None,
    bids: Sequence[int | None] = (),
    tricks: Sequence[int] = (),
    plays: str = "",
    leaders: Sequence[int] = (),
    players: int = 4,
    seat: int = 0,
    **more: Any,  # noqa: ANN401  # passed on
) -> match_pb2.View:
    """`legal` is the whole hand, or every bid, unless it is given."""
    held = cards_from(hand)
    size = len(held) if size is None else size
    bids = bids or [None] * players
    fields: dict[str, Any] = {
        "handle": 1,
        "seq": 7,
        "seat": seat,
        "ask": ask,
        "attempt": 1,
        "deal": 1,
        "dealer": players - 1,
        "size": size,
        "trump": TRUMPS[trump],
        "upcard": card_code(upcard) if upcard else 0,
        "hand": held,
        "plays": cards_from(plays),
        "leaders": leaders,
        "bids": [bid or 0 for bid in bids],
        "bid_states": [
            BidState.NOT_YET if bid is None else BidState.OPEN for bid in bids
        ],
        "tricks": tricks or [0] * players,
        "scores": [0] * players,
    }
    if ask is Ask.BID:
        fields["legal_bids"] = range(size + 1) if legal is None else legal
    if ask is Ask.PLAY:
        fields["legal_cards"] = held if legal is None else cards_from(str(legal))
    return match_pb2.View(**fields, **more)


def position(
    ask: Ask,
    *,
    players: int = 4,
    seat: int = 0,
    rules: dict[str, Any] | None = None,
    **more: Any,  # noqa: ANN401  # passed on
) -> View:
    message = prompt(ask, players=players, seat=seat, **more)
    return View.from_wire(message, match(players, seat=seat, **(rules or {})))
