"""L2: bids the sum of each card's chance to take a trick, plays by intent.

With f the chance that an unseen card is in an opponent's hand and k the unseen cards
that beat it in its suit, a card is the best of its suit with chance (1 - f)**k. A trump
can also win by ruffing; a side card only wins if all follow, or nobody ruffs.
"""

from __future__ import annotations

from collections import Counter
from math import exp
from typing import Final

from bots import intent
from bots.bidding import best_bid_cards, blind_expectation, nearest_bid
from ohhell_bot import SUIT, Bot, Play, View
from ohhell_bot.cards import JESTERS, WIZARDS

_BY_RUFF: Final = 0.12
"""Added to a trump's chance for each of up to three trumps in the hand."""
_RUFFED: Final = 0.75
"""How often an opponent who could ruff does."""
_VOID: Final = 0.2
"""Tricks for each side suit that the hand lacks while it has a trump."""
_CALLED_JOKER: Final = 0.5
"""A joker that is called high or low takes the trick when that is wanted."""
_FIRST_WIZARD: Final = 0.9


class ExpectedTricks(Bot):
    def bid(self, view: View) -> int:
        if not view.hand:
            return nearest_bid(view, blind_expectation(view))
        return nearest_bid(view, expected_tricks(view))

    def play(self, view: View) -> int | Play:
        return intent.play(view)

    def lay(self, view: View) -> list[int]:
        return best_bid_cards(view.hand, _chances(view, view.size))


def expected_tricks(view: View) -> float:
    """Of the whole hand; never more than the tricks there are."""
    hand = view.hand
    trump = view.trump
    total = sum(_chances(view, len(hand)))
    suits = {SUIT[card] for card in hand}
    if trump in suits and len(hand) > 1:
        voids = [s for s in (1, 2, 3, 4) if s != trump and s not in suits]
        total += _VOID * len(voids)
    return min(total, float(len(hand)))


def _chances(view: View, size: int) -> list[float]:
    """By card of the hand, if each opponent holds `size` cards."""
    rules = view.match.rules
    strength = rules.strength
    trump = view.trump
    opponents = view.match.seats - 1
    unseen = view.unseen
    out = min(1.0, size * opponents / len(unseen)) if unseen else 0.0
    away = 1.0 - out

    unseen_of = Counter([SUIT[card] for card in unseen])
    own_trumps = sum([SUIT[card] == trump for card in view.hand])
    somebody_has_trump = 1.0 - away ** unseen_of[trump]
    wizards = sum([card in WIZARDS for card in unseen])

    chances = []
    for card in view.hand:
        suit = SUIT[card]
        if card in rules.suitless:
            chances.append(_special(card))
            continue
        above = sum([SUIT[c] == suit and strength[c] > strength[card] for c in unseen])
        best = away ** (above + wizards / 2)
        if suit == trump:
            ruff = _BY_RUFF * (1.0 - best) * min(3, own_trumps)
            chances.append(min(1.0, best + ruff))
            continue
        each_holds = out * unseen_of[suit] / opponents
        all_follow = (1.0 - exp(-each_holds)) ** opponents
        not_ruffed = 1.0 - _RUFFED * somebody_has_trump
        chances.append(best * (all_follow + (1.0 - all_follow) * not_ruffed))
    return chances


def _special(card: int) -> float:
    if card in JESTERS:
        return 0.0
    return _FIRST_WIZARD if card in WIZARDS else _CALLED_JOKER
