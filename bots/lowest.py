"""A policy without chance or judgement, small enough to be written in any language.

- Bid: the lowest legal amount.
- Card: the lowest legal card by the rank order of the table, suits and trump aside;
  equal ranks by card code. Jesters are below, jokers and wizards above all ranks.
- Joker that needs a call: low.
- Trump suit: the legal suit of which the hand holds most cards, of equals the first
  in the order clubs, diamonds, hearts, spades.
- Bid cards: the three lowest of the hand, in the order of the cards above; no claim.
- A card that the seat may not see: played unseen.
"""

from __future__ import annotations

from ohhell_bot import Bot, View, lowest_first


class Lowest(Bot):
    """Everything else is what the library does by itself."""

    def bid(self, view: View) -> int:
        return min(view.legal_bids)

    def play(self, view: View) -> int:
        return lowest_first(view.legal_cards, view)[0]
