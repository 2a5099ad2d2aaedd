"""From an expectation of tricks to a bid."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from bots.trick_sense import sure_trumps
from ohhell_bot import SUIT, Suit, View

BID_CARD_VALUE: Final = {
    int(Suit.CLUBS): 3,
    int(Suit.DIAMONDS): 0,
    int(Suit.HEARTS): 2,
    int(Suit.SPADES): 1,
}
"""What a bid card of a suit adds to the bid."""


def nearest_bid(view: View, expected: float) -> int:
    """The legal bid next to it, the lower of two; never below the certain tricks."""
    sure = sure_trumps(view)
    legal = [bid for bid in view.legal_bids if bid >= sure] or view.legal_bids
    return min(legal, key=lambda bid: (abs(bid - expected), bid))


def blind_expectation(view: View) -> float:
    """An even share of the tricks, for a seat that may not see its cards."""
    return view.size / view.match.seats


def best_bid_cards(hand: Sequence[int], worth: Sequence[float]) -> list[int]:
    """The three cards whose bid is nearest to what the others are worth in tricks.

    `worth` belongs to `hand`; of equal choices the one of the weakest cards.
    """
    total = sum(worth)
    value = [BID_CARD_VALUE[SUIT[card]] for card in hand]

    def miss(chosen: tuple[int, ...]) -> float:
        left = total - sum([worth[i] for i in chosen])
        return abs(left - sum([value[i] for i in chosen]))

    chosen = min(combinations(range(len(hand)), 3), key=miss)
    return [hand[i] for i in chosen]
