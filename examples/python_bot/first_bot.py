"""A first bot: count likely tricks, take them while they are needed, then duck.

In the spec of a tournament: `command = ["python", "first_bot.py"]`.

Everything that it knows is in `view`: README.md of ohhell_bot has the list.
"""

from ohhell_bot import RANK, SUIT, Bot, View, run

ACE, KING = 14, 13


class FirstBot(Bot):
    def bid(self, view: View) -> int:
        """The legal bid nearest to the number of aces, kings and high trumps."""
        likely = [card for card in view.hand if self.is_strong(view, card)]
        return min(view.legal_bids, key=lambda bid: abs(bid - len(likely)))

    def play(self, view: View) -> int:
        """Every card in `legal_cards` is allowed; the question is which one is wise."""
        cards = sorted(view.legal_cards, key=lambda card: self.strength(view, card))
        winners = [card for card in cards if view.wins(card)]
        losers = [card for card in cards if not view.wins(card)]
        if view.needed > 0:
            # Win as cheaply as possible; if that cannot be done, waste little.
            return winners[0] if winners and view.trick else cards[-1 if winners else 0]
        # Throw the most dangerous card that does not win.
        return losers[-1] if losers else cards[0]

    def is_strong(self, view: View, card: int) -> bool:
        if SUIT[card] == view.trump:
            return RANK[card] > 8
        return RANK[card] in (ACE, KING)

    def strength(self, view: View, card: int) -> int:
        """A trump is above every card of another suit."""
        above = 20 if SUIT[card] == view.trump else 0
        return view.match.rules.strength[card] + above


if __name__ == "__main__":
    run(FirstBot)
