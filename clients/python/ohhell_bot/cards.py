"""Cards, suits and ranks of the wire as plain integers, with look-ups by card code.

A card is its code 1..74; zero is never a card. Looking a fact up by code is the fastest
thing Python can do with it, so cards have no class of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ohhell.v1 import cards_pb2

TEXT: Final = ("--", *[cards_pb2.Card.Name(c)[5:] for c in cards_pb2.Card.values()[1:]])
"""Two characters by card code, as in `TH`, `X1`, `RS`; `--` for no card."""

_CODE: Final = {text: code for code, text in enumerate(TEXT) if code}

JOKERS: Final = frozenset([_CODE["X1"], _CODE["X2"]])
WIZARDS: Final = frozenset([_CODE[f"W{i}"] for i in (1, 2, 3, 4)])
JESTERS: Final = frozenset([_CODE[f"F{i}"] for i in (1, 2, 3, 4)])

_SUIT_LETTERS: Final = "?CDHS"
_RANK_LETTERS: Final = "23456789TJQKA"
_COURT_LETTERS: Final = "SCR"


def _suit_of(code: int) -> int:
    if code in JOKERS:
        return 5
    if code == 0 or code in WIZARDS or code in JESTERS:
        return 0
    return _SUIT_LETTERS.index(TEXT[code][1])


def _rank_of(code: int) -> int:
    if _suit_of(code) not in range(1, 5):
        return 0
    letter = TEXT[code][0]
    if letter in _COURT_LETTERS:
        return 11 + _COURT_LETTERS.index(letter)
    return 2 + _RANK_LETTERS.index(letter)


SUIT: Final = tuple([_suit_of(code) for code in range(len(TEXT))])
"""Suit by card code: 1..4, 5 for jokers, zero for wizards and jesters."""

RANK: Final = tuple([_rank_of(code) for code in range(len(TEXT))])
"""Rank by card code: 2..14 (ace), Spanish court 11..13, zero for special cards."""


def suit(card: int) -> int:
    """1 C, 2 D, 3 H, 4 S, 5 jokers; zero for wizards and jesters."""
    return SUIT[card]


def rank(card: int) -> int:
    """2..14 (ace), Spanish court cards 11..13; zero for special cards.

    What beats what depends on the rank order of the table: see `Rules.strength`.
    """
    return RANK[card]


def card_text(card: int) -> str:
    """Two characters, as in `TH`; IndexError for a code of no card."""
    return TEXT[card]


def cards_text(cards: Iterable[int]) -> str:
    """Cards separated by single spaces."""
    return " ".join([TEXT[card] for card in cards])


def card_code(text: str) -> int:
    """Inverse of `card_text`; ValueError for any other text."""
    code = _CODE.get(text)
    if code is None:
        raise ValueError(
            f"{text!r} is no card: a rank (2..9 T J Q K A, or S C R in the Spanish"
            " pack) and a suit (C D H S), or X1 X2, W1..W4, F1..F4"
        )
    return code


def cards_from(text: str) -> tuple[int, ...]:
    """Inverse of `cards_text`."""
    return tuple([card_code(word) for word in text.split()])
