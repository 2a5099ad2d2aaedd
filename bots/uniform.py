"""L0: everything that is legal is equally likely."""

from __future__ import annotations

from ohhell_bot import Bot, CallRule, Claim, JokerCall, Lay, Play, View
from ohhell_bot.cards import JOKERS


class Random(Bot):
    """Draws every decision from the seat's seed and nothing else."""

    def bid(self, view: View) -> int:
        return view.rng.choice(view.legal_bids)

    def play(self, view: View) -> int | Play:
        card = view.rng.choice(view.legal_cards)
        if view.call == CallRule.REQUIRED and card in JOKERS:
            return Play(card, view.rng.choice((JokerCall.HIGH, JokerCall.LOW)))
        return card

    def choose_trump(self, view: View) -> int:
        return view.rng.choice(view.legal_suits)

    def lay(self, view: View) -> Lay:
        return Lay(view.rng.sample(view.hand, 3), view.rng.choice(tuple(Claim)))
