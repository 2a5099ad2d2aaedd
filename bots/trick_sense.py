"""What a card is worth in the mind of a simple player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ohhell_bot import SUIT, Trump, View
from ohhell_bot.cards import JOKERS, WIZARDS

_TRUMP_LEAD: Final = 13
_ABOVE_ALL: Final = 99


def weight(view: View, card: int) -> int:
    """Strength over all suits: a trump counts 13 more than the place of its rank.

    Wizards, and jokers that are no suit, are above everything.
    """
    rules = view.match.rules
    if card in WIZARDS or (card in JOKERS and card in rules.suitless):
        return _ABOVE_ALL
    return rules.strength[card] + (_TRUMP_LEAD if SUIT[card] == view.trump else 0)


def by_weight(view: View, cards: Sequence[int]) -> list[int]:
    """Weakest first; equals by code."""
    return sorted(cards, key=lambda card: (weight(view, card), card))


def sure_trumps(view: View) -> int:
    """Own trumps that nothing out there beats: each is a trick, whatever happens.

    Counted from the top of what is unseen, so the upcard and played cards are gone.
    """
    trump = view.trump
    if trump in (Trump.UNKNOWN, Trump.NONE):
        return 0
    rules = view.match.rules
    strength = rules.strength
    best = 0
    for card in view.unseen:
        if SUIT[card] == trump:
            best = max(best, strength[card])
        elif card in WIZARDS or (card in JOKERS and card in rules.suitless):
            return 0
    return sum([SUIT[card] == trump and strength[card] > best for card in view.hand])
