"""Uniform choices out of a source of chance that the caller brings.

A `Draw` gives a number from 0 to n - 1 for any n up to 2**16: `shuffle.Words.draw` is
one, and so is a generator's `randrange`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Draw = Callable[[int], int]

_WORD_BITS: Final = 16
_WORD: Final = 2**_WORD_BITS

# Moduli of the two generators of `Dice`.
_FIRST: Final = 2147483563
_SECOND: Final = 2147483399


def below(draw: Draw, limit: int) -> int:
    """A uniform number from 0 to `limit` - 1, however large the limit."""
    if limit <= _WORD:
        return draw(limit)
    words = -(-limit.bit_length() // _WORD_BITS)
    whole = _WORD**words
    while True:
        number = 0
        for _ in range(words):
            number = number * _WORD + draw(_WORD)
        # Numbers above the largest multiple would favour small remainders.
        if number < whole - whole % limit:
            return number % limit


def shuffle(cards: list[int], draw: Draw) -> None:
    """Every order alike, in place."""
    for i in range(len(cards) - 1, 0, -1):
        j = draw(i + 1)
        cards[i], cards[j] = cards[j], cards[i]


class Dice:
    """A small fast source of chance for playouts; the same seed rolls the same.

    Two multiplicative generators combined (L'Ecuyer 1988, period about 2**61): good for
    search, and never for the shuffle of a match, because its rolls can be foretold.
    """

    __slots__ = ("_first", "_second")

    def __init__(self, seed: int) -> None:
        self._first = 1 + seed % (_FIRST - 1)
        self._second = 1 + seed // (_FIRST - 1) % (_SECOND - 1)
        # Seeds that are neighbours roll alike at first.
        for _ in range(4):
            self.roll(1)

    def roll(self, sides: int) -> int:
        """From 0 to `sides` - 1, at most 2**31; a `Draw`."""
        first = self._first * 40014 % _FIRST
        second = self._second * 40692 % _SECOND
        self._first = first
        self._second = second
        return (first - second) % (_FIRST - 1) * sides // (_FIRST - 1)

    def one_of(self, kinds: int) -> int:
        """A kind of a set that is not empty, all alike."""
        for _ in range(self.roll(kinds.bit_count())):
            kinds &= kinds - 1
        return (kinds & -kinds).bit_length() - 1
