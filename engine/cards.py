"""Cards, suits and trumps as numbers, and their two-character text.

A card's code is 1 + 13 * suit + (rank - 2) with suits C D H S = 0..3 and the ace as
rank 14; then X1 X2 (jokers), W1..W4 (wizards), F1..F4 (jesters) and the twelve court
cards of the Spanish pack, sota caballo rey of each suit. Zero is never a card.

Where a suit stands alone it is counted from 1, so that zero can mean "not known".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.errors import NotationError

NO_SUIT: Final = 0
CLUBS: Final = 1
DIAMONDS: Final = 2
HEARTS: Final = 3
SPADES: Final = 4
JOKER_SUIT: Final = 5

TRUMP_UNKNOWN: Final = 0
NO_TRUMP: Final = 6

SUITS: Final = (CLUBS, DIAMONDS, HEARTS, SPADES)
LAST_CODE: Final = 74

FRENCH_RANKS: Final = "23456789TJQKA"
SPANISH_COURT: Final = "SCR"

_SUIT_LETTERS: Final = "CDHS"
_TRUMP_TEXT: Final = ("?", "C", "D", "H", "S", "X", "NT")


def french_card(suit: int, rank: int) -> int:
    """Code of an ordinary card; suit 1..4, rank 2..14 (ace)."""
    return 13 * suit + rank - 14


def spanish_court_card(suit: int, court: int) -> int:
    """Code of a sota, caballo or rey; suit 1..4, court 0..2."""
    return 60 + 3 * suit + court


def _every_card() -> tuple[tuple[str, int, int], ...]:
    """Text, suit and rank by code."""
    cards = [("", NO_SUIT, 0)]
    for suit in SUITS:
        letter = _SUIT_LETTERS[suit - 1]
        cards += [(rank + letter, suit, 2 + i) for i, rank in enumerate(FRENCH_RANKS)]
    cards += [(f"X{i}", JOKER_SUIT, 0) for i in (1, 2)]
    cards += [(f"W{i}", NO_SUIT, 0) for i in (1, 2, 3, 4)]
    cards += [(f"F{i}", NO_SUIT, 0) for i in (1, 2, 3, 4)]
    for suit in SUITS:
        letter = _SUIT_LETTERS[suit - 1]
        cards += [(rank + letter, suit, 11 + i) for i, rank in enumerate(SPANISH_COURT)]
    return tuple(cards)


_CARDS: Final = _every_card()
_CODES: Final = {text: code for code, (text, _, _) in enumerate(_CARDS) if code}

X1: Final = _CODES["X1"]
X2: Final = _CODES["X2"]
WIZARDS: Final = tuple(_CODES[f"W{i}"] for i in (1, 2, 3, 4))
JESTERS: Final = tuple(_CODES[f"F{i}"] for i in (1, 2, 3, 4))
JOKERS: Final = (X1, X2)
SPECIAL_CARDS: Final = JOKERS + WIZARDS + JESTERS


def is_card(code: int) -> bool:
    return 1 <= code <= LAST_CODE


def card_text(code: int) -> str:
    """Two characters, as in `TH`, `X1`, `RS`; NotationError for a code of no card."""
    if not is_card(code):
        raise NotationError(f"{code!r} is no card: codes are 1..{LAST_CODE}")
    return _CARDS[code][0]


def card_code(text: str) -> int:
    """Inverse of `card_text`; NotationError for any other text."""
    code = _CODES.get(text)
    if code is None:
        raise NotationError(
            f"{text!r} is no card: a rank ({FRENCH_RANKS}, or {SPANISH_COURT} in the"
            f" Spanish pack) and a suit (C D H S), or X1 X2, W1..W4, F1..F4"
        )
    return code


def card_suit(code: int) -> int:
    """1..4, `JOKER_SUIT` for jokers, `NO_SUIT` for wizards and jesters."""
    return _CARDS[code][1]


def card_rank(code: int) -> int:
    """2..14 (ace), Spanish court cards 11..13, zero for special cards."""
    return _CARDS[code][2]


def cards_text(codes: Iterable[int]) -> str:
    """Cards separated by single spaces."""
    return " ".join([card_text(code) for code in codes])


def cards_from(text: str) -> list[int]:
    """Inverse of `cards_text`; NotationError names the first wrong card."""
    return [card_code(word) for word in text.split()]


def trump_text(trump: int) -> str:
    """A suit's letter, `X` for jokers, `NT`, or `?` while it is not known."""
    if not 0 <= trump <= NO_TRUMP:
        raise NotationError(f"{trump!r} is no trump: trumps are 0..{NO_TRUMP}")
    return _TRUMP_TEXT[trump]


def trump_code(text: str) -> int:
    """Inverse of `trump_text`."""
    if text not in _TRUMP_TEXT:
        raise NotationError(f"{text!r} is no trump: one of C D H S X NT")
    return _TRUMP_TEXT.index(text)


def suit_code(text: str) -> int:
    """1..4 for C D H S; NotationError for anything else."""
    if len(text) != 1 or text not in _SUIT_LETTERS:
        raise NotationError(f"{text!r} is no suit: one of C D H S")
    return 1 + _SUIT_LETTERS.index(text)
