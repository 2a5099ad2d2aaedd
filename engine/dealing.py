"""Dealing a shuffled pack: one card at a time from eldest on, the dealer last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Dealt(NamedTuple):
    """Cards by seat in the order received, and the cards left, the top one first."""

    hands: list[list[int]]
    undealt: list[int]


def deal_out(deck: Sequence[int], *, dealer: int, players: int, size: int) -> Dealt:
    """`size` is the number of cards each seat receives; the deck's first goes first."""
    dealt = players * size
    hands: list[list[int]] = [[] for _ in range(players)]
    for seat in range(players):
        turn = (seat - dealer - 1) % players
        hands[seat] = list(deck[turn:dealt:players])
    return Dealt(hands, list(deck[dealt:]))
