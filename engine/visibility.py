"""Who may see what, as questions about plain values.

A viewer is a seat, a spectator, who sees only what is open to everybody, or the
referee, who sees all. `bids_in` says whether the bidding of the deal is over.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Final

from engine.parameters import BidMode, DealKind


class Watcher(Enum):
    """Viewers without a seat."""

    SPECTATOR = "spectator"
    REFEREE = "referee"


SPECTATOR: Final = Watcher.SPECTATOR
REFEREE: Final = Watcher.REFEREE

Viewer = int | Watcher


def sees_hand(
    viewer: Viewer,
    owner: int,
    *,
    kind: DealKind,
    forehead: bool,
    bids_in: bool,
    revealed: int | None = None,
) -> bool:
    """`revealed` is the seat that was granted to lay its hand open."""
    if viewer is REFEREE:
        return True
    if kind.hides_hands and not bids_in:
        return False
    if viewer is SPECTATOR:
        return owner == revealed
    return owner == revealed or (viewer != owner if forehead else viewer == owner)


def sees_upcard(viewer: Viewer, *, kind: DealKind, bids_in: bool) -> bool:
    return viewer is REFEREE or bids_in or not kind.hides_upcard


def sees_bid(
    viewer: Viewer,
    owner: int,
    *,
    bid_mode: BidMode,
    bids_in: bool,
    premium: int | None = None,
) -> bool:
    """Whether an amount that was sent is seen; `premium` as in `sees_bid_cards`."""
    match bid_mode:
        case BidMode.TURN:
            return True
        case BidMode.SIMULTANEOUS:
            return bids_in or viewer is REFEREE or viewer == owner
        case BidMode.BID_CARDS:
            return sees_bid_cards(viewer, owner, bids_in=bids_in, premium=premium)


def sees_bid_cards(
    viewer: Viewer, owner: int, *, bids_in: bool, premium: int | None
) -> bool:
    """`premium` is the seat whose claim was granted, whatever it claimed."""
    return viewer is REFEREE or viewer == owner or (bids_in and owner == premium)


@cache
def hides_only_hands(kind: DealKind, bid_mode: BidMode, *, forehead: bool) -> bool:
    """Whether a deal is such that each seat sees its own hand and all that is no hand.

    In nearly all deals it is so, from the first bid to the last card.
    """
    seats = (0, 1)
    return all(
        sees_upcard(seat, kind=kind, bids_in=bids_in)
        and sees_bid(seat, owner, bid_mode=bid_mode, bids_in=bids_in)
        and sees_hand(seat, owner, kind=kind, forehead=forehead, bids_in=bids_in)
        == (seat == owner)
        for bids_in in (False, True)
        for seat in seats
        for owner in seats
    )
