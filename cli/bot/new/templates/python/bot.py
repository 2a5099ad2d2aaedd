"""Counts likely tricks, takes them while they are needed, then ducks.

What is in a view: clients/python/README.md of the project.
"""

from ohhell_bot import RANK, SUIT, Bot, View, run

KING = 13


class MyBot(Bot):
    def bid(self, view: View) -> int:
        """The legal bid nearest to the number of aces, kings and high trumps."""
        likely = sum(self.is_strong(view, card) for card in view.hand)
        return min(view.legal_bids, key=lambda bid: abs(bid - likely))

    def play(self, view: View) -> int:
        """Every card in `legal_cards` is allowed; the question is which one is wise."""
        cards = sorted(
            view.legal_cards, key=lambda card: view.match.rules.strength[card]
        )
        winners = [card for card in cards if view.wins(card)]
        losers = [card for card in cards if not view.wins(card)]
        if view.needed > 0:
            return winners[-1] if winners else cards[0]
        return losers[-1] if losers else cards[0]

    def is_strong(self, view: View, card: int) -> bool:
        return RANK[card] >= (9 if SUIT[card] == view.trump else KING)


if __name__ == "__main__":
    run(MyBot)
