"""What of a seat's view changes from one card of a deal to the next.

A part of `view` for those who put the same prompt together again and again, at a third
of its cost; it tells nothing that the view of the seat on turn does not tell.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.phase import Phase
from engine.position import Position


class Moving(NamedTuple):
    """Fields of `View` under the same names."""

    seq: int
    hand: tuple[int, ...]
    legal_cards: tuple[int, ...]
    tricks: tuple[int, ...]
    plays: tuple[int, ...]
    leaders: tuple[int, ...]
    joker_calls: tuple[int, ...]
    call: int


def moving(match: Position, seat: int) -> Moving | None:
    """The part of a prompt that is not as it was a card ago.

    None where more may have changed: before the first card of a deal, in deals in which
    cards of others lie open, and for a seat that is not on turn.
    """
    if (
        match.phase is not Phase.PLAYING
        or not match.plays
        or match.forehead
        or match.premium is not None
        or match.shown_card
        or seat != match.deal.turn
    ):
        return None
    legal_cards = match.legal_cards(seat)
    return Moving(
        match.seq,
        # All bids are in and the deal is not a forehead deal: the seat sees its hand.
        tuple(match.hands[seat]),
        tuple(legal_cards),
        tuple(match.deal.tricks),
        tuple(match.plays),
        tuple(match.leaders),
        tuple(match.joker_calls),
        match.call_rule_for(legal_cards),
    )
