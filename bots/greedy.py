"""L1: bids its aces and trumps, plays by intent."""

from __future__ import annotations

from typing import Final

from bots import intent
from bots.bidding import best_bid_cards, blind_expectation, nearest_bid
from ohhell_bot import RANK, SUIT, Bot, Play, View

_ACE: Final = 14


class Greedy(Bot):
    def bid(self, view: View) -> int:
        if not view.hand:
            return nearest_bid(view, blind_expectation(view))
        return nearest_bid(view, intent.aces_and_trumps(view))

    def play(self, view: View) -> int | Play:
        return intent.play(view)

    def lay(self, view: View) -> list[int]:
        worth = [
            float(RANK[card] == _ACE or SUIT[card] == view.trump) for card in view.hand
        ]
        return best_bid_cards(view.hand, worth)
