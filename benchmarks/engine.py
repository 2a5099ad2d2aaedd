"""The engine against OpenSpiel: random playouts of a deal of ten, four players.

Both deal, bid with the hook, play forty cards and score, with Python's ``random``
making the choices.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable

import pyspiel

from engine.deal import Deal, deal_rules
from engine.pack import BIT
from engine.rules import Rules

PLAYERS = 4
CARDS = 10
_ROUNDS = 7
_HANDS = 3000
FLOOR = 0.7

_SPIEL = pyspiel.load_game(f"oh_hell(players={PLAYERS},num_tricks_fixed={CARDS})")

_SHARED = deal_rules(Rules.of("pagat_standard"), PLAYERS)
_PACK = _SHARED.pack
_KINDS = range(len(_PACK.kinds))
_BIT_OF = BIT.__getitem__
_SUITS = [next(s for s in range(1, 5) if _PACK.suit_mask[s] & BIT[k]) for k in _KINDS]
_NONE_TWICE = (0,) * PLAYERS


def openspiel_playout(rng: random.Random) -> None:
    """Play one hand with OpenSpiel, dealt from a shuffle: the fastest Python driver."""
    state = _SPIEL.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    dealers = state.legal_actions()
    state.apply_action(dealers[int(rng.random() * len(dealers))])
    for card in rng.sample(range(52), PLAYERS * CARDS + 1):
        state.apply_action(card)
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(rng.random() * len(actions))])
    state.returns()


def our_playout(rng: random.Random) -> None:
    """Play one hand with the engine's `Deal`, whose moves are bits of a set."""
    cards = rng.sample(_KINDS, PLAYERS * CARDS + 1)
    held = [sum(map(_BIT_OF, cards[seat:-1:PLAYERS])) for seat in range(PLAYERS)]
    dealer = int(rng.random() * PLAYERS)
    trump = _SUITS[cards[-1]]
    deal = Deal.begin(
        _SHARED, held, _NONE_TWICE, size=CARDS, dealer=dealer, trump=trump
    )
    while deal.to_bid:
        deal.bid(_pick(deal.legal_bids(), rng))
    while deal.left:
        deal.play(_pick(deal.legal_cards(), rng))
    deal.points()


def _pick(options: int, rng: random.Random) -> int:
    """Draw one bit of a set: the number of its place."""
    for _ in range(int(rng.random() * options.bit_count())):
        options &= options - 1
    return (options & -options).bit_length() - 1


def hands_per_second(playout: Callable[[random.Random], None], hands: int) -> float:
    """Time ``hands`` playouts on the process's CPU clock."""
    rng = random.Random(1)  # noqa: S311  (a playout, not a secret)
    start = time.process_time()
    for _ in range(hands):
        playout(rng)
    return hands / (time.process_time() - start)


def main() -> bool:
    """Measure and print; whether the floor was reached."""
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(_ROUNDS):
        theirs.append(hands_per_second(openspiel_playout, _HANDS))
        ours.append(hands_per_second(our_playout, _HANDS))
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    print(f"engine: random playouts, {PLAYERS} players, {CARDS} cards, hands a second")
    print(f"  OpenSpiel {statistics.median(theirs):10,.0f}")
    print(f"  engine    {statistics.median(ours):10,.0f}")
    verdict = "reached" if ratio >= FLOOR else "MISSED"
    print(f"G6  {ratio:6.2f}  floor {FLOOR:.2f}  {verdict}")
    return ratio >= FLOOR


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
