"""What a card is worth in the mind of a simple player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ohhell_bot import SUIT, Trump, View
from ohhell_bot.cards import JESTERS, JOKERS, WIZARDS

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
    """Own trumps that nothing out there beats: each is a trick, whatever happens."""
    return trumps_beaten_by(view, at_most=0)


def trumps_beaten_by(view: View, *, at_most: int) -> int:
    """Own trumps that so many unseen cards beat, or fewer.

    The upcard and what was played are gone. Wizards and called jokers beat all.
    """
    trump = view.trump
    if trump in (Trump.UNKNOWN, Trump.NONE):
        return 0
    rules = view.match.rules
    strength = rules.strength
    own = [strength[card] for card in view.hand if SUIT[card] == trump]
    if not own:
        return 0
    above_all = 0
    out = []
    for card in view.unseen:
        if SUIT[card] == trump:
            out.append(strength[card])
        elif card in rules.suitless and card not in JESTERS:
            above_all += 1
    if above_all > at_most:
        return 0
    # The first unseen trump that is one too many: only what is above it counts.
    out.sort(reverse=True)
    place = at_most - above_all
    bar = out[place] if place < len(out) else 0
    return sum([mine > bar for mine in own])
