"""Cards and suits as a person reads and types them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from engine.cards import (
    CLUBS,
    DIAMONDS,
    HEARTS,
    JOKER_SUIT,
    NO_SUIT,
    NO_TRUMP,
    SPADES,
    TRUMP_UNKNOWN,
    card_code,
    card_suit,
    card_text,
    suit_code,
)

_SYMBOLS: Final = dict(zip("CDHS", "♣♦♥♠", strict=True))
_LETTERS: Final = {symbol: letter for letter, symbol in _SYMBOLS.items()}
_SUIT_NAMES: Final = {
    CLUBS: "clubs",
    DIAMONDS: "diamonds",
    HEARTS: "hearts",
    SPADES: "spades",
}
# Colours alternate, so that neighbours are told apart at a glance.
_PLACES: Final = (SPADES, HEARTS, CLUBS, DIAMONDS, JOKER_SUIT, NO_SUIT)
_CARD: Final = re.compile(r"\b([2-9TJQKASCR])([CDHS])\b")
_RED: Final = re.compile(r"[2-9TJQKASCR]?[♥♦]")


class Faces:
    """With suit symbols, or with plain letters that any terminal can show."""

    def __init__(self, *, plain: bool) -> None:
        self._plain = plain

    def card(self, code: int) -> str:
        """Give two characters."""
        return self.dressed(card_text(code))

    def cards(self, codes: Iterable[int]) -> str:
        """Give cards in the order given."""
        return " ".join([self.card(code) for code in codes])

    def hand(self, codes: Sequence[int], trump: int) -> str:
        """Give cards suit by suit, trumps first, the highest of each suit first.

        `codes` are in ascending strength inside each suit.
        """

        def place(code: int) -> tuple[bool, int]:
            suit = card_suit(code)
            return suit != trump, _PLACES.index(suit)

        descending = list(reversed(codes))
        suits = [
            self.cards(same)
            for _, same in groupby(sorted(descending, key=place), card_suit)
        ]
        return "  ".join(suits)

    def trump(self, trump: int) -> str:
        """Name a trump."""
        match trump:
            case _ if trump == TRUMP_UNKNOWN:
                return "not known yet"
            case _ if trump == NO_TRUMP:
                return "none"
            case _ if trump == JOKER_SUIT:
                return "the jokers"
        name = _SUIT_NAMES[trump]
        return name if self._plain else f"{name} {_SYMBOLS[name[0].upper()]}"

    def dressed(self, text: str) -> str:
        """Put suit symbols in place of letters wherever a text names cards."""
        if self._plain:
            return _ascii(text)
        return _CARD.sub(lambda card: card[1] + _SYMBOLS[card[2]], text)


def _ascii(text: str) -> str:
    """Leave out accents, and what has no plain letter."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def in_colour(line: str) -> str:
    """Paint hearts and diamonds red."""
    return _RED.sub(lambda card: f"\x1b[31m{card[0]}\x1b[0m", line)


def typed_card(word: str) -> int:
    """Read a card: in any case, 10 for T, with a letter or a symbol; NotationError."""
    text = word.upper().replace("10", "T")
    return card_code("".join([_LETTERS.get(sign, sign) for sign in text]))


def typed_suit(word: str) -> int:
    """Read a suit: its letter, name or symbol; NotationError."""
    text = _LETTERS.get(word, word)
    if text.lower() in _SUIT_NAMES.values():
        text = text[0]
    return suit_code(text.upper())
